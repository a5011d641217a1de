import {describe, expect, it} from 'vitest';
import {decodeBech32} from '../../../src/keyfile/age/bech32.js';

const hexOf = (text: string, prefix: string) => {
  const bytes = decodeBech32(text, prefix);
  return bytes && Buffer.from(bytes).toString('hex');
};

// BIP 173, test vectors; each value is what its reference decoder makes of the words.
describe('decodeBech32', () => {
  it.each([
    ['A12UEL5L', 'a', ''],
    ['a12uel5l', 'A', ''],
    [
      'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw',
      'abcdef',
      '00443214c74254b635cf84653a56d7c675be77df',
    ],
    [
      'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w',
      'split',
      'c5f38b70305f519bf66d85fb6cf03058f3dde463ecd7918f2dc743918f2d',
    ],
    [`11${'q'.repeat(82)}c8247j`, '1', '00'.repeat(51)],
    ['?1ezyfcl', '?', ''],
    ['a1qqqd87cq', 'a', '00'],
  ])('reads %s', (text, prefix, hex) => {
    expect(hexOf(text, prefix)).toBe(hex);
  });

  it.each([
    ['both cases', 'A12uel5L', 'a'],
    ['another prefix', 'a12uel5l', 'b'],
    ['no separator', 'pzry9x0s0muk', 'pzry9x0s0muk'],
    ['the checksum of a prefix in upper case', 'A1G7SGD8', 'a'],
    ['a checksum that is too short', 'li1dgmt3', 'li'],
    ['a character beyond the alphabet', 'x1b4n0q5v', 'x'],
    ['one wrong character', 'a12uel5m', 'a'],
    ['a letter that is none', 'a12uel5b', 'a'],
    ['a checksum of one character less', 'a1lqfn3', 'a'],
    ['no separator before a checksum', 'a2uel5l', 'a'],
    ['the checksum of a prefix in upper case, given so', 'A1G7SGD8', 'A'],
    ['a changed letter', 'split1checkupstagehandshakeupstreamerranterredcaperred2y9e3q', 'split'],
    // Words encoded by the reference encoder of BIP 173: a rest of a whole word, and one that is not zero.
    ['a word that belongs to no byte', 'a1q3g6mn3', 'a'],
    ['a ninth word that belongs to no byte', 'a1qqqqqqqqqvgade4', 'a'],
    ['a rest that is not zero', 'a1qpamnt9j', 'a'],
    ['two words exchanged', 'abcdef1pqzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw', 'abcdef'],
  ])('refuses %s', (_, text, prefix) => {
    expect(hexOf(text, prefix)).toBeUndefined();
  });
});
