import {string as argument} from '@oclif/core/args';
import {boolean, option} from '@oclif/core/flags';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import {repeatableFlag, valueFlag} from '../flags/value-flags.js';

/** The payload as an argument, which may name a file. */
export const payloadArgs = {
  payload: argument({
    description: 'payload or request JSON: file name, literal text, or - for stdin (the default)',
    ignoreStdin: true,
  }),
};

/** The payload as a flag, where an argument would leave a doubt, and what goes with it. */
export const payloadFlags = {
  file: valueFlag('FILE', 'file containing the payload'),
  payload: valueFlag('TEXT', 'payload as literal text'),
  'device-type': option({
    char: 'd',
    description: `terminal type: ${TERMINAL_TYPES.join(', ')}`,
    options: TERMINAL_TYPES,
    helpValue: 'TYPE',
  })(),
  ksn: valueFlag('HEX', 'KSN, if it is not in the payload'),
  reveal: boolean({description: 'show card data unmasked'}),
};

/** For commands that read or write payloads of terminals that paylens does not know. */
export const terminalFlag = {
  terminal: repeatableFlag(
    'FILE',
    'JavaScript file that exports a terminal of your own; the file is run (repeatable)',
  ),
};
