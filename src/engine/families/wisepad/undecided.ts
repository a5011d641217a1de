import type {TerminalName, Undecided} from '../terminal.js';
import type {Maker} from './makers.js';
import {readWisepad, tellMaker} from './reader.js';

/** A terminal of each maker. */
const TERMINAL_OF_MAKER: Readonly<Record<Maker, TerminalName>> = {
  BBPOS: {type: 'wisepad', manufacturer: 'BBPOS'},
  DSpread: {type: 'dspread', manufacturer: 'DSPREAD'},
};

/**
 * Payloads that only their plaintext distinguishes (docs/terminals/dspread.md#bbpos-or-dspread): read for
 * both makers, whose card is the same.
 */
export const dspreadOrBbpos: Undecided = {
  type: 'dspread-or-wisepad',
  manufacturer: TERMINAL_OF_MAKER.BBPOS.manufacturer,
  recognises: (payload) => tellMaker(payload) === 'either',
  read: (payload, trace) => {
    const reading = readWisepad(payload, trace);
    return {...reading, form: `${reading.form}, DSpread or BBPOS`};
  },
  decide: ({maker}) => TERMINAL_OF_MAKER[maker === 'DSpread' ? maker : 'BBPOS'],
  about: async () => (await import('./about.js')).aboutWisepad,
};
