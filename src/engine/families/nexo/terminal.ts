import type {Terminal} from '../terminal.js';
import {envelopeIn, isNexo, readNexo} from './reader.js';

/** Messages of ISO 20022 and nexo whose card data is in an envelope, in XML and JSON. */
export const nexo = {
  type: 'nexo',
  manufacturer: 'NEXO',
  recognises: isNexo,
  claims: isNexo,
  read: readNexo,
  signs: {text: envelopeIn},
  about: async () => (await import('./about.js')).aboutNexo,
  write: async () => (await import('./writer.js')).nexoWriter,
} as const satisfies Terminal;
