import path from 'node:path';

import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {note, printJson} from '../../cli/output/output.js';
import {checkBaseUrl} from '../../cli/send/base-url.js';
import {updateProfiles} from '../../cli/send/profiles.js';
import {SEND_METHODS} from '../../client/credentials.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** Saves an endpoint and a partner, without any key. */
export default class ProfileAdd extends BaseCommand {
  static override description =
    'Save an endpoint and a partner for `send`.\n\n' +
    'A profile with the same name is replaced. The first profile becomes the default. Profiles ' +
    'never contain keys: these stay in the keyfile, the environment or files.';
  static override args = {
    name: arg.required('name of the profile'),
  };
  static override flags = {
    'base-url': flag.required('URL', 'base URL'),
    partner: flag.text('ID', 'partnerId', {char: 'p'}),
    method: flag.choice(SEND_METHODS, 'authentication method'),
    keyfile: flag.text('FILE', 'keyfile that has the partner', {char: 'k'}),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> test --base-url http://127.0.0.1:8080 --partner DEMO --method hmac',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfileAdd);
    const {name} = args;
    if (!/^[\w.-]{1,50}$/.test(name) || name === '__proto__')
      throw new PaylensError(
        9001,
        'profile name: expected 1 to 50 letters, digits, dots, hyphens or underscores',
      );
    const {partner, method, keyfile} = flags;
    const profile = {
      url: checkBaseUrl(flags['base-url']),
      ...(partner !== undefined && {partner}),
      ...(method !== undefined && {method}),
      ...(keyfile !== undefined && {keyfile: path.resolve(keyfile)}),
    };
    const {current} = await updateProfiles((known) => ({
      current: known.current ?? name,
      profiles: {...known.profiles, [name]: profile},
    }));
    if (flags.json) printJson({name, current: current === name, ...profile});
    else note(current === name ? `Saved ${name}, now the default profile.` : `Saved ${name}.`);
  }
}
