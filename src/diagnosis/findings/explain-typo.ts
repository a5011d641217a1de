import type {SearchKeys} from '../../input/case.js';
import {isSameBytes, upperHexOf} from '../../platform/bytes.js';
import {type DigitEdit, digitEdits, inSentences, trueDigits} from '../candidates/digit-edits.js';
import {oddParity} from '../candidates/key-candidates.js';
import type {Label} from '../labels.js';
import type {KeyMatch} from '../search/key-match.js';
import {WorkingKeys} from '../search/working-keys.js';

/** A key with one of these was meant to be a known one. */
export const TYPOS: ReadonlySet<Label> = new Set<Label>(['key-mistyped', 'key-digit-count']);

/** Where the key that was found differs from the one given, and its true digits; in sentences. */
export function typoOf(found: KeyMatch, {all, written}: SearchKeys) {
  const {change, bytes, madeOf} = found.key;
  const own = ({source}: {readonly source: string}) => madeOf.includes(source);
  const given = all.find(own)?.bytes;
  const typed = written.find(own)?.digits.toUpperCase() ?? (given && upperHexOf(given));
  const isTypo = change !== undefined && TYPOS.has(change) && typed !== undefined;
  const edits = isTypo ? (digitEdits(typed, upperHexOf(bytes), 1) ?? []) : [];
  const places = edits.length > 0 ? ` ${inSentences(edits)}` : '';
  return {places, correction: trueDigits(edits.map((edit) => settled(edit, found)))};
}

/**
 * A digit that another one with a different parity bit could replace: the one that gives its byte odd
 * parity (FIPS 46-3) if all other bytes have it, else both.
 */
function settled(edit: DigitEdit, found: KeyMatch): DigitEdit {
  const {bytes} = found.key;
  const at = (edit.digit - 1) >> 1;
  const other = bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
  if (edit.right === undefined || edit.digit % 2 === 1 || !opensAlike(other, found)) return edit;
  const odd = oddParity(bytes);
  const isOdd = bytes.every((byte, i) => i === at || byte === odd[i]);
  const digits = isOdd ? [odd] : [bytes, other];
  const both = digits.map((key) => upperHexOf(key).charAt(edit.digit - 1)).sort();
  return {...edit, right: both.join(' or ')};
}

function opensAlike(bytes: Uint8Array, {key, ksn, setting, working}: KeyMatch): boolean {
  if (setting.algorithm !== 'tdes') return false;
  const how = {settings: [setting], isAes: setting.usage !== undefined};
  const made = new WorkingKeys().of({...key, bytes}, ksn?.ksn, how);
  return [...made].some(([, one]) => isSameBytes(oddParity(one), oddParity(working)));
}
