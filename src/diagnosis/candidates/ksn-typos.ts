import {HEX_DIGITS} from '../../input/bare-ciphertext.js';
import {ksnDigits} from '../../input/written-ksn.js';
import {type DigitEdit, inSentences} from './digit-edits.js';
import {type KsnCandidate, ksnCandidates} from './ksn-candidates.js';

/**
 * Every KSN that differs from this one in one hex digit, or by a transposition of two adjacent
 * digits. Padding that was added to a short KSN is not changed, because it was not typed.
 */
export function mistypedKsns({ksn: {hex}, from, source}: KsnCandidate): KsnCandidate[] {
  const first = Math.max(0, hex.length - from.length);
  const found: Typo[] = [];
  for (let at = first; at < hex.length; at++) {
    const [old = '', next = ''] = hex.slice(at);
    const digit = at - first + 1;
    for (const other of HEX_DIGITS.replace(old, ''))
      found.push({kind: 'wrong', digit, hex: replaced(hex, at, 1, other)});
    if (next !== '' && next !== old)
      found.push({kind: 'swapped', digit, hex: replaced(hex, at, 2, next + old)});
  }
  return candidatesOf(found, from, source);
}

/**
 * Lengths in digits of a complete KSN, without or with the leading FF that senders omit, or of AES
 * DUKPT.
 */
const WHOLE: readonly number[] = [16, 18, 20, 24];

/** Every KSN that a text with a missing or an extra digit may have been. */
export function misCountedKsns(text: string, source: KsnCandidate['source']): KsnCandidate[] {
  const from = ksnDigits(text);
  const found: Typo[] = [];
  for (let at = 0; at <= from.length; at++) {
    const digit = at + 1;
    // Inserting a digit before an equal one, or in its place, gives the same string: skip it.
    if (WHOLE.includes(from.length + 1)) {
      for (const lost of HEX_DIGITS.replace(from.charAt(at), ''))
        found.push({kind: 'lost', digit, hex: replaced(from, at, 0, lost).padStart(20, 'F')});
    }
    if (WHOLE.includes(from.length - 1) && at < from.length && from[at] !== from[at + 1])
      found.push({kind: 'added', digit, hex: replaced(from, at, 1, '').padStart(20, 'F')});
  }
  return candidatesOf(found, from, source);
}

/** A slip, and the KSN without it. */
interface Typo extends DigitEdit {
  readonly hex: string;
}

function replaced(hex: string, at: number, count: number, digits: string): string {
  return hex.slice(0, at) + digits + hex.slice(at + count);
}

function candidatesOf(
  typos: readonly Typo[],
  from: string,
  source: KsnCandidate['source'],
): KsnCandidate[] {
  const places = new Map(typos.map((one) => [one.hex, inSentences([one])]));
  const forms = typos.map(
    ({hex, kind}) => [hex, kind === 'lost' ? 'ksn-digit-missing' : 'ksn-mistyped'] as const,
  );
  const all = ksnCandidates(forms, from, source);
  return all.map((one) => ({...one, place: places.get(one.ksn.hex)}));
}
