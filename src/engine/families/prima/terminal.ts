import {isObjectList} from '../../forms/object-list.js';
import {verifyMacs} from '../../forms/verify-macs.js';
import {readIdtech} from '../idtech/reader.js';
import type {Terminal} from '../terminal.js';
import {isIdtechFrame, PRIMA_BEGINNING, readPrima} from './reader.js';

/** Infinite Peripherals Prima M in ID TECH mode: the original record without its frame. */
export const prima = {
  type: 'prima',
  manufacturer: 'INFINITE PERIPHERALS',
  recognises: (payload) => !isObjectList(payload) && !isIdtechFrame(payload),
  read: (payload, trace) =>
    isIdtechFrame(payload) ? readIdtech(payload, trace) : readPrima(payload, trace),
  framing: {begins: PRIMA_BEGINNING},
  verifyMacs,
  about: async () => (await import('./about.js')).aboutPrima,
  write: async () => (await import('./writer.js')).primaWriter,
} as const satisfies Terminal;
