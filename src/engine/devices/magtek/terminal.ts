import {verifySeals} from '../shared/verify-seals.js';
import type {Terminal} from '../terminal.js';
import {isMagtekPayload, isOfMagtek, readMagtekPayload} from './reader.js';

/** MagTek readers: MagneSafe V5 strings and reports, EMV containers and MMS messages. */
export const magtek = {
  type: 'magtek',
  manufacturer: 'MAGTEK',
  recognises: isMagtekPayload,
  claims: isOfMagtek,
  read: readMagtekPayload,
  verifySeals,
  about: async () => (await import('./about.js')).aboutMagtek,
  write: async () => (await import('./writer.js')).magtekWriter,
} as const satisfies Terminal;
