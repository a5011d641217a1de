import type {Terminal} from '../terminal.js';
import {isIfsf, readIfsf} from './reader.js';

/** Host messages of the fuel industry, whose DE-127 holds the encrypted card data. */
export const ifsf = {
  type: 'ifsf',
  manufacturer: 'IFSF',
  recognises: isIfsf,
  claims: isIfsf,
  readsBare: true,
  read: readIfsf,
  about: async () => (await import('./about.js')).aboutIfsf,
  write: async () => (await import('./writer.js')).ifsfWriter,
} as const satisfies Terminal;
