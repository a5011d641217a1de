import {PaylensError} from '../../contract/paylens-error.js';
import type {Algorithm} from '../reading.js';

/** A key serial number: which device, and which of its transactions. */
export interface Ksn {
  /** Upper case, 20 digits (TDES) or 24 (AES). */
  readonly hex: string;
  readonly bytes: Uint8Array;
  readonly scheme: Algorithm;
  /** The transaction counter: the low 21 bits (TDES) or 32 bits (AES). */
  readonly counter: number;
  /** `hex` with the counter cleared: the initial KSN of the device. */
  readonly initial: string;
}

interface Options {
  /** Accepts counters that no conforming terminal sends (0, too many set bits). */
  readonly anyCounter?: boolean;
}

/** Most bits that a terminal sets in its counter (X9.24-1:2009, A.3; X9.24-3:2017, 6.4). */
const MOST_BITS = {tdes: 10, aes: 16} as const;

/**
 * Reads a KSN in hex of any case; blanks are dropped. 20 digits are TDES DUKPT, 24 AES DUKPT; to
 * 16 or 18 digits the FF bytes that the sender left out are put in front. Any other form, and a
 * counter that no conforming terminal sends: 2400.
 */
export function parseKsn(text: string, options: Options = {}): Ksn {
  const hex = normalise(text);
  const scheme = hex.length === 24 ? 'aes' : 'tdes';
  const counter = scheme === 'aes' ? aesCounter(hex) : tdesCounter(hex);
  if (!options.anyCounter) checkCounter(counter, scheme);
  return {hex, bytes: toBytes(hex), scheme, counter, initial: clearCounter(hex)};
}

/** The name of the key set that a KSN belongs to: its first ten hex digits. */
export function keySetId(ksn: Ksn): string {
  return ksn.hex.slice(0, 10);
}

/**
 * Clears the counter bits of a whole KSN (20 or 24 digits), or of the beginning of a TDES one:
 * the counter begins with the last bit of digit 15, in an AES one with digit 17.
 */
export function clearCounter(hex: string, scheme = hex.length === 24 ? 'aes' : 'tdes'): string {
  if (scheme === 'aes') return hex.slice(0, 16) + '0'.repeat(Math.max(0, hex.length - 16));
  if (hex.length < 15) return hex;
  const digit = (Number.parseInt(hex[14] ?? '', 16) & 0xe).toString(16).toUpperCase();
  return hex.slice(0, 14) + digit + '0'.repeat(hex.length - 15);
}

function normalise(text: string): string {
  if (/^[0-9A-F]{20}$/.test(text)) return text;
  const hex = text.replace(/\s/g, '').toUpperCase();
  const stray = /[^0-9A-F]/.exec(hex);
  if (stray) throw refusal(`found a character that is no hex digit at digit ${stray.index + 1}`);
  if (hex.length === 20 || hex.length === 24) return hex;
  if (hex.length === 16 || hex.length === 18) return hex.padStart(20, 'F');
  if (hex.length === 14) {
    throw refusal('found 14: a bare serial number, which marks a build with a fixed key');
  }
  throw refusal(`found ${hex.length}`);
}

function refusal(found: string): PaylensError {
  return new PaylensError(
    2400,
    `expected a KSN of 20 hex digits (16 or 18 without the leading FF; 24 for AES), ${found}`,
  );
}

function tdesCounter(hex: string): number {
  return Number.parseInt(hex.slice(14), 16) & 0x1fffff;
}

function aesCounter(hex: string): number {
  return Number.parseInt(hex.slice(16), 16);
}

function checkCounter(counter: number, scheme: Algorithm): void {
  if (counter === 0) {
    throw new PaylensError(
      2400,
      'expected a transaction counter of 1 or more, found 0: this is the initial KSN of a device',
    );
  }
  const bits = bitCount(counter);
  if (bits <= MOST_BITS[scheme]) return;
  const detail = `expected at most ${MOST_BITS[scheme]} set bits in the counter, found ${bits}`;
  throw new PaylensError(2400, `${detail}: no conforming terminal sends this KSN`);
}

function bitCount(counter: number): number {
  let bits = 0;
  for (let rest = counter; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

function toBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  }
  return bytes;
}
