import {VARIANT_MASKS} from '../../engine/dukpt/key-usage.js';
import type {GivenKey, GivenKind} from '../../input/case.js';
import {bytesOfHex, concatBytes, latin1Of, upperHexOf} from '../../platform/bytes.js';
import type {Label} from '../labels.js';

/** The role of a key in DUKPT. */
export type KeyRole = 'bdk' | 'ik' | 'transaction' | 'working';

/** A key in one role, to be tried. */
export interface KeyCandidate {
  readonly bytes: Uint8Array;
  readonly role: KeyRole;
  readonly source: string;
  /** The sources of the keys that it was made from. */
  readonly madeOf: readonly string[];
  readonly origin: GivenKey['origin'];
  readonly serves?: GivenKey['serves'];
  /** For a key that was given: the kind it was given as. */
  readonly kind?: GivenKind;
  /** The change to a given key that made decryption work, by what explains it. */
  readonly change?: Label | undefined;
  /** Adjust the initial key to odd parity before anything is derived from it. */
  readonly adjustIk?: boolean;
}

// A working key is also a transaction key without a variant: try the simpler role first.
const ROLES: readonly KeyRole[] = ['bdk', 'ik', 'working', 'transaction'];

const ROLES_BY_KIND: Readonly<Record<GivenKind, readonly KeyRole[]>> = {
  bdk: ['bdk'],
  ik: ['ik'],
  working: ['working', 'transaction'],
  component: [],
  unknown: ROLES,
};

/** The keys in the roles stated by the user. */
export function statedRoles(keys: readonly GivenKey[]): KeyCandidate[] {
  return keys.flatMap((key) => ROLES_BY_KIND[key.kind].map((role) => inRole(key, role)));
}

/** The keys in every role that was not stated. */
export function otherRoles(keys: readonly GivenKey[]): KeyCandidate[] {
  return keys.flatMap((key) =>
    ROLES.filter((role) => !ROLES_BY_KIND[key.kind].includes(role)).map((role) =>
      inRole(key, role),
    ),
  );
}

/** One of thousands of candidates: written out, since literals that begin with a spread are slow. */
function inRole(
  {bytes: own, source, origin, kind, serves}: GivenKey,
  role: KeyRole,
  bytes = own,
  change?: Label,
): KeyCandidate {
  return {bytes, role, source, madeOf: [source], origin, kind, serves, change};
}

const MAX_COMPONENTS = 5;

/** The XOR of components: first of all of them, then of any two or more of at most five. */
export function combinedComponents(keys: readonly GivenKey[]): KeyCandidate[] {
  const stated = keys.filter(({kind}) => kind === 'component');
  const loose = stated.length >= 2 ? stated : keys.filter(({origin}) => origin === 'given');
  const parts = loose.slice(0, MAX_COMPONENTS);
  const found: KeyCandidate[] = [];
  for (let set = 2 ** parts.length - 1; set > 2; set--) {
    const chosen = parts.filter((_, i) => (set >> i) & 1);
    const [first] = chosen;
    if (chosen.length < 2 || !first || chosen.some((c) => c.bytes.length !== first.bytes.length)) {
      continue;
    }
    const bytes = chosen.reduce(
      (sum, one) => sum.map((byte, i) => byte ^ one.bytes[i]!),
      new Uint8Array(first.bytes.length),
    );
    if (bytes.every((byte) => byte === 0)) continue;
    const madeOf = chosen.map(({source}) => source);
    const source = madeOf.join(' XOR ');
    const change = 'components-combined' as const;
    const base = {bytes, source, madeOf, origin: 'given' as const, change};
    found.push(...ROLES.map((role) => ({...base, role})));
  }
  return found.sort((a, b) => b.madeOf.length - a.madeOf.length);
}

/** Keys that were assembled incorrectly: halves swapped or given separately, hex of hex, parity. */
export function repairedKeys(keys: readonly GivenKey[]): KeyCandidate[] {
  const found: KeyCandidate[] = [];
  const add = (key: GivenKey, bytes: Uint8Array, change: Label, madeOf = [key.source]) => {
    for (const role of ROLES) found.push({...inRole(key, role), bytes, change, madeOf});
  };
  for (const key of keys) {
    const {bytes} = key;
    const text = latin1Of(bytes);
    if (/^(?:[0-9a-f]{32}|[0-9a-f]{48})$/i.test(text)) add(key, bytesOfHex(text), 'hex-as-text');
    if (bytes.length === 16)
      add(key, concatBytes(bytes.subarray(8), bytes.subarray(0, 8)), 'key-halves');
    if (bytes.length === 24 || bytes.length === 32) add(key, bytes.slice(0, 16), 'key-halves');
    if (bytes.length === 32) add(key, bytes.slice(16), 'key-halves');
    if (bytes.length === 8) add(key, concatBytes(bytes, bytes), 'key-halves');
    const adjusted = oddParity(bytes);
    if (upperHexOf(adjusted) !== upperHexOf(bytes)) add(key, adjusted, 'key-parity');
    if (key.kind !== 'working')
      found.push({...inRole(key, 'bdk'), change: 'key-parity', adjustIk: true});
  }
  const halves = keys.filter(({bytes}) => bytes.length === 8);
  for (const left of halves) {
    for (const right of halves.filter((other) => other !== left)) {
      const source = `${left.source} and ${right.source}`;
      const madeOf = [left.source, right.source];
      add({...left, source}, concatBytes(left.bytes, right.bytes), 'key-halves', madeOf);
    }
  }
  return found;
}

/** The transaction keys of which one of the keys is a variant that is not encrypted with itself. */
export function transactionKeysOf(keys: readonly GivenKey[]): KeyCandidate[] {
  const masks = Object.values(VARIANT_MASKS).filter((mask) => mask !== VARIANT_MASKS.none);
  return keys
    .filter(({bytes}) => bytes.length === 16)
    .flatMap((key) =>
      masks.map((mask) => {
        const half = bytesOfHex(mask);
        const bytes = key.bytes.map((byte, i) => byte ^ half[i % half.length]!);
        return inRole(key, 'transaction', bytes, 'key-of-variant');
      }),
    );
}

/** Every key that differs in one hex digit, or by a transposition of two adjacent digits or bytes. */
export function* typos(key: GivenKey, roles: readonly KeyRole[]): Generator<KeyCandidate> {
  const hex = upperHexOf(key.bytes);
  const typed = (bytes: Uint8Array) =>
    roles.map((role) => inRole(key, role, bytes, 'key-mistyped'));
  for (const swapped of [...transposed(hex, 1), ...transposed(hex, 2)]) {
    yield* typed(bytesOfHex(swapped));
  }
  for (let digit = 0; digit < 2 * key.bytes.length; digit++) {
    for (let flip = 1; flip < 16; flip++) {
      const bytes = key.bytes.slice();
      bytes[digit >> 1]! ^= digit % 2 === 0 ? flip << 4 : flip;
      yield* typed(bytes);
    }
  }
}

/** The digits with two neighbours exchanged, each of `size` digits. */
function transposed(hex: string, size: number): string[] {
  const found: string[] = [];
  for (let at = 0; at + 2 * size <= hex.length; at += size) {
    const left = hex.slice(at, at + size);
    const right = hex.slice(at + size, at + 2 * size);
    if (left === right) continue;
    found.push(hex.slice(0, at) + right + left + hex.slice(at + 2 * size));
  }
  return found;
}

/** Every key of whole bytes that `digits`, with one digit missing or extra, may have been. */
export function* misCounted(
  key: GivenKey,
  digits: string,
  roles: readonly KeyRole[],
): Generator<KeyCandidate> {
  const isMissing = [31, 47].includes(digits.length);
  for (let at = 0; at <= digits.length; at++) {
    const fillers = isMissing ? [...'0123456789ABCDEF'] : [''];
    for (const filler of fillers) {
      const hex = digits.slice(0, at) + filler + digits.slice(isMissing ? at : at + 1);
      if (hex.length !== 32 && hex.length !== 48) continue;
      const bytes = bytesOfHex(hex);
      for (const role of roles) yield inRole(key, role, bytes, 'key-digit-count');
    }
  }
}

/** All 256 settings of the parity bits of the right half, which DUKPT uses as data. */
export function* parityVariants(key: GivenKey, role: KeyRole): Generator<KeyCandidate> {
  if (key.bytes.length !== 16) return;
  for (let set = 1; set < 256; set++) {
    const bytes = key.bytes.slice();
    for (let i = 0; i < 8; i++) bytes[8 + i]! ^= (set >> i) & 1;
    yield inRole(key, role, bytes, 'key-parity');
  }
}

/** Adjusts every byte to odd parity (FIPS 46-3). */
export function oddParity(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let bits = byte >> 1;
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    return (byte & 0xfe) | (~bits & 1);
  });
}
