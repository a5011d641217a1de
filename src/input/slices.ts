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
  const objects = walk(bytes);
  if (!objects) return [];
  const all = flatten(objects);
  const targets = all.flatMap((object, i): Target[] => {
    const {tag, value, children} = object;
    if (children || value.length < 8 || value.length % 8 !== 0 || isKsn(object)) return [];
    const ksn = nearestKsn(all, i);
    return [{name: `tag ${tag}`, ciphertext: value, ...(ksn === undefined ? {} : {ksn})}];
  });
  return targets.slice(0, MAX_SLICES);
}

/** The KSNs in a TLV list. */
export function tagKsns(bytes: Uint8Array): string[] {
  const all = flatten(walk(bytes) ?? []);
  return all.filter(isKsn).map(({value}) => upperHexOf(value));
}

/** Values of eight bytes in a TLV list: one of them may be the IV. */
export function tagIvs(bytes: Uint8Array): Uint8Array[] {
  const all = flatten(walk(bytes) ?? []);
  return all
    .filter(({value, children}) => !children && (value.length === 8 || value.length === 16))
    .map(({value}) => value);
}

/** Blobs with a length prefix, longest first: one byte, or two bytes, big- or little-endian. */
export function* lengthFieldSlices(bytes: Uint8Array): Steps<Target[]> {
  const found = new Map<string, Target>();
  for (let at = 0; at + 9 <= bytes.length; at++) {
    if (at % BYTES_PER_STEP === 0) yield;
    const [one = 0, two = 0] = [bytes[at], bytes[at + 1]];
    const lengths = [
      [one, at + 1],
      [one * 256 + two, at + 2],
      [two * 256 + one, at + 2],
    ] as const;
    for (const [length, start] of lengths) {
      if (length < 16 || length % 8 !== 0 || start + length > bytes.length) continue;
      const name = `${length} bytes at byte ${start}`;
      found.set(name, {name, ciphertext: bytes.subarray(start, start + length)});
    }
  }
  const longest = [...found.values()].sort((a, b) => b.ciphertext.length - a.ciphertext.length);
  let total = 0;
  return longest.slice(0, MAX_SLICES).filter(({ciphertext}) => {
    total += ciphertext.length;
    return total <= MAX_SLICED_BYTES;
  });
}

function walk(bytes: Uint8Array): readonly TlvObject[] | undefined {
  const list = attempt(() => readTlv(bytes, {idtechFlags: true}));
  return list && list.objects.length > 0 ? list.objects : undefined;
}

/** Ten bytes under a terminal's own tag are a KSN: ciphertext is never ten bytes long. */
function isKsn({tag, value, children}: TlvObject): boolean {
  if (children || value.length < 8 || value.length > 12) return false;
  return (
    KSN_TAGS.has(tag) ||
    (value.length === 10 && /^[C-F]/.test(tag) && !MASKED_PAN.test(upperHexOf(value)))
  );
}

/** The digits of a card number that a terminal shows, in ten bytes filled with F. */
const MASKED_PAN = /^\d{6,8}F{2,}\d{4}F*$/;

function nearestKsn(all: readonly TlvObject[], at: number): string | undefined {
  const found = all.slice(at).find(isKsn) ?? all.slice(0, at).findLast(isKsn);
  return found && upperHexOf(found.value);
}
