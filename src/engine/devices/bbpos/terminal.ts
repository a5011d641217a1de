import {ownersOf} from '../forwarded/owners.js';
import {type Forwarded, readForwarded} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

const FORM: Forwarded = {type: 'bbpos', modes: ['cbc', 'ecb']};

const isIts = (payload: string) => ownersOf(payload).includes('bbpos');

/** BBPOS readers as a processor passes them on: a member `track1` that may hold track 2. */
export const bbpos = {
  type: 'bbpos',
  manufacturer: 'BBPOS',
  recognises: isIts,
  claims: isIts,
  read: (payload, trace) => readForwarded(FORM, payload, trace),
  about: async () => (await import('./about.js')).aboutBbpos,
  write: async () => (await import('../forwarded/writer.js')).bbposWriter,
} as const satisfies Terminal;
