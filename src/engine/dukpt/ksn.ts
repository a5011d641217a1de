import {PaylensError} from '../../contract/paylens-error.js';
import {hexByteAt, isHex} from '../../platform/bytes.js';
import type {Algorithm} from '../cipher/block-cipher.js';
import {bitCount, counterAfter, counterFault, lastCounter, mostBits} from './ksn-counter.js';

/** A key serial number: identifies a device and one of its transactions. */
export interface Ksn {
  /** Upper case, 20 digits (TDES) or 24 (AES). */
  readonly hex: string;
  /** The first eight bytes as two big-endian words. */
  readonly left: number;
  readonly right: number;
  readonly scheme: Algorithm;
  /** The transaction counter: the low 21 bits (TDES) or 32 bits (AES). */
  readonly counter: number;
  /** `hex` with the counter bits cleared: the device's initial KSN. */
  readonly initial: string;
}

interface KsnOptions {
  /** Accepts counters that no conforming terminal sends (0, too many set bits). */
  readonly anyCounter?: boolean;
}

/**
 * Parses a KSN in hex of any case, ignoring spaces. 20 digits are TDES DUKPT, 24 AES DUKPT; 16 or
 * 18 digits are padded on the left with the FF bytes that the sender omitted. Throws 2400 for any
 * other form and for counters that no conforming terminal sends (docs/terminals/common.md#ksn).
 */
export function parseKsn(text: string, options: KsnOptions = {}): Ksn {
  const ksn = new ParsedKsn(padKsn(text));
  if (!options.anyCounter) checkCounter(ksn.counter, ksn.scheme);
  return ksn;
}

/** Computes members on demand: a key is derived in microseconds, so unused members would cost. */
class ParsedKsn implements Ksn {
  readonly hex: string;
  readonly scheme: Algorithm;
  readonly counter: number;
  readonly left: number;
  readonly right: number;
  #initial: string | undefined;

  constructor(hex: string) {
    this.hex = hex;
    this.scheme = schemeOf(hex);
    this.left = wordAt(hex, 0);
    this.right = wordAt(hex, 8);
    this.counter = this.scheme === 'aes' ? wordAt(hex, 16) >>> 0 : wordAt(hex, 12) & 0x1fffff;
  }

  get initial(): string {
    this.#initial ??= clearCounter(this.hex, this.scheme);
    return this.#initial;
  }
}

/** The word in the eight digits at `at`. */
function wordAt(hex: string, at: number): number {
  const high = (hexByteAt(hex, at) << 8) | hexByteAt(hex, at + 2);
  return (high << 16) | (hexByteAt(hex, at + 4) << 8) | hexByteAt(hex, at + 6);
}

/** The scheme of a complete KSN in hex: 24 digits are AES DUKPT. */
export function schemeOf(hex: string): Algorithm {
  return hex.length === 24 ? 'aes' : 'tdes';
}

/** The key set ID of a KSN: its first ten hex digits. */
export function keySetId(ksn: Ksn): string {
  return ksn.hex.slice(0, 10);
}

/** The second word of the part of a KSN that identifies the device; the first is the left word. */
export function deviceWord({right, scheme}: Ksn): number {
  return scheme === 'aes' ? right : right & ~0x1f;
}

/**
 * Clears the counter bits of a KSN or of its beginning, in upper-case hex. The counter begins at
 * the last bit of digit 15, in an AES KSN at digit 17.
 */
export function clearCounter(hex: string, scheme: Algorithm): string {
  if (hex.length === 24) return `${hex.slice(0, 16)}00000000`;
  if (scheme === 'aes' || hex.length < 15) return hex;
  const even = upperHex(digitAt(hex, 14) & ~1, 1);
  return (hex.slice(0, 14) + even).padEnd(hex.length, '0');
}

/**
 * The KSN of a device's next transaction, in upper-case hex: counters with too many bits set are
 * skipped, as terminals do. Throws 2400 if the counter is exhausted.
 */
export function nextKsn(text: string): string {
  const ksn = parseKsn(text, {anyCounter: true});
  const next = counterAfter(ksn.counter, ksn.scheme);
  if (next <= lastCounter(ksn.scheme)) return hexAt(ksn, next);
  throw new PaylensError(2400, 'the transaction counter is exhausted', {
    hint: 'Such a device needs a new initial key. Start again with a lower counter.',
  });
}

/**
 * A KSN with another counter, in upper-case hex. Throws 2400 if no terminal sends that counter: 0,
 * too many bits set, or too large.
 */
export function withCounter(text: string, counter: number): string {
  const ksn = parseKsn(text, {anyCounter: true});
  const last = lastCounter(ksn.scheme);
  if (!Number.isInteger(counter) || counter < 1 || counter > last) {
    throw new PaylensError(2400, `expected a counter from 1 to ${last}`);
  }
  checkCounter(counter, ksn.scheme);
  return hexAt(ksn, counter);
}

/** The KSN of the same device at another counter, even one that no terminal sends. */
export function ksnAt(ksn: Ksn, counter: number): Ksn | undefined {
  if (counter < 0 || counter > lastCounter(ksn.scheme)) return undefined;
  return parseKsn(hexAt(ksn, counter), {anyCounter: true});
}

function hexAt({initial, scheme}: Ksn, counter: number): string {
  if (scheme === 'aes') return initial.slice(0, 16) + upperHex(counter, 8);
  // The highest bit of the counter is the lowest bit of digit 15.
  return initial.slice(0, 14) + upperHex(digitAt(initial, 14) * 2 ** 20 + counter, 6);
}

function upperHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** Pads a KSN to 20 or 24 upper-case digits. */
function padKsn(text: string): string {
  const upper = text.toUpperCase();
  if ((upper.length === 20 || upper.length === 24) && isHex(upper)) return upper;
  const hex = upper.replace(/\s/g, '');
  const stray = /[^0-9A-F]/.exec(hex);
  if (stray) throw refusal(`a non-hex character at digit ${stray.index + 1}`);
  if (hex.length === 20 || hex.length === 24) return hex;
  if (hex.length === 16 || hex.length === 18) return hex.padStart(20, 'F');
  if (hex.length === 14) {
    throw refusal('14: a serial number without a counter, which indicates fixed-key firmware');
  }
  throw refusal(`${hex.length}`);
}

function digitAt(hex: string, at: number): number {
  return Number.parseInt(hex.charAt(at), 16);
}

function refusal(found: string): PaylensError {
  return new PaylensError(
    2400,
    `expected a KSN of 20 hex digits (16 or 18 without the leading FF; 24 for AES), found ${found}`,
  );
}

function checkCounter(counter: number, scheme: Algorithm): void {
  const fault = counterFault(counter, scheme);
  if (fault === undefined) return;
  if (fault === 'zero') {
    throw new PaylensError(
      2400,
      'expected a transaction counter of 1 or more, found 0: this is the initial KSN of a device',
    );
  }
  const detail = `expected at most ${mostBits(scheme)} set bits in the counter, found ${bitCount(counter)}`;
  throw new PaylensError(2400, `${detail}: no conforming terminal sends this KSN`);
}

/** The KSN of a transaction; undefined for any other, such as that of a reader without a MAC key. */
export function transactionKsn(ksn: string): Ksn | undefined {
  try {
    return parseKsn(ksn);
  } catch {
    return undefined;
  }
}
