import {forwardedForm} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

/** EMV tags as members, and tracks in hex under names of its own. */
const POYNT_MEMBER = /\b0x1[Ff]810[2-4]\b|"track[12]data"\s*:\s*"[\dA-Fa-f]{16}/;

/** Poynt terminals: tracks after zeros, tags with names such as `0x57`. */
export const poynt = {
  type: 'poynt',
  manufacturer: 'POYNT',
  ...forwardedForm({name: /poynt/i, member: POYNT_MEMBER, modes: ['cbc', 'ecb']}),
  about: async () => (await import('./about.js')).aboutPoynt,
  write: async () => (await import('../forwarded/writer.js')).poyntWriter,
} as const satisfies Terminal;
