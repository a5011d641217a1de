import Errors from './commands/errors.js';

/** Every command by its id: what `bin/dev.js` starts from. A test holds it equal to the manifest. */
export const COMMANDS = {
  errors: Errors,
};
