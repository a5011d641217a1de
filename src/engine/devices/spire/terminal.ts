import {ownersOf} from '../forwarded/owners.js';
import {type Forwarded, readForwarded} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

const FORM: Forwarded = {type: 'spire', modes: ['cbc', 'ecb']};

const isIts = (payload: string) => ownersOf(payload).includes('spire');

/** Spire SPm2: packed track 2 equivalent in the request of a gateway. */
export const spire = {
  type: 'spire',
  manufacturer: 'SPIRE',
  recognises: isIts,
  claims: isIts,
  read: (payload, trace) => readForwarded(FORM, payload, trace),
  about: async () => (await import('./about.js')).aboutSpire,
  write: async () => (await import('../forwarded/writer.js')).spireWriter,
} as const satisfies Terminal;
