import type {Ksn} from '../../engine/dukpt/ksn.js';
import type {SearchKeys} from '../../input/case.js';
import {hexOf} from '../../platform/bytes.js';
import {type DigitEdit, digitEdits} from '../candidates/digit-edits.js';
import {type KeyCandidate, oddParity} from '../candidates/key-candidates.js';
import {publishedKeys, simpleKeys} from '../candidates/published-keys.js';
import {type KnownKey, type KnownRoot, keysOfRead, rootKey} from './known-keys.js';

/** The digits of a key as typed, whole bytes or not. */
export interface TypedKey {
  readonly digits: string;
  readonly source: string;
}

/** A known key, prepared for comparison with what was typed. */
export interface Compared extends KnownKey {
  readonly hex: string;
  /** In hex, adjusted to odd parity. */
  readonly odd: string;
}

/** A key of 16 bytes that lost two digits. */
const MIN_KEY_DIGITS = 30;
/** With so few wrong digits a match is never chance: one in 2^90 for all keys compared. */
const MAX_EDITS = 2;

/** The given keys, in lower-case hex. */
export function typedKeys({all, written}: SearchKeys): TypedKey[] {
  const whole = all
    .filter(({origin, bytes}) => origin === 'given' && bytes.length >= 16)
    .map(({bytes, source}) => ({digits: hexOf(bytes), source}));
  const sources = new Set(whole.map(({source}) => source));
  const others = written.filter(
    ({digits, source}) => !sources.has(source) && digits.length >= MIN_KEY_DIGITS,
  );
  return [...whole, ...others.map(({digits, source}) => ({digits: digits.toLowerCase(), source}))];
}

/** The known key that differs from `digits` by at most two edits. */
export function nearest(
  digits: string,
  known: readonly Compared[],
): (Compared & {readonly edits: readonly DigitEdit[]}) | undefined {
  for (const key of known) {
    const edits = digitEdits(digits, key.hex, MAX_EDITS);
    if (edits) return {...key, edits};
  }
  return undefined;
}

/** The digits with their two halves exchanged. */
export function otherHalfFirst(digits: string): string {
  const middle = digits.length / 2;
  return digits.slice(middle) + digits.slice(0, middle);
}

/** The published keys, and all keys derived from them for these KSNs. */
export function publishedKnown(ksns: readonly Ksn[]): Compared[] {
  return publishedRoots().flatMap((root) => knownUnder(root, ksns));
}

function knownUnder(root: KnownRoot, ksns: readonly Ksn[]): Compared[] {
  return [rootKey(root), ...ksns.flatMap((ksn) => keysOfRead(root, ksn))].map(inHex);
}

/** The published keys that a typed key, or one derived from them, was meant to be. */
export function nearlyPublished(keys: SearchKeys, ksns: readonly Ksn[]): KeyCandidate[] {
  const typed = typedKeys(keys);
  if (typed.length === 0) return [];
  return publishedRoots()
    .filter((root) => {
      const known = knownUnder(root, ksns);
      return typed.some(
        ({digits}) =>
          nearest(digits, known) || known.some(({hex}) => hex === otherHalfFirst(digits)),
      );
    })
    .map(({bytes, role, name}) => ({
      bytes,
      role,
      source: name,
      madeOf: [name],
      origin: 'published',
    }));
}

/** A known key in the hex forms used for comparison. */
export function inHex(key: KnownKey): Compared {
  return {...key, hex: hexOf(key.bytes), odd: hexOf(oddParity(key.bytes))};
}

function publishedRoots(): Required<KnownRoot>[] {
  return [...publishedKeys(), ...simpleKeys()].flatMap(({bytes, kind, source}) =>
    kind === 'bdk' || kind === 'ik' ? [{bytes, role: kind, name: source}] : [],
  );
}
