import {forwardedForm} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

/** Spire SPm2: packed track 2 equivalent in the request of a gateway. */
export const spire = {
  type: 'spire',
  manufacturer: 'SPIRE',
  ...forwardedForm({
    name: /\b(?:spire|spm2)\b/i,
    member: /\bthor-posmate\b/i,
    modes: ['cbc', 'ecb'],
  }),
  about: async () => (await import('./about.js')).aboutSpire,
  write: async () => (await import('../forwarded/writer.js')).spireWriter,
} as const satisfies Terminal;
