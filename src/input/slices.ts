import {flatten, readTlv, type TlvObject} from '../engine/tlv/ber.js';
import {upperHexOf} from '../platform/bytes.js';
import {attempt} from './attempt.js';
import type {Target} from './interpretation.js';
import type {Steps} from './steps.js';

/** Tags that hold a KSN of any length. */
export const KSN_TAGS = new Set([
  ...['C0', 'C1', 'C3', 'C7', 'CE', 'DF08', 'DFEE12', 'FFEE12', 'DFDF11', 'DFDF14', 'DFAE03'],
  ...['DFAE05', 'DF9021', 'DFED03', 'DF78'],
]);
const MAX_SLICES = 24;
const BYTES_PER_STEP = 4096;
/** Limit for all slices together: in a long blob any two bytes are a possible length. */
const MAX_SLICED_BYTES = 65_536;

/** The values of a TLV list that can be ciphertext, each with the nearest KSN. */
export function tagSlices(bytes: Uint8Array): Target[] {
  const all = leavesOf(bytes);
  const blocks = all.filter((object) => {
    const {length} = object.value;
    return length >= 8 && length % 8 === 0 && !isKsn(object);
  });
  return blocks.slice(0, MAX_SLICES).map((object): Target => {
    const at = all.indexOf(object);
    const ksn = all.slice(at).find(isKsn) ?? all.slice(0, at).findLast(isKsn);
    const {tag, value} = object;
    return {name: `tag ${tag}`, ciphertext: value, ...(ksn && {ksn: upperHexOf(ksn.value)})};
  });
}

/** The KSNs in a TLV list. */
export function tagKsns(bytes: Uint8Array): string[] {
  return leavesOf(bytes).flatMap((one) => (isKsn(one) ? [upperHexOf(one.value)] : []));
}

/** Values of eight bytes in a TLV list: one of them may be the IV. */
export function tagIvs(bytes: Uint8Array): Uint8Array[] {
  return leavesOf(bytes).flatMap(({value}) => ([8, 16].includes(value.length) ? [value] : []));
}

/** Blobs with a length prefix, longest first: one byte, or two bytes, big- or little-endian. */
export function* lengthFieldSlices(bytes: Uint8Array): Steps<Target[]> {
  const longest: Slice[] = [];
  const keep = (start: number, length: number) => {
    const mayBe = length >= 16 && length % 8 === 0 && start + length <= bytes.length;
    if (mayBe) insertSlice(longest, {start, length});
  };
  for (let at = 0; at + 9 <= bytes.length; at++) {
    if (at % BYTES_PER_STEP === 0) yield;
    const one = bytes[at]!;
    const two = bytes[at + 1]!;
    keep(at + 1, one);
    keep(at + 2, one * 256 + two);
    keep(at + 2, two * 256 + one);
  }
  let total = 0;
  const within = longest.filter(({length}) => {
    total += length;
    return total <= MAX_SLICED_BYTES;
  });
  return within.map(({start, length}) => ({
    name: `${length} bytes at byte ${start}`,
    ciphertext: bytes.subarray(start, start + length),
  }));
}

interface Slice {
  readonly start: number;
  readonly length: number;
}

/** Keeps the longest, the first of those with the same length before the others. */
function insertSlice(longest: Slice[], slice: Slice): void {
  const {start, length} = slice;
  if (longest.length === MAX_SLICES && length <= longest[MAX_SLICES - 1]!.length) return;
  if (longest.some((one) => one.start === start && one.length === length)) return;
  const after = longest.findIndex((one) => one.length < length);
  longest.splice(after < 0 ? longest.length : after, 0, slice);
  longest.length = Math.min(longest.length, MAX_SLICES);
}

/** A list of more bytes is a payload of its own, which readers walk in less time. */
const MAX_WALKED_BYTES = 16_384;

/** The objects without others in them; none of bytes that are no list, or too many. */
function leavesOf(bytes: Uint8Array): readonly TlvObject[] {
  if (bytes.length > MAX_WALKED_BYTES) return [];
  const list = attempt(() => readTlv(bytes, {idtechFlags: true}));
  return flatten(list?.objects ?? []).filter(({children}) => !children);
}

/** Ten bytes under a terminal's own tag are a KSN: ciphertext is never ten bytes long. */
function isKsn({tag, value}: TlvObject): boolean {
  if (value.length < 8 || value.length > 12) return false;
  return (
    KSN_TAGS.has(tag) ||
    (value.length === 10 && /^[C-F]/.test(tag) && !MASKED_PAN.test(upperHexOf(value)))
  );
}

/** The digits of a card number that a terminal shows, in ten bytes filled with F. */
const MASKED_PAN = /^\d{6,8}F{2,}\d{4}F*$/;
