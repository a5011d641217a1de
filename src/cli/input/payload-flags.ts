import {string as argument} from '@oclif/core/args';
import {boolean, option, string} from '@oclif/core/flags';
import {TERMINAL_TYPES} from '../../engine/devices/registry.js';

/** The payload as an argument, which may name a file. */
export const payloadArgs = {
  payload: argument({
    description: 'payload or request JSON: file name, literal text, or - for stdin (the default)',
    ignoreStdin: true,
  }),
};

/** The payload as a flag, where an argument would leave a doubt, and what goes with it. */
export const payloadFlags = {
  file: string({description: 'file containing the payload', helpValue: 'FILE'}),
  payload: string({description: 'payload as literal text', helpValue: 'TEXT'}),
  'device-type': option({
    char: 'd',
    aliases: ['device'],
    description: `terminal type: ${TERMINAL_TYPES.join(', ')}`,
    options: TERMINAL_TYPES,
    helpValue: 'TYPE',
  })(),
  ksn: string({description: 'KSN, if it is not in the payload', helpValue: 'HEX'}),
  reveal: boolean({description: 'show card data unmasked'}),
};

/** For commands that read or write payloads of terminals that paylens does not know. */
export const terminalFlag = {
  terminal: string({
    description:
      'JavaScript file that exports a terminal of your own; the file is run (repeatable)',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
};

/** For commands that undo what a person did to a payload. */
export const strictFlag = {
  strict: boolean({
    description: 'accept only the payload itself: no hex dump, array, base64 or text around it',
  }),
};
