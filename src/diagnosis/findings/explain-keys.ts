import {prepareCipher} from '../../engine/cipher/modes.js';
import type {Ksn} from '../../engine/dukpt/ksn.js';
import {attempt} from '../../input/attempt.js';
import type {SearchKeys} from '../../input/case.js';
import type {Clues} from '../../input/clues.js';
import {bytesFromLatin1, bytesOfHex, concatBytes, hexOf} from '../../platform/bytes.js';
import {inSentences, trueDigits} from '../candidates/digit-edits.js';
import {oddParity} from '../candidates/key-candidates.js';
import {neighbours, wholeKsns} from '../candidates/ksn-candidates.js';
import type {Finding} from '../finding.js';
import type {Label} from '../labels.js';
import type {KeyMatch} from '../search/key-match.js';
import {
  type Compared,
  inHex,
  type KnownKey,
  type KnownRoot,
  keysOfRead,
  nearest,
  otherHalfFirst,
  publishedKnown,
  rootKey,
  type TypedKey,
  typedKeys,
} from '../search/known-keys.js';

/**
 * Explains why given keys did not decrypt what another key did: a key of another transaction, a
 * derived key mistyped or with different parity, or one derived with a common bug (hex digits used
 * as text, padding inside).
 */
export function explainKeys(found: KeyMatch, keys: SearchKeys, {ksns}: Clues): Finding[] {
  const typed = typedKeys(keys);
  if (typed.length === 0) return [];
  const known = knownKeys(found).map(inHex);
  const own = found.ksn ? [found.ksn.ksn] : wholeKsns([...ksns.given, ...ksns.message]);
  const published = publishedKnown(own);
  return typed.flatMap((key) => {
    const {madeOf} = found.key;
    if (madeOf.includes(key.source)) return madeOf.length > 1 ? [] : explainUsed(key, published);
    return {...(explain(key, known) ?? explainPublished(key, published)), of: key.source};
  });
}

/** Explains a mistyped key that still decrypts: the wrong digits differ only in parity bits. */
function explainUsed({digits, source}: TypedKey, known: readonly Compared[]): Finding[] {
  const near = nearest(digits, known);
  if (!near || near.hex === digits || ofParity(digits, known) === undefined) return [];
  const places = `${inSentences(near.edits)} Only parity bits differ.`;
  const detail = `${source} differs slightly from ${near.what}. ${places}`;
  return [{label: 'key-mistyped', detail, of: source, correction: trueDigits(near.edits)}];
}

/** Compares a key with the published ones; a correct key of another transaction is merely named. */
function explainPublished(key: TypedKey, known: readonly Compared[]): Finding {
  const same = known.find(({hex}) => hex === key.digits);
  const why = same ? undefined : explain(key, known);
  return why ?? {label: 'key-wrong', detail: `${key.source}${same ? ` is ${same.what}` : ''}.`};
}

/**
 * Compares the keys of an unsolved case with the published keys: a key within two digits of one of
 * them was meant to be it.
 */
export function explainUnused(keys: SearchKeys, ksns: readonly Ksn[]): Finding[] {
  const known = publishedKnown(ksns);
  return typedKeys(keys)
    .flatMap((key) => explain(key, known) ?? [])
    .filter(({label}) => label !== 'key-is-bdk');
}

function explain({digits, source}: TypedKey, known: readonly Compared[]): Finding | undefined {
  const same = known.find(({hex}) => hex === digits);
  if (same) return {label: same.label, detail: `${source} is ${same.what}.`};
  const halved = known.find(({hex}) => hex === otherHalfFirst(digits));
  if (halved) {
    return {label: 'key-halves', detail: `${source} is ${halved.what} with its halves swapped.`};
  }
  const near = nearest(digits, known);
  const adjusted =
    known.find(({odd}) => odd === digits) ?? (near ? undefined : ofParity(digits, known));
  if (adjusted) {
    return {label: 'key-parity', detail: `${source} is ${adjusted.what} with other parity bits.`};
  }
  if (!near) return undefined;
  const label = digits.length === near.hex.length ? 'key-mistyped' : 'key-digit-count';
  const detail = `${source} differs slightly from ${near.what}. ${inSentences(near.edits)}`;
  return {label, detail, correction: trueDigits(near.edits)};
}

/** The known key that equals `digits` if parity bits are ignored. */
function ofParity(digits: string, known: readonly Compared[]): Compared | undefined {
  if (digits.length % 2 === 1) return undefined;
  const adjusted = hexOf(oddParity(bytesOfHex(digits)));
  return known.find(({odd}) => odd === adjusted);
}

function knownKeys(found: KeyMatch): KnownKey[] {
  const {key, ksn, working} = found;
  const all: KnownKey[] = [{bytes: working, what: 'the working key', label: 'key-is-working-key'}];
  if (!ksn || (key.role !== 'bdk' && key.role !== 'ik')) return all;
  const root: KnownRoot = {bytes: key.bytes, role: key.role};
  const isAes = found.setting.usage !== undefined;
  all.push(rootKey(root), ...keysOfRead(root, ksn.ksn, isAes));
  if (key.role === 'bdk' && !isAes) all.push(...slips(key.bytes, ksn.ksn));
  for (const near of neighbours(ksn, MAX_WRONG_COUNTER_DISTANCE)) {
    const away = `${(near.distance ?? 0) > 0 ? '+' : ''}${near.distance}`;
    for (const {bytes, what, label} of keysOfRead(root, near.ksn, isAes))
      if (label !== 'key-is-ik')
        all.push({bytes, what: `${what} of another read (${away})`, label: 'key-of-other-read'});
  }
  return all;
}

const MAX_WRONG_COUNTER_DISTANCE = 16;

/** Initial and transaction keys as derived by programs that use digits as text, or pad. */
function slips(bdk: Uint8Array, ksn: Ksn): KnownKey[] {
  const digits = hexOf(bdk);
  const serial = bytesOfHex(ksn.initial.slice(0, 16));
  const texts = [digits.toUpperCase(), digits.toLowerCase()].map(bytesFromLatin1);
  const serials = [ksn.initial, ksn.hex].flatMap((hex) => [hex, hex.toLowerCase()]);
  const cuts = [[0, 16], [0, 24], [16]];
  const keys = texts.flatMap((text) => cuts.map(([from, to]) => text.subarray(from, to)));
  const blocks = serials.map((hex) => bytesFromLatin1(hex.slice(0, 8)));
  const text = [
    ...keys.flatMap((key) => initialKeys(key, serial)),
    ...blocks.flatMap((block) => initialKeys(bdk, block)),
    ...keys.flatMap((key) => blocks.flatMap((block) => initialKeys(key, block))),
  ];
  const made = (all: readonly Uint8Array[], label: Label, how: string) =>
    all.map((bytes): KnownKey => ({bytes, what: `an initial key derived ${how}`, label}));
  return [
    ...made(text, 'hex-as-text', 'from the ASCII of hex digits'),
    ...made(paddedKeys(bdk, serial), 'padding-in-derivation', 'with padding'),
  ];
}

const MASK = bytesOfHex('C0C0C0C000000000C0C0C0C000000000C0C0C0C000000000');

function initialKeys(key: Uint8Array, serial: Uint8Array): Uint8Array[] {
  return attempt(() => [concatBytes(...halvesOf(key, serial))]) ?? [];
}

/**
 * With PKCS#7 padding every encryption of 8 bytes gives 16: programs keep all bytes, or the first
 * 16.
 */
function paddedKeys(key: Uint8Array, serial: Uint8Array): Uint8Array[] {
  const padded = concatBytes(serial, new Uint8Array(8).fill(8));
  const [left, right] = halvesOf(key, padded);
  const whole = concatBytes(left, right);
  return [whole, whole.slice(0, 16), whole.slice(0, 24), concatBytes(left, left)];
}

/** What the key and the masked key encrypt. */
function halvesOf(key: Uint8Array, data: Uint8Array): [Uint8Array, Uint8Array] {
  const masked = key.map((byte, i) => byte ^ (MASK[i] ?? 0));
  return [encipher(key, data), encipher(masked, data)];
}

function encipher(key: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = prepareCipher('tdes', key);
  const encrypted = cipher.encryptEcb(data);
  cipher.wipe();
  return encrypted;
}
