import type {Terminal} from '../terminal.js';
import {VIPA, XPI} from './layout.js';
import {readVerifone} from './reader.js';

/** Verifone terminals: XPI message E07 and its blob, VIPA frames and tags, the TVP text. */
export const verifone = {
  type: 'verifone',
  manufacturer: 'VERIFONE',
  recognises: true,
  read: readVerifone,
  signs: {tags: new Set([...XPI.tags.cipher, ...VIPA.tags.cipher, 'DFDF13'])},
  about: async () => (await import('./about.js')).aboutVerifone,
  write: async () => (await import('./writer.js')).verifoneWriter,
} as const satisfies Terminal;
