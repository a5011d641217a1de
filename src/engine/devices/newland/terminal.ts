import {ownersOf} from '../forwarded/owners.js';
import {type Forwarded, readForwarded} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

const FORM: Forwarded = {type: 'newland', modes: ['ecb', 'cbc'], isCounted: true};

const isIts = (payload: string) => ownersOf(payload).includes('newland');

/** Newland readers: track 1 with its length in front, under a working key or DUKPT. */
export const newland = {
  type: 'newland',
  manufacturer: 'NEWLAND',
  recognises: isIts,
  claims: isIts,
  read: (payload, trace) => readForwarded(FORM, payload, trace),
  about: async () => (await import('./about.js')).aboutNewland,
  write: async () => (await import('../forwarded/writer.js')).newlandWriter,
} as const satisfies Terminal;
