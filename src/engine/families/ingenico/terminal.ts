import type {Terminal} from '../terminal.js';
import {readRa1} from './ra1.js';
import {readRba} from './rba.js';

/** Ingenico RA1 (iSMP4, iPP350): a swipe response encrypted with On-Guard, parsed but refused. */
export const ingenicoRa1 = {
  type: 'ingenico-ra1',
  manufacturer: 'INGENICO',
  recognises: true,
  read: readRa1,
  about: async () => (await import('./about.js')).aboutRa1,
  write: async () => (await import('./ra1-writer.js')).ingenicoRa1Writer,
} as const satisfies Terminal;

/** Ingenico RBA, UPP and ARC: messages 23.x, 33.0x, 41.x and 87.x, and their bare records. */
export const ingenicoRba = {
  type: 'ingenico-rba',
  manufacturer: 'INGENICO',
  recognises: true,
  read: readRba,
  // The message number, after STX if it is there.
  framing: {begins: /^(?:02)?3\d3\d2E/},
  about: async () => (await import('./about.js')).aboutRba,
  write: async () => (await import('./rba-writer.js')).ingenicoRbaWriter,
} as const satisfies Terminal;
