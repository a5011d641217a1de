import {forwardedForm} from '../forwarded/reader.js';
import type {Terminal} from '../terminal.js';

/** Poynt terminals: tracks after zeros, tags with names such as `0x57`. */
export const poynt = {
  type: 'poynt',
  manufacturer: 'POYNT',
  ...forwardedForm({type: 'poynt', modes: ['cbc', 'ecb']}),
  about: async () => (await import('./about.js')).aboutPoynt,
  write: async () => (await import('../forwarded/writer.js')).poyntWriter,
} as const satisfies Terminal;
