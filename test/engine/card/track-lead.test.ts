import {describe, expect, it} from 'vitest';
import {leadLength, sniffTrack} from '../../../src/engine/card/track-lead.js';
import {fromHex} from '../hex.js';
import {bytesOf} from '../terminal.js';

const T1 = '%B4012888888881881^A/B^2801201000?';
const T2 = ';4012888888881881=28012010000?';

describe('a plaintext begins like', () => {
  it.each([
    ['track 1', T1, 1],
    ['track 1 without its sentinel', T1.slice(1), 1],
    ['track 1 in 6 bits', '\x16\x20', 1],
    ['track 2', T2, 2],
    ['track 2 without its sentinel', T2.slice(1), 2],
    ['track 2 of 12 digits without its sentinel', '401288888888=2801', 2],
    ['track 2 of 19 digits without its sentinel', '4012888888888888888=2801', 2],
    ['track 2 in nibbles', '\xb4\x01', 2],
    ['11 digits', '40128888888=2801', undefined],
    ['20 digits', '40128888888888888888=2801', undefined],
    ['a number behind other text', `A${T2.slice(1)}`, undefined],
    ['a word', 'BLUE', undefined],
    ['B and a digit behind other text', 'AB4012', undefined],
    ['nothing', '', undefined],
  ])('%s: %j', (_, plain, number) => {
    expect(sniffTrack(new Uint8Array(bytesOf(plain)))).toBe(number);
  });
});

describe('in front of a track', () => {
  // Their lengths are the codes of % and ;, the start sentinels.
  const OF_37 = `;4012888888881881=2801201${'0'.repeat(11)}?`;
  const OF_59 = `%B4012888888881881^${'A'.repeat(27)}^28012010000?`;
  const n = T2.length.toString(16).padStart(2, '0');
  const withLrc = (T2.length + 1).toString(16).padStart(2, '0');

  it('two tracks are as long as their sentinels are high', () => {
    expect([OF_37.length, OF_59.length]).toEqual([0x25, 0x3b]);
  });

  it.each([
    ['nothing, track 2', '', T2, 0],
    ['nothing, track 1', '', T1, 0],
    ['zeros', '000000', T2, 3],
    ['one zero before a track without sentinel', '00', T2.slice(1), 1],
    ['a length of one byte', n, T2, 1],
    ['a length of one byte, of track 1', T1.length.toString(16), T1, 1],
    ['a length that counts the LRC', withLrc, `${T2}8`, 1],
    ['a length of two bytes', `00${n}`, T2, 2],
    ['a length of two bytes, little-endian', `${n}00`, T2, 2],
    ['a length of four bytes', `000000${n}`, T2, 4],
    ['a length of four bytes, little-endian', `${n}000000`, T2, 4],
    ['a length of one byte that is a sentinel', '25', OF_37, 1],
    ['a length of two bytes, one a sentinel', '0025', OF_37, 2],
    ['a length of two bytes, the first a sentinel', '2500', OF_37, 2],
    ['a length of four bytes, one a sentinel', '00000025', OF_37, 4],
    ['a length of one byte that is the other sentinel', '3b', OF_59, 1],
    ['a length of two bytes, one the other sentinel', '003b', OF_59, 2],
    ['two digits', '3330', T2, 2],
    ['three digits', '303330', T2, 3],
    ['four digits', '30303330', T2, 4],
    ['one digit less than its length', '3239', T2, 0],
    ['two more than its length', '3332', T2, 0],
    ['a letter and digits that say its length', '783330', T2, 0],
    ['digits that say its length and a letter', '333078', T2, 0],
    ['a length of one less', (T2.length - 1).toString(16), T2, 0],
    ['a length of two more', (T2.length + 2).toString(16), T2, 0],
    ['an end sentinel and a digit', '3f31', T2, 0],
    ['a digit and an end sentinel', '313f', T2, 0],
    ['a blank and a digit', '2030', T2, 0],
    ['a zero before a track that does not end', '00', T2.slice(0, -1), 1],
    ['a length before text without sentinel', n, T2.slice(1), 0],
    ['zeros before no track', '0000', 'HELLO', 0],
    ['zeros before nothing', '0000', '', 0],
  ])('%s (%s): %s', (_, lead, text, length) => {
    const plain = Buffer.concat([fromHex(lead), bytesOf(text)]);
    expect(leadLength(new Uint8Array(plain))).toBe(length);
  });
});
