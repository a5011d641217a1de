import {upperHexOf} from '../../platform/bytes.js';
import type {Opening} from './opened-plaintext.js';

/** One way to put a card number into a PIN block. */
export interface PanField {
  /** `12 digits before the check digit` and the usual mistakes. */
  readonly form: string;
  /** 16 hex digits, XORed with a block of format 0 or 3. */
  readonly field: string;
}

/** The form that ISO 9564-1 asks for. */
export const RIGHT_PAN_FORM = 'the 12 digits before the check digit';
/** The form of a block of format 4. */
export const WHOLE_PAN_FORM = 'the whole PAN, its length less 12 in front';
/** A block that was made without any card number. */
export const NO_PAN_FORM = 'no PAN';

/** The published number of X9.24's own PIN block example. */
const EXAMPLE_PAN = '4012345678909';

/**
 * The PAN fields that people make of `pans`, the right one first, then none at all; without a PAN
 * that of the published example.
 */
export function panFields(pans: readonly string[]): PanField[] {
  const none = {form: NO_PAN_FORM, field: '0'.repeat(16)};
  const all =
    pans.length > 0
      ? [...pans.flatMap(formsOf), none]
      : [none, ...formsOf(EXAMPLE_PAN).slice(0, 1)];
  return [...new Map(all.toReversed().map((one) => [one.field, one])).values()].reverse();
}

function formsOf(given: string): PanField[] {
  const pan = given.replace(/[^0-9]/g, '');
  if (pan.length < 12) return [];
  const field = (form: string, digits: string) => ({
    form,
    field: digits.slice(-12).padStart(16, '0'),
  });
  return [
    field(RIGHT_PAN_FORM, pan.slice(0, -1)),
    field('the last 12 digits, check digit included', pan),
    field('the first 12 digits', pan.slice(0, 12)),
    {form: 'the last 16 digits', field: pan.slice(-16).padStart(16, '0')},
    {form: 'the first 16 digits', field: pan.slice(0, 16).padEnd(16, '0')},
    field('a trailing F taken for the check digit', pan),
    field('the 12 digits before the last two', pan.slice(0, -2)),
    {form: 'the 12 digits at the left of the field', field: pan.slice(-13, -1).padEnd(16, '0')},
    field('the digits after the first', pan.slice(1, 13)),
  ];
}

/**
 * Reads an 8-byte plaintext as PIN block of ISO 9564-1 format 0, 1 or 3. Format 0 and 3 hold the PIN
 * XORed with a PAN field: valid only as `0L`, digits, `F` fill.
 */
export function openPinBlock(plain: Uint8Array, fields: readonly PanField[]): Opening | undefined {
  const format = (plain[0] ?? 0) >> 4;
  const length = (plain[0] ?? 0) & 15;
  if (plain.length !== 8 || length < 4 || length > 12) return undefined;
  if (format === 1) return openFormat1(plain, length);
  if (format !== 0 && format !== 3) return undefined;
  const hex = upperHexOf(plain);
  for (const [i, {form, field}] of fields.entries()) {
    const found = readClear(xorHex(hex, field), format, length, form, i + 1);
    if (found) return found;
  }
  return undefined;
}

/** Digits are 10 of 16 nibbles, the fill of format 3 is 6 of them. */
const DIGIT_BITS = 0.678;

function readClear(
  clear: string,
  format: 0 | 3,
  length: number,
  panForm: string,
  tried: number,
): Opening | undefined {
  const pin = clear.slice(2, 2 + length);
  const fill = clear.slice(2 + length);
  const isFill = format === 0 ? /^F*$/.test(fill) : /^[A-F]*$/.test(fill);
  if (!/^\d+$/.test(pin) || !isFill) return undefined;
  const fillBits = fill.length * (format === 0 ? 4 : 1.415);
  return {
    packing: format === 0 ? 'pin-block-0' : 'pin-block-3',
    bits: 8 + length * DIGIT_BITS + fillBits - Math.log2(tried),
    facts: [
      `PIN block of format ${format}: control nibbles, ${length} digits, fill`,
      panForm === NO_PAN_FORM ? 'the PAN field is zero' : `agrees with the given PAN (${panForm})`,
    ],
    text: pin,
    panForm,
  };
}

/** The fill of format 1 is random: its digits alone prove little. */
function openFormat1(plain: Uint8Array, length: number): Opening | undefined {
  const pin = upperHexOf(plain).slice(2, 2 + length);
  if (!/^\d+$/.test(pin)) return undefined;
  const facts = [`PIN block of format 1: control nibbles, ${length} digits`];
  return {packing: 'pin-block-1', bits: 8 + length * DIGIT_BITS, facts, text: pin};
}

/**
 * Reads a block of ISO 9564-1 format 4: `decipher` is AES-ECB under the PIN key. The block deciphers
 * to a value that, XORed with the PAN field and deciphered again, is `4L`, digits, `A` fill.
 */
export function openPinBlock4(
  plain: Uint8Array,
  pans: readonly string[],
  decipher: (block: Uint8Array) => Uint8Array,
): Opening | undefined {
  if (plain.length !== 16) return undefined;
  const fields = fields4Of(pans);
  for (const [i, {form, bytes}] of fields.entries()) {
    const middle = plain.map((byte, i) => byte ^ bytes[i]!);
    const found = readFormat4(decipher(middle), form, i + 1);
    if (found) return found;
  }
  return readFormat4(plain, NO_PAN_FORM, fields.length);
}

interface Field4 {
  readonly form: string;
  readonly bytes: Uint8Array;
}

const knownFields4 = new WeakMap<readonly string[], readonly Field4[]>();

/** Made once: thousands of keys are tried with the same card numbers. */
function fields4Of(pans: readonly string[]): readonly Field4[] {
  const known = knownFields4.get(pans);
  if (known) return known;
  const made = panFields4(pans).map(({form, field}) => ({form, bytes: Buffer.from(field, 'hex')}));
  knownFields4.set(pans, made);
  return made;
}

function panFields4(pans: readonly string[]): PanField[] {
  const fields = pans.flatMap((given): PanField[] => {
    const pan = given.replace(/[^0-9]/g, '');
    if (pan.length < 12) return [];
    const whole = (digits: string) =>
      ((digits.length - 12).toString(16) + digits).padEnd(32, '0').slice(0, 32);
    const rightmost = `0000${pan.slice(-13, -1)}`.padEnd(32, '0');
    return [
      {form: WHOLE_PAN_FORM, field: whole(pan)},
      {form: 'the PAN field of format 0', field: rightmost},
      {form: 'the PAN without its check digit', field: whole(pan.slice(0, -1).padStart(12, '0'))},
      {form: RIGHT_PAN_FORM, field: whole(pan.slice(-13, -1).padStart(12, '0'))},
    ];
  });
  return [...fields, {form: NO_PAN_FORM, field: '0'.repeat(32)}];
}

function readFormat4(plain: Uint8Array, form: string, tried: number): Opening | undefined {
  if (plain[0]! >> 4 !== 4) return undefined;
  const hex = upperHexOf(plain);
  const [, digit = '0', rest = ''] = /^4([4-9A-C])(.{14})/.exec(hex) ?? [];
  const length = Number.parseInt(digit, 16);
  if (rest === '' || !/^\d+$/.test(rest.slice(0, length))) return undefined;
  if (!/^A*$/.test(rest.slice(length))) return undefined;
  return {
    packing: 'pin-block-4',
    bits: 8 + length * DIGIT_BITS + (14 - length) * 4 - Math.log2(tried),
    facts: [
      `PIN block of format 4: control nibbles, ${length} digits, fill`,
      form === NO_PAN_FORM ? 'the PAN field is zero' : `agrees with the given PAN (${form})`,
    ],
    text: rest.slice(0, length),
    panForm: form,
  };
}

function xorHex(a: string, b: string): string {
  const sum = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  return sum.toString(16).toUpperCase().padStart(a.length, '0');
}
