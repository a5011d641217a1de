import {describe, expect, it} from 'vitest';
import {
  packNibbles,
  packSixBit,
  unpackNibbles,
  unpackSixBit,
} from '../../../src/engine/card/packed.js';

/** Published plaintexts of BBPOS readers and the tracks that were printed beside them. */
const NIBBLES = [
  {
    source: 'https://github.com/icorso/wn_api (constants.py)',
    hex: 'b4444333322221111d221010114991888f',
    text: ';4444333322221111=221010114991888?',
  },
  {
    source: 'https://github.com/payroc/payroc-sdk-dotnet (PayLoadFactory.cs), with its LRC',
    hex: 'b6510000000000216d19122011000074900000fd',
    text: ';6510000000000216=19122011000074900000?=',
  },
];

describe('4-bit characters', () => {
  for (const {source, hex, text} of NIBBLES) {
    it(`unpack as ${source} prints them`, () => {
      expect(unpackNibbles(Buffer.from(hex, 'hex'))).toBe(text);
    });

    it(`pack as ${source} sends them`, () => {
      expect(Buffer.from(packNibbles(text)).toString('hex')).toBe(hex);
    });
  }

  it('fill an odd last byte with a zero nibble', () => {
    expect([...packNibbles(';1?')]).toEqual([0xb1, 0xf0]);
  });
});

describe('6-bit characters', () => {
  it('stand most significant bit first', () => {
    expect([...packSixBit('%B')]).toEqual([0b00010110, 0b00100000]);
  });

  it('fill whole groups of four into three bytes', () => {
    expect(packSixBit('%B40')).toHaveLength(3);
  });

  it('are read as they were packed', () => {
    const alphabet = Array.from({length: 64}, (_, i) => String.fromCharCode(0x20 + i)).join('');
    expect(unpackSixBit(packSixBit(alphabet))).toBe(alphabet);
  });

  it('of 000101 100010 are %B', () => {
    expect(unpackSixBit(Uint8Array.of(0b00010110, 0b00100000)).slice(0, 2)).toBe('%B');
  });
});
