import {isObjectList} from '../../forms/object-list.js';
import type {Terminal} from '../terminal.js';
import {makerOfTruncated} from '../wisepad/maker-of-truncated.js';
import {readWisepad, tellMaker} from '../wisepad/reader.js';
import {dspreadOrBbpos} from '../wisepad/undecided.js';

/** DSpread QPOS: swipe dictionary and EMV TLV, a dialect of BBPOS WisePad, read by its reader. */
export const dspread = {
  type: 'dspread',
  manufacturer: 'DSPREAD',
  recognises: (payload) =>
    !isObjectList(payload) && ['DSpread', 'either'].includes(tellMaker(payload)),
  claims: (payload) => ['DSpread', 'either'].includes(makerOfTruncated(payload) ?? ''),
  read: readWisepad,
  undecided: dspreadOrBbpos,
  about: async () => (await import('./about.js')).aboutDspread,
  write: async () => (await import('./writer.js')).dspreadWriter,
} as const satisfies Terminal;
