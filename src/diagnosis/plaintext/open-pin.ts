import type {Fact} from '../../engine/card/evidence.js';
import {panField4, panFieldFormat0, readClearPin} from '../../engine/pin/clear-pin.js';
import {bytesOfHex, upperHexOf} from '../../platform/bytes.js';
import type {Opening, PanForm} from './opened-plaintext.js';

/** One way to include a card number in a PIN block. */
export interface PanField extends PanForm {
  /** Hex digits that are XORed with a block: 16 for formats 0 and 3, 32 for format 4. */
  readonly field: string;
}

/** The PAN of X9.24's own PIN block example. */
const EXAMPLE_PAN = '4012345678909';

/**
 * The PAN fields that people build from `pans`, the correct one first, the empty one last; without
 * a PAN the empty one, then that of the published example.
 */
export function panFields(pans: readonly string[]): PanField[] {
  const none = noPan(16);
  const all =
    pans.length > 0
      ? [...panDigits(pans).flatMap(formsOf), none]
      : [none, ...formsOf(EXAMPLE_PAN).slice(0, 1)];
  const seen = new Set<string>();
  return all.filter(({field}) => !seen.has(field) && seen.add(field));
}

function wrongPanField(form: string, field: string): PanField {
  return {kind: 'wrong', form, field};
}

function noPan(digits: number): PanField {
  return {kind: 'none', form: 'no PAN', field: '0'.repeat(digits)};
}

/** The 12 digits before the check digit, as required by ISO 9564-1, and the usual mistakes. */
function formsOf(pan: string): PanField[] {
  const last12 = (digits: string) => digits.slice(-12).padStart(16, '0');
  return [
    {kind: 'right', form: BEFORE_CHECK_DIGIT, field: panFieldFormat0(pan)},
    wrongPanField('the last 12 digits, check digit included', last12(pan)),
    wrongPanField('the first 12 digits', last12(pan.slice(0, 12))),
    wrongPanField('the last 16 digits', pan.slice(-16).padStart(16, '0')),
    wrongPanField('the first 16 digits', pan.slice(0, 16).padEnd(16, '0')),
    wrongPanField('a trailing F mistaken for the check digit', last12(pan)),
    wrongPanField('the 12 digits before the last two', last12(pan.slice(0, -2))),
    wrongPanField('the leftmost 12 digits of the field', pan.slice(-13, -1).padEnd(16, '0')),
    wrongPanField('the digits after the first', last12(pan.slice(1, 13))),
  ];
}

/** Shorter numbers are in no PIN block. */
function panDigits(pans: readonly string[]): string[] {
  return pans.map((pan) => pan.replaceAll(/[^0-9]/g, '')).filter(({length}) => length >= 12);
}

const BEFORE_CHECK_DIGIT = 'the 12 digits before the check digit';

/**
 * Reads an 8-byte plaintext as an ISO 9564-1 PIN block of format 0, 1 or 3. In formats 0 and 3 the
 * PIN is XORed with a PAN field; the result is valid only as `0L` or `3L`, digits and filler.
 */
export function openPinBlock(plain: Uint8Array, fields: readonly PanField[]): Opening | undefined {
  const control = plain[0] ?? 0;
  const format = control >> 4;
  if (plain.length !== 8 || ![0, 1, 3].includes(format)) return undefined;
  const hex = upperHexOf(plain);
  if (format === 1) return readClear(control, hex);
  for (const [i, {field, ...panForm}] of fields.entries()) {
    const clear = (BigInt(`0x${hex}`) ^ BigInt(`0x${field}`)).toString(16).toUpperCase();
    const found = readClear(control, clear.padStart(16, '0'), panForm, i + 1);
    if (found) return found;
  }
  return undefined;
}

/** The filler of format 1, which has no PAN field, is random: its digits alone prove little. */
function readClear(
  control: number,
  clear: string,
  panForm?: PanForm,
  tried = 1,
): Opening | undefined {
  const found = readClearPin(control, clear.slice(2));
  if (!found) return undefined;
  const {format, digits} = found;
  const bits = found.bits - Math.log2(tried);
  const padding = panForm ? ', padding' : '';
  const text = `PIN block of format ${format}: control nibbles, ${digits.length} digits${padding}`;
  const grammar = {kind: 'grammar', text, bits} as const;
  const read = {packing: `pin-block-${format}`, bits, text: digits} as const;
  if (!panForm) return {...read, facts: [grammar]};
  // The digits that appear already count as evidence for the block; agreement with the PAN adds none.
  const fact: Fact =
    panForm.kind === 'none'
      ? {kind: 'other', text: 'the PAN field is zero', bits: 0}
      : {kind: 'given-pan', text: `agrees with the given PAN (${panForm.form})`, bits: 0};
  return {...read, facts: [grammar, fact], panForm};
}

/**
 * Reads an ISO 9564-1 format 4 block. `decipher` is AES-ECB under the PIN key. The block decrypts
 * to a value that, XORed with the PAN field and decrypted again, is `4L`, digits, `A` filler.
 */
export function openPinBlock4(
  plain: Uint8Array,
  pans: readonly string[],
  decipher: (block: Uint8Array) => Uint8Array,
): Opening | undefined {
  if (plain.length !== 16) return undefined;
  const fields = fields4Of(pans);
  for (const [i, {bytes, ...panForm}] of fields.entries()) {
    const middle = plain.map((byte, i) => byte ^ bytes[i]!);
    const found = readFormat4(decipher(middle), panForm, i + 1);
    if (found) return found;
  }
  const {field: _, ...none} = noPan(32);
  return readFormat4(plain, none, fields.length);
}

interface Field4 extends PanForm {
  readonly bytes: Uint8Array;
}

const knownFields4 = new WeakMap<readonly string[], readonly Field4[]>();

/** Cached, because thousands of keys are tried with the same card numbers. */
function fields4Of(pans: readonly string[]): readonly Field4[] {
  const known = knownFields4.get(pans);
  if (known) return known;
  const made = [...panDigits(pans).flatMap(forms4Of), noPan(32)].map(({field, ...panForm}) => ({
    ...panForm,
    bytes: bytesOfHex(field),
  }));
  knownFields4.set(pans, made);
  return made;
}

function forms4Of(pan: string): PanField[] {
  const rightmost = `0000${pan.slice(-13, -1)}`.padEnd(32, '0');
  return [
    {kind: 'right', form: 'the whole PAN, preceded by its length less 12', field: panField4(pan)},
    wrongPanField('the PAN field of format 0', rightmost),
    wrongPanField('the PAN without its check digit', panField4(pan.slice(0, -1))),
    wrongPanField(BEFORE_CHECK_DIGIT, panField4(pan.slice(-13, -1))),
  ];
}

function readFormat4(plain: Uint8Array, panForm: PanForm, tried: number): Opening | undefined {
  const control = plain[0] ?? 0;
  return control >> 4 === 4 ? readClear(control, upperHexOf(plain), panForm, tried) : undefined;
}
