import {PaylensError} from '../../contract/paylens-error.js';
import type {KeyKind} from './key-entry.js';

/** Cleared in an initial KSN: the 21 counter bits of 10 bytes, the 32 counter bits of 12 bytes. */
const COUNTER_BITS: Readonly<Record<number, bigint>> = {20: 0x1fffffn, 24: 0xffffffffn};

/**
 * Checks the KSN prefix that a key is registered for and gives it in upper case, an initial KSN
 * (20 digits TDES, 24 AES) with its counter bits cleared. Blanks are dropped.
 *
 * A bdk takes 2 to 16 hex digits or none (it then serves every KSN); an ik takes 14 to 16 digits or
 * its initial KSN; a kbpk takes none. Throws 9015.
 */
export function normaliseKsnPrefix(
  kind: KeyKind,
  prefix: string | undefined,
  where: string,
): string | undefined {
  const digits = prefix?.replace(/\s/g, '').toUpperCase();
  const expected = unmet(kind, digits);
  if (expected !== undefined) {
    const found = digits === undefined ? 'none' : `${digits.length} characters`;
    throw new PaylensError(9015, `${where}: ksnPrefix: expected ${expected}, found ${found}`);
  }
  return digits === undefined ? undefined : clearCounter(digits);
}

function unmet(kind: KeyKind, digits: string | undefined): string | undefined {
  if (kind === 'kbpk') return digits === undefined ? undefined : 'none for a kbpk';
  if (kind === 'bdk') {
    const fits = digits === undefined || /^[0-9A-F]{2,16}$/.test(digits);
    return fits ? undefined : '2 to 16 hex digits for a bdk';
  }
  const fits = /^(?:[0-9A-F]{14,16}|[0-9A-F]{20}|[0-9A-F]{24})$/.test(digits ?? '');
  return fits ? undefined : '14 to 16 hex digits or the initial KSN (20 or 24) for an ik';
}

function clearCounter(digits: string): string {
  const counterBits = COUNTER_BITS[digits.length];
  if (counterBits === undefined) return digits;
  const cleared = BigInt(`0x${digits}`) & ~counterBits;
  return cleared.toString(16).toUpperCase().padStart(digits.length, '0');
}
