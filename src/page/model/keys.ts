import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {aesKcv, tdesKcv} from '../../engine/dukpt/kcv.js';
import {KeyRing, testKeys} from '../../engine/dukpt/key-ring.js';
import {type Ksn, keySetId, parseKsn} from '../../engine/dukpt/ksn.js';
import {RING_KEY_KINDS, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {asTdes} from '../../engine/dukpt/working-key.js';
import {bytesFromHex, bytesOfHex} from '../../platform/bytes.js';
import {unlessThrown} from '../../platform/unless-thrown.js';

/** Where keys come from: the published ones, and those that were typed. */
export interface KeyChoice {
  readonly testKeys: boolean;
  /** One key or several, separated by commas or semicolons. */
  readonly typed: string;
  /** What the typed keys are; absent: each role is tried. */
  readonly role?: RingKeyKind | undefined;
  /** The typed key is AES and serves KSNs of 10 bytes too. */
  readonly compatibility?: boolean | undefined;
}

/** A ring to try, and what its keys are in words. */
export interface NamedRing {
  readonly ring: KeyRing;
  readonly what: string;
  readonly kind: RingKeyKind;
  readonly isPublished: boolean;
}

/** The typed keys one by one, without the blanks in them. */
export function typedKeys(typed: string): string[] {
  return typed
    .split(/[,;]/)
    .map((key) => key.replaceAll(/\s/g, ''))
    .filter((key) => key !== '');
}

export function hasKeys({testKeys: published, typed}: KeyChoice): boolean {
  return published || typedKeys(typed).length > 0;
}

/** Whether every typed key has a length that keys have. */
export function areWhole({typed}: KeyChoice): boolean {
  return typedKeys(typed).every((key) => keyFault(key) === undefined);
}

/**
 * The rings in the order in which they are tried: typed keys as BDK, as initial key and as working key,
 * several of them each for one of the `ksns`, then the published ones. Throws 9015 for an unusable key.
 */
export function ringsOf(
  {testKeys: published, typed, role, compatibility}: KeyChoice,
  ksns: readonly string[] = [],
): NamedRing[] {
  const keys = typedKeys(typed);
  const named = keys.map((hex, i) => {
    const name = keys.length > 1 ? `key ${i + 1}` : 'Key';
    const fault = keyFault(hex);
    if (fault !== undefined) throw new PaylensError(9015, `${name}: ${fault}`);
    return {name, bytes: bytesOfHex(hex)};
  });
  // The KSN cannot choose between two keys for all KSNs, so each gets a separate ring.
  const single = RING_KEY_KINDS.flatMap((kind) =>
    named
      .filter(({bytes}) => kind === 'working' || bytes.length > 8)
      .map((key) => ringOf(kind, [key], compatibility)),
  );
  const all = [...single, ...sharedRings(named, ksns, compatibility)];
  const rings = all.filter(({kind}) => role === undefined || kind === role);
  if (!published) return rings;
  const ring = new KeyRing(testKeys());
  return [...rings, {ring, what: 'the published test BDK', kind: 'bdk', isPublished: true}];
}

interface NamedKey {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The KSNs that it serves; absent: all. */
  readonly prefix?: string;
}

/** More keys or key sets would make too many pairs. */
const MAX_SHARED_KEYS = 4;

/** Every way in which several keys share the key sets of a payload: one key for each. */
function sharedRings(
  named: readonly NamedKey[],
  ksns: readonly string[],
  compatibility: boolean | undefined,
): NamedRing[] {
  const known = ksns.flatMap((hex) => ksnOf(hex) ?? []);
  const sets = [...new Set(known.map(keySetId))];
  const long = named.filter(({bytes}) => bytes.length > 8);
  const isFew = sets.length <= MAX_SHARED_KEYS && long.length <= MAX_SHARED_KEYS;
  if (sets.length < 2 || long.length < 2 || !isFew) return [];
  const devices = [...new Set(known.map(({initial}) => initial))];
  return [
    ...assignments(long, sets).map((keys) => ringOf('bdk', keys, compatibility)),
    ...(devices.length > MAX_SHARED_KEYS ? [] : assignments(long, devices)).map((keys) =>
      ringOf('ik', keys, compatibility),
    ),
  ];
}

/** Every choice of a key for each prefix, except one key for all. */
function assignments(keys: readonly NamedKey[], prefixes: readonly string[]): NamedKey[][] {
  const all = prefixes.reduce<NamedKey[][]>(
    (made, prefix) => made.flatMap((one) => keys.map((key) => [...one, {...key, prefix}])),
    [[]],
  );
  return all.filter((chosen) => new Set(chosen.map(({name}) => name)).size > 1);
}

/** A KSN with any counter; undefined for other text. */
export function ksnOf(hex: string): Ksn | undefined {
  return unlessThrown(() => parseKsn(hex, {anyCounter: true}));
}

export const ROLES: Readonly<Record<RingKeyKind, string>> = {
  bdk: 'BDK',
  ik: 'initial key',
  working: 'working key',
};

function ringOf(kind: RingKeyKind, keys: readonly NamedKey[], compatibility = false): NamedRing {
  const terms =
    compatibility && kind !== 'working' ? ({algorithm: 'aes', compatibility} as const) : {};
  const ring = new KeyRing(
    keys.map(({name, bytes, prefix = kind === 'bdk' ? undefined : ''}) => ({
      ...{kind, name, secret: new Secret(bytes)},
      ...(prefix === undefined ? {} : {ksnPrefix: prefix}),
      ...terms,
    })),
  );
  const what = keys.length > 1 ? `${keys.length} typed keys` : `the typed ${ROLES[kind]}`;
  return {ring, what, kind, isPublished: false};
}

/** What is wrong with the digits of a key. */
function keyFault(text: string): string | undefined {
  const expected = 'expected 16, 32, 48 or 64 hex digits';
  if (!/^[\da-f]*$/i.test(text)) return `${expected}, found other characters`;
  return [16, 32, 48, 64].includes(text.length) ? undefined : `${expected}, found ${text.length}`;
}

/** The line below a key while it is typed: its check values, or what is wrong with it. */
export function keyLine(text: string): {readonly ok: boolean; readonly text: string} {
  const fault = keyFault(text);
  if (fault !== undefined) return {ok: false, text: fault};
  const values = checkValues(text).map(([cipher, value]) => `${cipher} ${value}`);
  return {ok: true, text: `${text.length / 2} bytes, check value ${values.join(', ')}`};
}

/** The check values of a key under every cipher that takes its length. */
function checkValues(text: string): (readonly [cipher: string, value: string])[] {
  const bytes = bytesFromHex(text) ?? new Uint8Array();
  const values = [
    ...(bytes.length < 32 ? [['TDES', tdesKcv(asTdes(bytes))] as const] : []),
    ...(bytes.length > 8 ? [['AES', aesKcv(bytes)] as const] : []),
  ];
  bytes.fill(0);
  return values;
}

/** Which keys a read has, without their bytes: their check values and their role. */
export function keysInWords({testKeys: published, typed, role}: KeyChoice): string {
  const keys = typedKeys(typed);
  if (keys.length === 0) return published ? 'the published test keys' : 'none';
  const values = keys.map((key) => keyFault(key) ?? checkValues(key)[0]?.[1]);
  return [...values, role ? ROLES[role] : 'any role'].join(', ');
}
