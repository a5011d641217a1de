import type {Terminal} from '../terminal.js';
import {MIURA} from './layout.js';
import {readMiura} from './reader.js';

/**
 * Miura terminals, which all use MPI: SRED blobs in a template, in link frames or as plain tags.
 */
export const miura = {
  type: 'miura',
  manufacturer: 'MIURA',
  recognises: true,
  read: readMiura,
  signs: {tags: MIURA.tags.cipher},
  about: async () => (await import('./about.js')).aboutMiura,
  write: async () => (await import('./writer.js')).miuraWriter,
} as const satisfies Terminal;
