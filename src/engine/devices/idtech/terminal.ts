import type {Terminal} from '../terminal.js';
import {readIdtech} from './reader.js';

/** ID TECH readers: swipe and keyed frames, and ViVOpay messages that hold one. */
export const idtech = {
  type: 'idtech',
  manufacturer: 'IDTECH',
  recognises: true,
  read: readIdtech,
  about: async () => (await import('./about.js')).aboutIdtech,
  write: async () => (await import('./writer.js')).idtechWriter,
} as const satisfies Terminal;
