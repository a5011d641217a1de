import {forwardedForm} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

/** Newland readers: track 1 with its length in front, under a working key or DUKPT. */
export const newland = {
  type: 'newland',
  manufacturer: 'NEWLAND',
  ...forwardedForm({name: /newland/i, modes: ['ecb', 'cbc'], isCounted: true}),
  about: async () => (await import('./about.js')).aboutNewland,
  write: async () => (await import('../forwarded/writer.js')).newlandWriter,
} as const satisfies Terminal;
