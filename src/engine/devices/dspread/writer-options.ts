import type {WriterOption} from '../writer.js';
import {resolveOptions} from '../writer-options.js';

/** The settings of DSpread payloads. */
export const DSPREAD_OPTIONS = [
  {
    name: 'form',
    values: ['auto', 'json', 'dump', 'ios', 'labels', 'joined', 'tlv'],
    meaning: 'the dictionary as JSON or text, EMV TLV; auto: by the mode',
  },
  {
    name: 'firmware',
    values: ['new', 'old', 'ecb'],
    meaning: 'self-encrypted CBC, plain ECB, self-encrypted ECB',
  },
  {
    name: 'tracks',
    values: ['all'],
    form: /^(?=.)1?2?3?$/,
    meaning: 'swiped: tracks that were read: 12, 2, ...',
  },
  {
    name: 'source',
    values: ['swipe', 'tap'],
    meaning: 'swiped: the stripe, or a tap: track 2 alone, in 32 bytes',
  },
  {
    name: 'message',
    values: ['C2', 'C5', 'C6'],
    meaning: 'emv: what is encrypted: online, batch or reversal message',
  },
  {
    name: 'list',
    values: ['70', 'flat', 'short'],
    meaning: 'emv: the encrypted list inside 70, alone, or only 5A and 57',
  },
  {
    name: 'pin',
    values: ['off', 'on'],
    meaning: 'with a PIN block of 1234: C1 and C7, or pinKsn and pinBlock',
  },
  {
    name: 'pinKsn',
    values: [''],
    form: /^[0-9A-F]{20}$/i,
    meaning: 'KSN of the PIN block; else that of the card data',
  },
  {name: 'd0', values: ['off', 'on'], meaning: 'emv: D0, whose meaning is not known'},
  {
    name: 'prefix',
    values: ['off', 'on'],
    meaning: 'emv: two leading bytes with the length of the message',
  },
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type DspreadOptions = Readonly<Record<(typeof DSPREAD_OPTIONS)[number]['name'], string>>;

/** The options given, with defaults for the others. Throws 9001 for an unknown name or value. */
export function dspreadOptions(given: Readonly<Record<string, string>>): DspreadOptions {
  return resolveOptions(DSPREAD_OPTIONS, given);
}
