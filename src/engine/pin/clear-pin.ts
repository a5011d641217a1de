import type {PinFormat} from '../reading.js';

/** The digits of a PIN block from which the card number was removed. */
export interface ClearPin {
  readonly format: PinFormat;
  readonly digits: string;
  /** log2 of one over the chance that random bytes have this form. */
  readonly bits: number;
}

/** What follows the digits, and the bits that each nibble of it proves. */
const PIN_FILLS: Readonly<Partial<Record<number, {readonly form: RegExp; readonly bits: number}>>> =
  {
    0: {form: /^F*$/, bits: 4},
    // At random.
    1: {form: /^/, bits: 0},
    // At random, from A to F.
    3: {form: /^[A-F]*$/, bits: 1.415},
    4: {form: /^A*$/, bits: 4},
  };

/** Control nibbles: the format, and one of 9 lengths, which is counted as exact. */
const CONTROL_BITS = 8;
/** 10 of 16 nibbles are digits. */
const PIN_DIGIT_BITS = 0.678;
const DIGITS_AND_FILL = 14;

/**
 * Reads control byte, digits and fill (ISO 9564-1); `rest` is the upper-case hex after the control
 * byte. Undefined if that is no PIN block.
 */
export function readClearPin(control: number, rest: string): ClearPin | undefined {
  const format = (control >> 4) as PinFormat;
  const length = control & 15;
  const fill = PIN_FILLS[format];
  if (!fill || length < 4 || length > 12) return undefined;
  const digits = rest.slice(0, length);
  const tail = rest.slice(length, DIGITS_AND_FILL);
  if (!/^\d+$/.test(digits) || !fill.form.test(tail)) return undefined;
  const bits = CONTROL_BITS + length * PIN_DIGIT_BITS + tail.length * fill.bits;
  return {format, digits, bits};
}

/** The PAN field of formats 0 and 3 in hex: the 12 digits before the check digit. */
export function panFieldFormat0(pan: string): string {
  return pan.slice(-13, -1).padStart(16, '0');
}

/** The PAN field of format 4 in hex: how many digits above 12, then all of them. */
export function panField4(pan: string): string {
  const digits = pan.padStart(12, '0');
  return ((digits.length - 12).toString(16) + digits).padEnd(32, '0').slice(0, 32);
}
