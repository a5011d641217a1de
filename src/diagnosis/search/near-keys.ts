import type {Ksn} from '../../engine/dukpt/ksn.js';
import {hexOf} from '../../platform/bytes.js';
import {type KeyCandidate, oddParity} from '../candidates/key-candidates.js';
import {publishedKeys, simpleKeys} from '../candidates/published-keys.js';
import type {SearchKeys} from '../input/case.js';
import {type DigitEdit, digitEdits} from '../input/digit-edits.js';
import {type KnownKey, type KnownRoot, keysOfRead, rootKey} from './known-keys.js';

/** The digits of a key as typed, whole bytes or not. */
export interface TypedKey {
  readonly digits: string;
  readonly source: string;
}

/** A known key, ready to be compared with what was typed. */
export interface Compared extends KnownKey {
  readonly hex: string;
  /** With odd parity. */
  readonly odd: string;
}

/** Two digits of a key of 16 bytes were lost. */
const LEAST_DIGITS = 30;
/** So few wrong digits of a key are never chance: one in 2^90 among all that are compared. */
const MOST_EDITS = 2;

/** The keys that were given, in lower-case hex. */
export function typedKeys({all, written}: SearchKeys): TypedKey[] {
  const whole = all
    .filter(({origin, bytes}) => origin === 'given' && bytes.length >= 16)
    .map(({bytes, source}) => ({digits: hexOf(bytes), source}));
  const sources = new Set(whole.map(({source}) => source));
  const others = written.filter(
    ({digits, source}) => !sources.has(source) && digits.length >= LEAST_DIGITS,
  );
  return [...whole, ...others.map(({digits, source}) => ({digits: digits.toLowerCase(), source}))];
}

/** The known key that `digits` are within two slips of. */
export function nearest(
  digits: string,
  known: readonly Compared[],
): (Compared & {readonly edits: readonly DigitEdit[]}) | undefined {
  for (const key of known) {
    const edits = digitEdits(digits, key.hex, MOST_EDITS);
    if (edits) return {...key, edits};
  }
  return undefined;
}

/** The published keys, and all that follow from them for these KSNs. */
export function publishedKnown(ksns: readonly Ksn[]): Compared[] {
  const roots = publishedRoots();
  const derived = roots.flatMap((root) => ksns.flatMap((ksn) => keysOfRead(root, ksn)));
  return [...roots.map(rootKey), ...derived].map(inHex);
}

/** The published keys that a typed key, or one that follows from them, was meant to be. */
export function nearlyPublished(keys: SearchKeys, ksns: readonly Ksn[]): KeyCandidate[] {
  const typed = typedKeys(keys);
  if (typed.length === 0) return [];
  return publishedRoots()
    .filter((root) => {
      const known = [rootKey(root), ...ksns.flatMap((ksn) => keysOfRead(root, ksn))].map(inHex);
      return typed.some(({digits}) => nearest(digits, known));
    })
    .map(({bytes, role, name}) => ({
      bytes,
      role,
      source: name,
      madeOf: [name],
      origin: 'published',
    }));
}

/** A known key in the forms in which it is compared. */
export function inHex(key: KnownKey): Compared {
  return {...key, hex: hexOf(key.bytes), odd: hexOf(oddParity(key.bytes))};
}

function publishedRoots(): Required<KnownRoot>[] {
  return [...publishedKeys(), ...simpleKeys()].flatMap(({bytes, kind, source}) =>
    kind === 'bdk' || kind === 'ik' ? [{bytes, role: kind, name: source}] : [],
  );
}
