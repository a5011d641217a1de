import {PaylensError} from '../contract/paylens-error.js';
import {parseKsn} from '../engine/dukpt/ksn.js';

/** Bits of the counter, and most of them that a terminal sets (X9.24-1:2009, A.3; X9.24-3, 6.4). */
const COUNTERS = {tdes: {bits: 21, most: 10}, aes: {bits: 32, most: 16}} as const;

/**
 * The KSN of the next transaction of a device, in upper-case hex: values with too many set bits are
 * skipped, as terminals do. Throws 2400 when the counter is used up.
 */
export function nextKsn(ksn: string): string {
  const {hex, scheme, counter} = parseKsn(ksn, {anyCounter: true});
  const {bits, most} = COUNTERS[scheme];
  let next = counter + 1;
  while (bitCount(next) > most) next += lowestBit(next);
  if (next < 2 ** bits) return withCounter(hex, next);
  throw new PaylensError(2400, 'the transaction counter is used up', {
    hint: 'Such a device needs a new initial key: start again with a lower counter.',
  });
}

/**
 * `ksn` with another counter, in upper-case hex. Throws 2400 when no terminal sends that counter: 0,
 * too many bits set, or too long.
 */
export function withCounter(ksn: string, counter: number): string {
  const {hex, scheme} = parseKsn(ksn, {anyCounter: true});
  const {bits} = COUNTERS[scheme];
  if (!Number.isInteger(counter) || counter < 1 || counter >= 2 ** bits) {
    throw new PaylensError(2400, `expected a counter from 1 to ${2 ** bits - 1}`);
  }
  const initial = BigInt(`0x${hex}`) & ~((1n << BigInt(bits)) - 1n);
  const made = (initial | BigInt(counter)).toString(16).toUpperCase().padStart(hex.length, '0');
  return parseKsn(made).hex;
}

function bitCount(value: number): number {
  return value.toString(2).replaceAll('0', '').length;
}

// Not `value & -value`: an AES counter has 32 bits.
function lowestBit(value: number): number {
  return 2 ** (value.toString(2).length - 1 - value.toString(2).lastIndexOf('1'));
}
