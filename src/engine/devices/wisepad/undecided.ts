import type {TerminalName, Undecided} from '../terminal.js';
import type {Maker} from './makers.js';
import {readWisepad, tellMaker} from './reader.js';

/** A terminal of each maker. */
const NAMES: Readonly<Record<Maker, TerminalName>> = {
  BBPOS: {type: 'wisepad', manufacturer: 'BBPOS'},
  DSpread: {type: 'dspread', manufacturer: 'DSPREAD'},
};

/**
 * Payloads that only their plaintext tells apart (docs/formats/dspread.md#bbpos-or-dspread): read for
 * both makers, whose card is the same.
 */
export const dspreadOrBbpos: Undecided = {
  type: 'dspread-or-wisepad',
  manufacturer: NAMES.BBPOS.manufacturer,
  recognises: (payload) => tellMaker(payload) === 'either',
  read: (payload, trace) => {
    const reading = readWisepad(payload, trace);
    return {...reading, form: `${reading.form}, DSpread or BBPOS`};
  },
  decide: ({maker}) => NAMES[maker === 'DSpread' ? maker : 'BBPOS'],
  about: async () => (await import('./about.js')).aboutWisepad,
};
