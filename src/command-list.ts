import Decrypt from './commands/decrypt.js';
import Errors from './commands/errors.js';
import Inspect from './commands/inspect.js';

/** Every command by its id: what `bin/dev.js` starts from. A test holds it equal to the manifest. */
export const COMMANDS = {
  decrypt: Decrypt,
  errors: Errors,
  inspect: Inspect,
};
