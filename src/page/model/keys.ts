import {PaylensError} from '../../contract/paylens-error.js';
import {aesKcv, tdesKcv} from '../../engine/dukpt/kcv.js';
import {KeyRing, testKeys} from '../../engine/dukpt/key-ring.js';
import {ringOf} from '../../library/keys.js';
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
 * The rings in the order in which they are tried: typed keys as BDK, then as initial key, then the
 * published ones. Throws 9015 for an unusable key.
 */
export function ringsOf({testKeys: published, typed, compatibility}: KeyChoice): NamedRing[] {
  const keys = typedKeys(typed);
  const terms = compatibility ? ({algorithm: 'aes', compatibility} as const) : {};
  const named = keys.map((hex, i) => {
    const name = keys.length > 1 ? `key ${i + 1}` : 'Key';
    return {name, hex: checkedHex(hex, name)};
  });
  // The KSN cannot choose between two keys for all KSNs, so each has a ring of its own.
  const rings = [
    ...named.map(({name, hex}) => ({
      ring: ringOf({keys: {bdk: hex, name, ...terms}}),
      what: 'the typed BDK',
    })),
    ...named.map(({name, hex}) => ({
      ring: ringOf({keys: {ik: hex, name, ...terms}}),
      what: 'the typed initial key',
    })),
  ];
  if (!published) return rings;
  return [...rings, {ring: new KeyRing(testKeys()), what: 'the published test BDK'}];
}

function checkedHex(text: string, name: string): string {
  const fault = keyFault(text);
  if (fault === undefined) return text;
  throw new PaylensError(9015, `${name}: ${fault}`);
}

/** What is wrong with the digits of a key. */
function keyFault(text: string): string | undefined {
  const expected = 'expected 32, 48 or 64 hex digits';
  if (!/^[\da-f]*$/i.test(text)) return `${expected}, found other characters`;
  return [32, 48, 64].includes(text.length) ? undefined : `${expected}, found ${text.length}`;
}

/** What is said of a typed key while it is typed: its check value, or what is wrong with it. */
export function keyLine(text: string): {readonly ok: boolean; readonly text: string} {
  const fault = keyFault(text);
  const bytes = fault === undefined ? bytesFromHex(text) : undefined;
  if (!bytes) return {ok: false, text: fault ?? ''};
  if (bytes.length > 16) {
    return {ok: true, text: `AES, ${bytes.length} bytes, check value ${aesKcv(bytes)}`};
  }
  const both = `TDES ${tdesKcv(bytes)}, AES ${aesKcv(bytes)}`;
  bytes.fill(0);
  return {ok: true, text: `16 bytes, check value ${both}`};
}
