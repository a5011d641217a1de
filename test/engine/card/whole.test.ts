import {describe, expect, it} from 'vitest';
import {Evidence} from '../../../src/engine/card/evidence.js';
import {readTrack, type TrackOptions} from '../../../src/engine/card/track.js';
import {readFilledTrack2Equivalent} from '../../../src/engine/card/track2-equivalent.js';
import {codeOf} from '../../code-of.js';
import {fromHex} from '../hex.js';

const T1 = '%B4012888888881881^SAMPLE/CARD^28012010000000000000?';
const T2 = ';4012888888881881=28012010000000000000?';
const PACKED = '4012888888881881D280120100000000';

function read(number: 1 | 2, plain: Uint8Array, options: Partial<TrackOptions> = {}) {
  return codeOf(() => readTrack(number, plain, {evidence: new Evidence(), ...options}));
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

describe('a track that lacks its end', () => {
  it.each([
    ['its start sentinel without the end sentinel', T2.slice(0, -1), {}, 2102],
    ['also with a stated length', T2.slice(0, -1), {length: T2.length - 1}, 2102],
    ['also with padding', `${T2.slice(0, -1)}\0\0`, {}, 2102],
    ['no sentinels, a length stated', T2.slice(1, -1), {}, undefined],
    ['no sentinels and nothing else', T2.slice(1, -1), {ends: 'inside'}, 2102],
    ['no sentinels, but padding', `${T2.slice(1, -1)}\0`, {ends: 'inside'}, undefined],
    ['stated padding', T2, {fills: ['pkcs7']}, 2102],
    ['stated padding of a value in a field', T2, {fills: []}, undefined],
    ['optional padding', T2, {fills: ['zero', 'pkcs7']}, undefined],
  ] as const)('is refused or not: %s', (_, text, options, code) => {
    expect(read(2, bytes(text), options)).toBe(code);
  });

  it('may be chance where too little is left', () => {
    expect(read(2, bytes(';40'))).toBe(2601);
  });

  it.each([
    [PACKED, {ends: 'inside'}, 2102],
    [PACKED, {}, undefined],
    [`${PACKED}FFFF`, {ends: 'inside'}, undefined],
    [`${PACKED.slice(0, -1)}F`, {ends: 'inside'}, undefined],
  ] as const)('packed: %s, %j', (hex, options, code) => {
    expect(read(2, fromHex(hex), options)).toBe(code);
  });

  it('as a track 2 equivalent needs its stated padding', () => {
    const open = (hex: string) => () =>
      readFilledTrack2Equivalent(fromHex(hex), new Evidence(), ['pkcs7']);
    expect(codeOf(open(`${PACKED}0808080808080808`))).toBeUndefined();
    expect(codeOf(open(PACKED))).toBe(2102);
  });
});

describe('the longest track (ISO/IEC 7813)', () => {
  const one = (length: number) => bytes(`${T1.slice(0, -1).padEnd(length + 1, '0')}?`);
  const two = (length: number) => bytes(`${T2.slice(0, -1).padEnd(length + 1, '0')}?`);

  it('has 76 characters on track 1, or as many as its reader says', () => {
    expect(read(1, one(76))).toBeUndefined();
    expect(read(1, one(77))).toBe(2601);
    expect(read(1, one(77), {longest: 77})).toBeUndefined();
  });

  it('has 37 characters on track 2', () => {
    expect(read(2, two(37))).toBeUndefined();
    expect(read(2, two(38))).toBe(2601);
  });
});
