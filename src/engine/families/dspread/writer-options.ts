import type {WriterOption} from '../../writing.js';
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
    name: 'source',
    values: ['swipe', 'tap'],
    meaning: 'swiped: the stripe, or a tap: track 2 alone, in 32 bytes',
  },
] as const satisfies readonly WriterOption[];

/** Every option and its value. */
export type DspreadOptions = Readonly<Record<(typeof DSPREAD_OPTIONS)[number]['name'], string>>;

/** The options given, with defaults for the others. Throws 9001 for an unknown name or value. */
export function dspreadOptions(given: Readonly<Record<string, string>>): DspreadOptions {
  return resolveOptions(DSPREAD_OPTIONS, given);
}
