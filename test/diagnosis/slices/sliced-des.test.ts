import {createDecipheriv, randomBytes} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {TDES_SETTINGS, WorkingKeys} from '../../../src/diagnosis/search/working-keys.js';
import {CIRCUITS} from '../../../src/diagnosis/slices/circuits.js';
import {LANES, slicedDes} from '../../../src/diagnosis/slices/sliced-des.js';
import {SlicedDukpt} from '../../../src/diagnosis/slices/sliced-dukpt.js';
import {S_BOXES} from '../../../src/engine/cipher/des-tables.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';
import {Draw} from '../draw.js';

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '-': (a, b) => a & ~b,
  '~': (a) => 1 - a,
};

function outputOf({gates, outputs}: (typeof CIRCUITS)[number], input: number): number {
  const values = [5, 4, 3, 2, 1, 0].map((bit) => (input >> bit) & 1);
  for (const {a, operator, b} of gates)
    values.push(OPERATORS[operator]?.(values[a] ?? NaN, values[b] ?? NaN) ?? NaN);
  return outputs.reduce((sum, output) => 2 * sum + (values[output] ?? NaN), 0);
}

describe('the circuits', () => {
  it('give all 512 entries of the S-boxes of FIPS 46-3', () => {
    const given = CIRCUITS.map((circuit) =>
      Array.from({length: 64}, (_, input) => outputOf(circuit, input)),
    );
    const entry = (box: readonly number[], input: number) =>
      box[16 * (((input >> 4) & 2) | (input & 1)) + ((input >> 1) & 15)];
    const expected = S_BOXES.map((box) => Array.from({length: 64}, (_, i) => entry(box, i)));
    expect(given).toEqual(expected);
    expect(given.flat()).toHaveLength(512);
  });
});

describe('128 keys at once', () => {
  const des = slicedDes();
  const draw = new Draw('sliced keys');

  it('have the first blocks that OpenSSL gives under the working keys of the scalar engine', () => {
    if (!des) throw new Error('no vectors in WebAssembly');
    const dukpt = new SlicedDukpt(des);
    let compared = 0;
    for (const role of ['bdk', 'ik', 'transaction'] as const) {
      const lanes = Array.from({length: LANES}, () => ({
        bytes: draw.bytes(16),
        ksn: parseKsn(draw.ksn()),
      }));
      const ciphertext = randomBytes(40);
      dukpt.load(lanes, role);
      for (const setting of TDES_SETTINGS) {
        dukpt.vary(setting.variant, setting.selfEncrypted);
        dukpt.decrypt(ciphertext);
        for (const [lane, {bytes, ksn}] of lanes.entries()) {
          const [working] = new WorkingKeys().of({bytes, role}, ksn, {settings: [setting]});
          const cipher = createDecipheriv('des-ede-ecb', working?.[1] ?? '', null);
          const plain = cipher.setAutoPadding(false).update(ciphertext.subarray(0, 16));
          const words = [0, 4, 8, 12].map((at) => plain.readInt32BE(at));
          expect([...dukpt.blocks.subarray(4 * lane, 4 * lane + 4)]).toEqual(words);
          compared++;
        }
      }
    }
    expect(compared).toBe(3 * 12 * LANES);
    dukpt.wipe();
    expect(dukpt.blocks.every((word) => word === 0)).toBe(true);
  });
});
