import {ownersOf} from '../forwarded/owners.js';
import {type Forwarded, readForwarded} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

const FORM: Forwarded = {type: 'poynt', modes: ['cbc', 'ecb']};

const isIts = (payload: string) => ownersOf(payload).includes('poynt');

/** Poynt terminals: tracks behind zeros, tags with names such as `0x57`. */
export const poynt = {
  type: 'poynt',
  manufacturer: 'POYNT',
  recognises: isIts,
  claims: isIts,
  read: (payload, trace) => readForwarded(FORM, payload, trace),
  about: async () => (await import('./about.js')).aboutPoynt,
  write: async () => (await import('../forwarded/writer.js')).poyntWriter,
} as const satisfies Terminal;
