import type {Terminal} from '../terminal.js';
import {namesElements} from './message.js';
import {readIfsf} from './reader.js';

/** Host messages of the fuel industry, whose DE-127 holds the encrypted card data. */
export const ifsf = {
  type: 'ifsf',
  manufacturer: 'IFSF',
  // Its bare hex could be any ciphertext.
  recognises: namesElements,
  claims: namesElements,
  exclusive: true,
  readsBare: true,
  read: readIfsf,
  about: async () => (await import('./about.js')).aboutIfsf,
  write: async () => (await import('./writer.js')).ifsfWriter,
} as const satisfies Terminal;
