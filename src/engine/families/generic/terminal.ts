import type {Terminal} from '../terminal.js';
import {readGenericMembers} from './members.js';
import {readGeneric} from './reader.js';

/** A list of encrypted values described by the caller (docs/terminals/generic.md#generic-forms). */
export const generic = {
  type: 'generic',
  manufacturer: 'GENERIC',
  recognises: true,
  yields: true,
  ofBlocks: (data) => JSON.stringify({data}),
  read: (payload, trace) => readGeneric(readGenericMembers(payload, trace)),
  about: async () => (await import('./about.js')).aboutGeneric,
  write: async () => (await import('./writer.js')).genericWriter,
} as const satisfies Terminal;
