import {describe, expect, it} from 'vitest';
import {readPattern} from '../../../src/diagnosis/plaintext/read-pattern.js';
import {encrypt} from '../../engine/terminal.js';
import {diagnoseJson} from '../diagnosing.js';
import {Draw} from '../draw.js';
import {chainOf} from './chain-of.js';

const KSN = 'FFFF9876543210E00021';
const KEYS = [{kind: 'bdk', hex: '0123456789ABCDEFFEDCBA9876543210'}] as const;
/** Sixteen hex digits without a pattern, from which units of any length are cut. */
const UNIT = '1a73c0f449d26881';

function digits(length: number, digitAt: (at: number) => number): string {
  return Array.from({length}, (_, at) => (digitAt(at) & 15).toString(16)).join('');
}

/** 24 bytes each. */
const PATTERNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({length: 14}, (_, i) => [
      `a unit of ${i + 3} digits`,
      UNIT.slice(0, i + 3)
        .repeat(16)
        .slice(0, 48),
    ]),
  ),
  'digits that count up': digits(48, (at) => at % 10),
  'digits that count down': digits(48, (at) => 9 - (at % 10)),
  'hex digits that count up': digits(48, (at) => at),
  'hex digits that count down': digits(48, (at) => 15 - at),
  'digits that count up and down': digits(48, (at) => (at % 18 < 9 ? at % 18 : 18 - (at % 18))),
  'hex digits that count up and down': digits(48, (at) => Math.abs(15 - (at % 30))),
};

describe('test data', () => {
  it.each(Object.entries(PATTERNS))('proves the key by %s', (_, hex) => {
    const draw = new Draw('patterns');
    const reading = readPattern(chainOf(draw, Buffer.from(hex, 'hex')));
    expect(reading?.bits).toBeGreaterThan(40 + 13);
    expect(Buffer.from(reading?.plain ?? []).toString('hex')).toBe(hex);
  });

  it('is found by the diagnosis', async () => {
    const plain = Buffer.from(PATTERNS['a unit of 13 digits'] ?? '', 'hex');
    const hex = encrypt(plain, {ksn: KSN}).toString('hex');
    const {solved} = await diagnoseJson({ciphertexts: [{hex}], ksn: KSN, keys: KEYS});
    expect(solved).toBe(true);
  });

  it('is not seen in random bytes, or in blocks that repeat', () => {
    const draw = new Draw('no patterns');
    const found = Array.from({length: 1000}, () => readPattern(chainOf(draw, draw.bytes(24))));
    expect(Math.max(0, ...found.map((one) => one?.bits ?? 0))).toBeLessThan(20);
  });
});
