import {bytesOfHex, latin1Of, upperHexOf} from '../../platform/bytes.js';
import {type BitTable, type CodeField, EMV_VALUES} from './emv-values.js';

/** A bit or a code of the value of an EMV tag, in words. */
export interface EmvWord {
  /** `byte 1 bit 8`, or what a code stands for. */
  readonly name: string;
  readonly meaning: string;
  /** Absent for codes and numbers, which always say something. */
  readonly isSet?: boolean;
}

/**
 * The bits and codes of the value of an EMV tag (upper-case hex) in words; undefined if the tag has
 * none or the value another length. Some tags mean different things by scheme: `aid` is that of the
 * same message, in upper-case hex.
 */
export function emvWords(
  tag: string,
  value: Uint8Array,
  aid?: string,
): readonly EmvWord[] | undefined {
  const layout = Object.hasOwn(EMV_VALUES, tag) ? EMV_VALUES[tag] : undefined;
  if (!layout) return undefined;
  const {bits = [], fields = [], size = [bits.length], begins, schemes, items} = layout;
  const [least = 0, most = least] = size;
  if (value.length < least || value.length > most) return undefined;
  if (begins !== undefined && value[0] !== begins) return undefined;
  if (schemes && aid === undefined) return [{name: 'scheme', meaning: NO_AID}];
  if (schemes && !schemes.includes(aid?.slice(0, RID_DIGITS) ?? '')) return undefined;
  const rest = value.subarray(least);
  if (items && rest.length % items.size !== 0) return undefined;
  const words = [...bitsOf(bits, value), ...fields.flatMap((field) => codesIn(field, value))];
  for (let at = 0; items && at < rest.length; at += items.size) {
    const [number, item] = [at / items.size + 1, rest.subarray(at)];
    for (const {name, meaning} of items.fields.flatMap((field) => codesIn(field, item)))
      words.push({name: `${items.name} ${number}, ${name}`, meaning});
  }
  return words.length > 0 ? words : undefined;
}

const RID_DIGITS = 10;
const NO_AID = 'the meaning depends on the scheme, and no AID names it';

/** A reserved bit is said only if it is set. */
function bitsOf(bits: BitTable, value: Uint8Array): EmvWord[] {
  return bits.flatMap((row, at) => {
    const meanings = entriesOf(row);
    return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => {
      const [meaning, isSet] = [meanings[i] || '-', ((value[at] ?? 0) & (0x80 >> i)) !== 0];
      if (meaning === '-' && !isSet) return [];
      const name = `byte ${at + 1} bit ${8 - i}`;
      return {name, meaning: meaning === '-' ? 'reserved' : meaning, isSet};
    });
  });
}

/** A code that an open list does not have is not said. */
function codesIn({name, at, size = 1, mask, codes, isOpen, flag}: CodeField, value: Uint8Array) {
  const bytes = value.slice(at, at + size);
  const [first = 0] = bytes;
  if (mask !== undefined) bytes[0] = first & mask;
  const hex = upperHexOf(bytes);
  if (codes === undefined) return [{name, meaning: String(Number.parseInt(hex, 16))}];
  const known = meaningOfCode(codes, hex) ?? meaningOfCode(codes, latin1Of(bytes));
  if (known === undefined && isOpen) return [];
  const added = flag && first & flag.bit ? flag.words : '';
  return [{name, meaning: (known ?? 'reserved') + added}];
}

function meaningOfCode(codes: string, code: string): string | undefined {
  const entry = entriesOf(codes).find((one) => one.startsWith(`${code} `));
  return entry?.slice(code.length + 1);
}

function entriesOf(table: string): string[] {
  return table.split(/[;\n]/).map((entry) => entry.trim());
}

/** A service code of three digits in words; undefined for anything else. */
export function serviceCodeInWords(code: string): readonly string[] | undefined {
  if (!/^\d{3}$/.test(code)) return undefined;
  return emvWords('5F30', bytesOfHex(`0${code}`))?.map(({meaning}) => meaning);
}
