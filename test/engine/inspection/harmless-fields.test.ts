import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../../src/contract/device-types.js';
import {inspectPayload} from '../../../src/engine/inspection/inspect-payload.js';
import {tlv} from '../terminal.js';

const CIPHERTEXT = 'C25C1D1197D31CAA87285D59A892047426D9182EC11353C0';

/** Digits that satisfy Luhn, as a card number does. */
function lucky(length: number, seed: number): string {
  const body = String(BigInt(7 * seed + 4) ** 9n)
    .padEnd(length, '5273194')
    .slice(0, length - 1);
  const sum = [...body].reverse().reduce((total, digit, i) => {
    const one = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (one > 9 ? one - 9 : one);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

const member = (name: string) => (value: string) =>
  JSON.stringify({ksn: 'FFFF9876543210E00001', track2: CIPHERTEXT, [name]: value});
const tag = (name: string) => (value: string) =>
  Buffer.concat([
    tlv('DFAE02', CIPHERTEXT),
    tlv('DFAE03', 'FFFF9876543210E00001'),
    tlv(name, value),
  ])
    .toString('hex')
    .toUpperCase();

/** Where a value stands, and how long ones there are. */
const PLACES: readonly [string, DeviceType, readonly string[], (value: string) => string][] = [
  ['ksn of generic', 'generic', values((i) => `FFFF${lucky(16, i)}`), member('ksn')],
  ['ksn of AES', 'generic', values((i) => lucky(24, i)), member('ksn')],
  ['serial of generic', 'generic', values((i) => lucky(12 + (i % 8), i)), member('serial')],
  [
    'serialNumber of wisepad',
    'wisepad',
    values((i) => lucky(12 + (i % 8), i)),
    member('serialNumber'),
  ],
  [
    'ksn of miura',
    'miura',
    values((i) => `FFFF${lucky(16, i)}`),
    (ksn) =>
      Buffer.concat([tlv('DFAE02', CIPHERTEXT), tlv('DFAE03', ksn)])
        .toString('hex')
        .toUpperCase(),
  ],
  ['amount', 'miura', values((i) => lucky(12, i)), tag('9F02')],
  ['other amount', 'miura', values((i) => lucky(12, i)), tag('9F03')],
];

function values(make: (i: number) => string): readonly string[] {
  return Array.from({length: 100}, (_, i) => make(i));
}

describe('a number that satisfies Luhn, in a field that holds no card data', () => {
  it.each(PLACES)('stays in %s', (_, deviceType, all, payloadOf) => {
    expect(all).toHaveLength(100);
    for (const value of all) {
      const {parts} = inspectPayload({deviceType, devicePayload: payloadOf(value)}, false);
      expect(parts.map((part) => part.value)).toContain(value);
    }
  });
});

describe('a KSN that was given beside the payload', () => {
  const shown = (ksn: string) =>
    inspectPayload({deviceType: 'wisepad', devicePayload: CIPHERTEXT, ksn}, false).encrypted[0]
      ?.ksn;

  it.each([
    ['4761739001010010', '476173******0010'],
    ['4761 7390 0101 0010', '4761 73** **** 0010'],
    ['34373631373339303031303130303130', '343736313733************30303130'],
  ])('is masked if it is a card number: %s', (ksn, masked) => {
    expect(shown(ksn)).toBe(masked);
  });

  it.each([
    'FFFF9876543210E00001',
    '9876543210E00001',
    'FFFF4761739001010010',
    '62994901190000000003',
  ])('stays: %s', (ksn) => {
    expect(shown(ksn)).toBe(ksn);
  });
});
