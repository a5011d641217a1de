import {isObjectList} from '../../forms/object-list.js';
import {signsBesideKsn} from '../../forms/signs.js';
import type {Terminal} from '../terminal.js';
import {WISEPAD} from './layout.js';
import {makerOfTruncated} from './maker-of-truncated.js';
import {readWisepad, tellMaker} from './reader.js';
import {dspreadOrBbpos} from './undecided.js';

/** BBPOS WisePad: swipe dictionary, EMV TLV, bare encrypted tracks. */
export const wisepad = {
  type: 'wisepad',
  manufacturer: 'BBPOS',
  recognises: (payload) =>
    !isObjectList(payload) && ['BBPOS', 'either'].includes(tellMaker(payload)),
  claims: (payload) => ['BBPOS', 'either'].includes(makerOfTruncated(payload) ?? ''),
  read: readWisepad,
  signs: {
    ...signsBesideKsn(WISEPAD.tags.cipher, WISEPAD.tags.ksn),
    members: /^enc(?:rypted)? ?(?:track|pan)/i,
  },
  undecided: dspreadOrBbpos,
  about: async () => (await import('./about.js')).aboutWisepad,
  write: async () => (await import('./writer.js')).wisepadWriter,
} as const satisfies Terminal;

/** BBPOS WisePad 2: the same payloads. */
export const wisepad2 = {
  type: 'wisepad2',
  manufacturer: 'BBPOS',
  recognises: false,
  recognisedAs: 'wisepad',
  read: readWisepad,
  about: async () => (await import('./about.js')).aboutWisepad2,
  write: async () => (await import('./writer.js')).wisepad2Writer,
} as const satisfies Terminal;
