import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {aesKcv, tdesKcv} from '../../engine/dukpt/kcv.js';
import {KeyRing, testKeys} from '../../engine/dukpt/key-ring.js';
import {RING_KEY_KINDS, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {asTdes} from '../../engine/dukpt/working-key.js';
import {bytesFromHex} from '../../platform/bytes.js';

/** Where keys come from: the published ones, and those that were typed. */
export interface KeyChoice {
  readonly testKeys: boolean;
  /** One key or several, separated by commas or semicolons. */
  readonly typed: string;
  /** The typed key is AES and serves KSNs of 10 bytes too. */
  readonly compatibility?: boolean;
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

/**
 * The rings in the order in which they are tried: typed keys as BDK, as initial key and as working key,
 * then the published ones. Throws 9015 for an unusable key.
 */
export function ringsOf({testKeys: published, typed, compatibility}: KeyChoice): NamedRing[] {
  const keys = typedKeys(typed);
  const named = keys.map((hex, i) => {
    const name = keys.length > 1 ? `key ${i + 1}` : 'Key';
    return {name, bytes: checkedBytes(hex, name)};
  });
  // The KSN cannot choose between two keys for all KSNs, so each has a ring of its own.
  const rings = RING_KEY_KINDS.flatMap((kind) =>
    named
      .filter(({bytes}) => kind === 'working' || bytes.length > 8)
      .map((key) => ({
        ring: ringOfOne(kind, key, compatibility),
        what: ROLES[kind],
        kind,
        isPublished: false,
      })),
  );
  if (!published) return rings;
  const ring = new KeyRing(testKeys());
  return [...rings, {ring, what: 'the published test BDK', kind: 'bdk', isPublished: true}];
}

const ROLES: Readonly<Record<RingKeyKind, string>> = {
  bdk: 'the typed BDK',
  ik: 'the typed initial key',
  working: 'the typed working key',
};

function ringOfOne(
  kind: RingKeyKind,
  {name, bytes}: {readonly name: string; readonly bytes: Uint8Array},
  compatibility = false,
): KeyRing {
  const prefix = kind === 'bdk' ? {} : {ksnPrefix: ''};
  const terms =
    compatibility && kind !== 'working' ? ({algorithm: 'aes', compatibility} as const) : {};
  return new KeyRing([{kind, name, secret: new Secret(bytes), ...prefix, ...terms}]);
}

function checkedBytes(text: string, name: string): Uint8Array {
  const bytes = keyFault(text) === undefined ? bytesFromHex(text) : undefined;
  if (bytes) return bytes;
  throw new PaylensError(9015, `${name}: ${keyFault(text)}`);
}

/** What is wrong with the digits of a key. */
function keyFault(text: string): string | undefined {
  const expected = 'expected 16, 32, 48 or 64 hex digits';
  if (!/^[\da-f]*$/i.test(text)) return `${expected}, found other characters`;
  return [16, 32, 48, 64].includes(text.length) ? undefined : `${expected}, found ${text.length}`;
}

/** What is said of a typed key while it is typed: its check value, or what is wrong with it. */
export function keyLine(text: string): {readonly ok: boolean; readonly text: string} {
  const fault = keyFault(text);
  const bytes = fault === undefined ? bytesFromHex(text) : undefined;
  if (!bytes) return {ok: false, text: fault ?? ''};
  const values = [
    ...(bytes.length < 32 ? [`TDES ${tdesKcv(asTdes(bytes))}`] : []),
    ...(bytes.length > 8 ? [`AES ${aesKcv(bytes)}`] : []),
  ];
  const length = bytes.length;
  bytes.fill(0);
  return {ok: true, text: `${length} bytes, check value ${values.join(', ')}`};
}
