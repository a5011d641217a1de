import {forwardedForm} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

/** BBPOS readers as a processor passes them on: a member `track1` that may hold track 2. */
export const bbpos = {
  type: 'bbpos',
  manufacturer: 'BBPOS',
  ...forwardedForm({name: /bbpos/i, modes: ['cbc', 'ecb']}),
  about: async () => (await import('./about.js')).aboutBbpos,
  write: async () => (await import('../forwarded/writer.js')).bbposWriter,
} as const satisfies Terminal;
