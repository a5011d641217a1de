import {createCipheriv} from 'node:crypto';
import {toBytes, toWords} from '../engine/cipher/words.js';
import type {Ksn} from '../engine/dukpt/ksn.js';
import {prepareBdk, writeInitialKey} from '../engine/dukpt/tdes.js';
import {TdesTransactionKey} from '../engine/dukpt/tdes-transaction-key.js';
import type {Finding} from './finding.js';
import type {Found} from './found.js';
import {type GivenKey, oddParity} from './key-candidates.js';
import {neighbours} from './ksn-candidates.js';
import {attempt} from './open-card.js';
import {TDES_SETTINGS, workingWords} from './trial.js';

/**
 * Why keys that were given did not open what another key opened: a key of another read, a derived key
 * mistyped or with other parity, or one derived with the usual slips (hex digits taken as text,
 * padding inside).
 */
export function explainKeys(found: Found, keys: readonly GivenKey[]): Finding[] {
  const unused = keys.filter(
    ({origin, source, bytes}) =>
      origin === 'given' && bytes.length >= 16 && !found.key.source.includes(source),
  );
  if (unused.length === 0) return [];
  const known = knownKeys(found);
  return unused.map((key) => explain(key, known));
}

/** A key that follows from the one that was found, and what it says of a key that is like it. */
interface Known {
  readonly bytes: Uint8Array;
  readonly what: string;
  readonly finding: Finding['label'];
}

function explain({bytes, source}: GivenKey, known: readonly Known[]): Finding {
  const same = known.find((one) => isSame(one.bytes, bytes));
  if (same) return {label: same.finding, detail: `${source} is ${same.what}.`};
  const adjusted = known.find((one) => isSame(oddParity(one.bytes), oddParity(bytes)));
  if (adjusted) {
    return {label: 'key-parity', detail: `${source} is ${adjusted.what} with other parity bits.`};
  }
  const near = known.find((one) => nibblesApart(one.bytes, bytes) <= 2);
  if (near) return {label: 'key-mistyped', detail: `${source} is nearly ${near.what}.`};
  return {label: 'key-wrong', detail: `${source}.`};
}

function knownKeys(found: Found): Known[] {
  const {key, ksn, working} = found;
  const all: Known[] = [{bytes: working, what: 'the working key', finding: 'key-is-working-key'}];
  if (!ksn || ksn.ksn.scheme === 'aes' || key.bytes.length !== 16) return all;
  if (key.role !== 'bdk' && key.role !== 'ik') return all;
  all.push(...keysOfRead(key.bytes, key.role, ksn.ksn, ''));
  if (key.role === 'bdk') {
    all.push({bytes: key.bytes, what: 'the BDK itself', finding: 'key-is-bdk'});
    all.push(...slips(key.bytes, ksn.ksn));
  }
  for (const near of neighbours(ksn, REACH)) {
    const away = `${(near.distance ?? 0) > 0 ? '+' : ''}${near.distance}`;
    all.push(...keysOfRead(key.bytes, key.role, near.ksn, away));
  }
  return all;
}

const REACH = 16;

function keysOfRead(root: Uint8Array, role: 'bdk' | 'ik', ksn: Ksn, away: string): Known[] {
  const base = role === 'bdk' ? prepareBdk(root) : toWords(root);
  const words = toWords(new TdesTransactionKey(base, ksn).reveal());
  const of = away === '' ? '' : ` of another read (${away})`;
  const label = (own: Finding['label']) => (away === '' ? own : 'key-of-other-read');
  const all: Known[] = TDES_SETTINGS.map((setting) => {
    const into = new Int32Array(4);
    workingWords(into, words, setting);
    const what = `the ${setting.variant} key${setting.selfEncrypted ? ', self-encrypted,' : ''}${of}`;
    return {bytes: toBytes(into), what, finding: label('key-is-working-key')};
  });
  const transaction = {bytes: toBytes(words), what: `the transaction key${of}`};
  all.unshift({...transaction, finding: label('key-is-transaction-key')});
  if (away === '' && role === 'bdk') {
    const ik = new Int32Array(4);
    writeInitialKey(ik, prepareBdk(root), ksn);
    all.unshift({bytes: toBytes(ik), what: 'the initial key of the device', finding: 'key-is-ik'});
  }
  return all;
}

/** Initial and transaction keys as programs derive them that take digits for text, or pad. */
function slips(bdk: Uint8Array, ksn: Ksn): Known[] {
  const digits = Buffer.from(bdk).toString('hex');
  const serial = Buffer.from(ksn.initial.slice(0, 16), 'hex');
  const texts = [digits.toUpperCase(), digits.toLowerCase()].map((text) => Buffer.from(text));
  const serials = [ksn.initial, ksn.hex].flatMap((hex) => [hex, hex.toLowerCase()]);
  const keys = texts.flatMap((text) => [
    text.subarray(0, 16),
    text.subarray(0, 24),
    text.subarray(16),
  ]);
  const blocks = serials.map((hex) => Buffer.from(hex.slice(0, 8)));
  const text: Known[] = [
    ...keys.flatMap((key) => initialKeys(key, serial)),
    ...blocks.flatMap((block) => initialKeys(Buffer.from(bdk), block)),
    ...keys.flatMap((key) => blocks.flatMap((block) => initialKeys(key, block))),
  ].map((bytes) => ({
    bytes,
    what: 'an initial key for which hex digits were taken as text',
    finding: 'hex-as-text',
  }));
  const padded: Known[] = paddedKeys(Buffer.from(bdk), serial).map((bytes) => ({
    bytes,
    what: 'an initial key with padding inside',
    finding: 'padding-in-derivation',
  }));
  return [...text, ...padded];
}

const MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000C0C0C0C000000000', 'hex');

function initialKeys(key: Buffer, serial: Buffer): Uint8Array[] {
  const masked = Buffer.from(key.map((byte, i) => byte ^ (MASK[i] ?? 0)));
  const left = attempt(() => tdes(key, serial, false));
  const right = attempt(() => tdes(masked, serial, false));
  return left && right ? [new Uint8Array(Buffer.concat([left, right]))] : [];
}

/** With PKCS#7 every encryption of 8 bytes gives 16: programs keep all, or the first 16 bytes. */
function paddedKeys(key: Buffer, serial: Buffer): Uint8Array[] {
  const masked = Buffer.from(key.map((byte, i) => byte ^ (MASK[i] ?? 0)));
  const left = tdes(key, serial, true);
  const right = tdes(masked, serial, true);
  const whole = Buffer.concat([left, right]);
  return [whole, whole.subarray(0, 16), whole.subarray(0, 24), Buffer.concat([left, left])].map(
    (bytes) => new Uint8Array(bytes),
  );
}

function tdes(key: Buffer, data: Buffer, padding: boolean): Buffer {
  const whole = key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  const cipher = createCipheriv('des-ede3', whole, null).setAutoPadding(padding);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function nibblesApart(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let apart = 0;
  for (let i = 0; i < a.length; i++) {
    const diff = (a[i] ?? 0) ^ (b[i] ?? 0);
    apart += (diff >> 4 ? 1 : 0) + (diff & 15 ? 1 : 0);
  }
  return apart;
}
