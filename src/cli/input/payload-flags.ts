import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import type {TerminalSet} from '../../engine/families/terminal-set.js';
import type {PayloadFlags} from '../../input/paste/request-input.js';
import {arg, flag} from '../flags/flag.js';

/** The payload as an argument, which may name a file. */
export const payloadArgs = {
  payload: arg.optional(
    'payload or request JSON: file name, literal text, or - for stdin (the default)',
  ),
};

/** The payload as a flag, where an argument would leave a doubt, and what goes with it. */
export const payloadFlags = {
  file: flag.text('FILE', 'file containing the payload'),
  payload: flag.text('TEXT', 'payload as literal text'),
  'device-type': flag.choice(TERMINAL_TYPES, `terminal type: ${TERMINAL_TYPES.join(', ')}`, {
    char: 'd',
    helpValue: 'TYPE',
  }),
  ksn: flag.text('HEX', 'KSN, if it is not in the payload'),
  reveal: flag.on('show card data unmasked'),
};

/** For commands that read or write payloads of terminals that paylens does not know. */
export const terminalFlag = {
  terminal: flag.texts(
    'FILE',
    'JavaScript file that exports a terminal of your own; the file is run (repeatable)',
  ),
};

/** Where a payload comes from, and the terminals that may have sent it. */
export interface PayloadSource extends PayloadFlags {
  readonly file?: string | undefined;
  readonly payload?: string | undefined;
  readonly terminal?: readonly string[] | undefined;
  readonly terminals: TerminalSet;
}
