import type {Terminal} from '../terminal.js';
import {panBlockIn} from './pan-sign.js';
import {isAbecs, isOfAbecs, readAbecs} from './reader.js';

/** PIN pads of the Brazilian ABECS protocol: an encrypted card number in tracks, or GTK. */
export const abecs = {
  type: 'abecs',
  manufacturer: 'ABECS',
  recognises: isAbecs,
  claims: isOfAbecs,
  exclusive: true,
  read: readAbecs,
  signs: {text: panBlockIn},
  about: async () => (await import('./about.js')).aboutAbecs,
  write: async () => (await import('./writer.js')).abecsWriter,
} as const satisfies Terminal;
