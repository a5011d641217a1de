import {ownersOf} from '../forwarded/owners.js';
import {namesMagnePrint} from '../shared/names-magneprint.js';
import type {Terminal} from '../terminal.js';
import {readMembers} from './members.js';
import {readGeneric} from './reader.js';

/** A list of encrypted values described by the caller (docs/formats/generic.md#generic-forms). */
export const generic = {
  type: 'generic',
  manufacturer: 'GENERIC',
  recognises: (payload) => ownersOf(payload).length === 0 && !namesMagnePrint(payload),
  read: (payload, trace) => readGeneric(readMembers(payload, trace)),
  about: async () => (await import('./about.js')).aboutGeneric,
  write: async () => (await import('./writer.js')).genericWriter,
} as const satisfies Terminal;
