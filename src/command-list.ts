import Completion from './commands/completion.js';
import Decrypt from './commands/decrypt.js';
import Derive from './commands/derive.js';
import DeviceAdd from './commands/device/add.js';
import DeviceImport from './commands/device/import.js';
import DeviceList from './commands/device/list.js';
import DeviceRemove from './commands/device/remove.js';
import DeviceSet from './commands/device/set.js';
import Diagnose from './commands/diagnose.js';
import Errors from './commands/errors.js';
import Explore from './commands/explore.js';
import Export from './commands/export.js';
import ShowHelp from './commands/help.js';
import Inspect from './commands/inspect.js';
import KeyAdd from './commands/key/add.js';
import KeyExport from './commands/key/export.js';
import KeyImport from './commands/key/import.js';
import KeyList from './commands/key/list.js';
import KeyRemove from './commands/key/remove.js';
import KeyfileCreate from './commands/keyfile/create.js';
import KeyfileRekey from './commands/keyfile/rekey.js';
import KeyfileShow from './commands/keyfile/show.js';
import Listen from './commands/listen.js';
import PartnerAdd from './commands/partner/add.js';
import PartnerList from './commands/partner/list.js';
import PartnerRemove from './commands/partner/remove.js';
import PartnerRotate from './commands/partner/rotate.js';
import ProfileAdd from './commands/profile/add.js';
import ProfileList from './commands/profile/list.js';
import ProfileRemove from './commands/profile/remove.js';
import ProfileUse from './commands/profile/use.js';
import Sample from './commands/sample.js';
import SendDevice from './commands/send/device.js';
import SendPartner from './commands/send/partner.js';
import SendPayload from './commands/send/payload.js';
import Serve from './commands/serve.js';
import Sign from './commands/sign.js';
import Simulate from './commands/simulate.js';
import Verify from './commands/verify.js';

/** Every command by its id: what `bin/dev.js` starts from. A test holds it equal to the manifest. */
export const COMMANDS = {
  completion: Completion,
  decrypt: Decrypt,
  'device:add': DeviceAdd,
  'device:import': DeviceImport,
  'device:list': DeviceList,
  'device:remove': DeviceRemove,
  'device:set': DeviceSet,
  diagnose: Diagnose,
  derive: Derive,
  errors: Errors,
  explore: Explore,
  export: Export,
  help: ShowHelp,
  inspect: Inspect,
  'key:add': KeyAdd,
  'key:export': KeyExport,
  'key:import': KeyImport,
  'key:list': KeyList,
  'key:remove': KeyRemove,
  'keyfile:create': KeyfileCreate,
  'keyfile:rekey': KeyfileRekey,
  'keyfile:show': KeyfileShow,
  listen: Listen,
  'partner:add': PartnerAdd,
  'partner:list': PartnerList,
  'partner:remove': PartnerRemove,
  'partner:rotate': PartnerRotate,
  'profile:add': ProfileAdd,
  'profile:list': ProfileList,
  'profile:remove': ProfileRemove,
  'profile:use': ProfileUse,
  sample: Sample,
  'send:device': SendDevice,
  'send:partner': SendPartner,
  'send:payload': SendPayload,
  serve: Serve,
  sign: Sign,
  simulate: Simulate,
  verify: Verify,
};
