import {describe, expect, it} from 'vitest';
import {readExpected} from '../../../src/diagnosis/plaintext/read-expected.js';
import {Draw} from '../draw.js';
import {chainOf, ZERO} from './chain-of.js';

const draw = new Draw('read expected');

describe('an expected beginning', () => {
  it.each(['cbc', 'ecb'] as const)('proves %s by its digits', (mode) => {
    const plain = draw.bytes(40);
    const chain = chainOf(draw, plain, {mode});
    const hex = plain.subarray(0, 12).toString('hex');
    const reading = readExpected(chain, [hex]);
    // Three ways were tried: CBC under one IV, ECB, the first block as IV.
    expect(reading).toMatchObject({mode, bits: 24 * 4 - Math.log2(3)});
    expect(reading?.openings[0]?.facts).toContainEqual(
      expect.objectContaining({kind: 'expected', bits: 24 * 4 - Math.log2(3)}),
    );
    expect(Buffer.from(reading?.plain ?? [])).toEqual(plain);
  });

  it('proves that the first block is the IV', () => {
    const [plain, iv] = [draw.bytes(40), draw.bytes(8)];
    const {ciphertext, blocks, ...rest} = chainOf(draw, plain, {iv});
    const chain = {
      ...rest,
      ciphertext: Uint8Array.from([...iv, ...ciphertext]),
      blocks: Uint8Array.from([...draw.bytes(8), ...blocks]),
    };
    const reading = readExpected(chain, [plain.toString('hex').slice(0, 30)]);
    expect(reading?.iv).toEqual({bytes: new Uint8Array(iv), source: 'prepended'});
    expect(Buffer.from(reading?.plain ?? [])).toEqual(plain);
  });

  it('tells the IV when it goes beyond the first block', () => {
    const [plain, iv] = [draw.bytes(40), draw.bytes(8)];
    const chain = chainOf(draw, plain, {iv});
    const reading = readExpected(chain, [plain.subarray(0, 16).toString('hex')]);
    expect(reading).toMatchObject({iv: {source: 'computed'}, bits: 16 * 4 - 2});
    expect(Buffer.from(reading?.iv?.bytes ?? [])).toEqual(iv);
    expect(Buffer.from(reading?.plain ?? [])).toEqual(plain);
    expect(readExpected(chain, [plain.subarray(0, 8).toString('hex')])).toBeUndefined();
  });

  it('is what the user knows: one of several, under one of several IVs', () => {
    const [plain, iv] = [draw.bytes(24), draw.bytes(8)];
    const ivs = [ZERO, {bytes: iv, source: 'given'} as const];
    const chain = chainOf(draw, plain, {iv, ivs});
    const reading = readExpected(chain, [draw.hex(8).toLowerCase(), plain.toString('hex')]);
    expect(reading?.iv?.bytes).toBe(iv);
    expect(reading?.bits).toBe(24 * 2 * 4 - Math.log2(4 * 2));
  });

  it('is the longer of two that fit', () => {
    const plain = draw.bytes(24);
    const [short, long] = [8, 20].map((bytes) => plain.subarray(0, bytes).toString('hex'));
    for (const expected of [
      [short, long],
      [long, short],
    ]) {
      const reading = readExpected(chainOf(draw, plain), expected as string[]);
      expect(reading?.bits).toBe(20 * 2 * 4 - Math.log2(3 * 2));
    }
  });

  it('is nothing when it is not there, or none is given', () => {
    const chain = chainOf(draw, draw.bytes(40));
    expect(readExpected(chain, [])).toBeUndefined();
    expect(readExpected(chain, [draw.hex(4).toLowerCase()])).toBeUndefined();
  });

  it('shows text as text, and nothing of other bytes', () => {
    const text = readExpected(chainOf(draw, 'hello, terminal'), [
      Buffer.from('hello').toString('hex'),
    ]);
    expect(text?.openings[0]?.text).toBe('hello, terminal');
    const plain = Buffer.concat([Buffer.from('hello'), Buffer.from([0x80, 1, 2])]);
    const other = readExpected(chainOf(draw, plain), [Buffer.from('hello').toString('hex')]);
    expect(other?.openings[0]).toMatchObject({text: '', packing: 'data'});
  });
});
