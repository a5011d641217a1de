import {describe, expect, it} from 'vitest';
import {openPlain} from '../../../src/diagnosis/plaintext/open-plain.js';
import {
  openDense,
  openPadded,
  openText,
  openZeros,
  textBits,
} from '../../../src/diagnosis/plaintext/open-text.js';
import {lrcOf} from '../../engine/terminal.js';
import {Draw} from '../draw.js';

const draw = new Draw('open text');

function latin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** log2 of the odds that `count` random bytes are all of a class with `size` members. */
function odds(count: number, size: number): number {
  return count * Math.log2(256 / size);
}

describe('a text', () => {
  it.each([
    ['digits', '0123456789012345', 10],
    ['the alphabet of track 2', ';123456789=2712?', 16],
    ['hex digits', '0123456789ABCDEF', 16],
    ['hex digits in lower case', '0123456789abcdef', 16],
    ['the alphabet of track 1', '%B4111^TEST/CARD', 64],
    ['printable characters', 'hello, terminal!', 95],
    ['printable characters and line ends', 'hello,\r\n\tworld!!', 98],
  ])('of %s is worth its odds', (_, text, size) => {
    // Three bits choose the class.
    expect(openText(latin1(text))?.bits).toBeCloseTo(odds(16, size) - 3, 0);
    expect(textBits(text, 0)).toBeCloseTo(odds(16, size) - 3, 0);
  });

  it('of mixed hex digits is only printable', () => {
    expect(textBits('0123456789abCDEF', 0)).toBeLessThan(30);
    expect(textBits('\u0080', 0)).toBe(0);
  });

  it.each([
    ['zeros', '\0\0\0\0\0', 'zero'],
    ['PKCS #7', '\x05\x05\x05\x05\x05', 'pkcs7'],
    ['ISO/IEC 7816-4', '\x80\0\0\0\0', 'iso7816'],
    ['X9.23', '\0\0\0\0\x05', 'x923'],
    ['FF', '\xff\xff\xff\xff\xff', 'ff'],
  ])('ends where its padding of %s begins', (_, fill, name) => {
    const found = openText(latin1(`hello, term${fill}`));
    expect(found).toMatchObject({packing: 'text', text: 'hello, term', fill: name});
    expect(found?.facts.map(({kind}) => kind)).toEqual(['grammar', 'padding']);
    const [, padding] = found?.facts ?? [];
    expect(padding?.bits).toBe(5 * 8 - 2);
  });

  it('may have zeros between its parts', () => {
    const found = openText(latin1('1234567890\0\0\x003456=789012\0'));
    expect(found).toMatchObject({text: '1234567890   3456=789012', fill: 'zero'});
    expect(found?.facts.map(({kind, bits}) => [kind, bits])).toContainEqual(['other', 3 * 8 - 4]);
  });

  it.each([
    ['two characters', 'ab\0\0\0\0\0\0'],
    ['nothing', '\0\0\0\0\0\0\0\0'],
    ['bytes that are no text', 'hello\x80\x81\x82'],
    ['text behind other bytes', '\x80\x81hello!'],
  ])('is not %s', (_, text) => {
    expect(openText(latin1(text))).toBeUndefined();
  });

  it('holds the tracks in it, with their LRCs', () => {
    const [one, two, three] = [draw.track1(), draw.track2(), `;${draw.digits(30)}?`];
    const all = [one, two, three].map((track, i) => track + (i === 1 ? lrcOf(track) : ''));
    const found = openText(latin1(all.join('')));
    expect(found).toMatchObject({
      packing: 'ascii',
      content: {track1: {text: one}, track2: {text: two}, track3: {text: three}},
    });
    expect(found?.facts.filter(({kind}) => kind === 'lrc')).toHaveLength(1);
  });
});

describe('zeros and padding', () => {
  it('of zeros alone say so', () => {
    expect(openZeros(new Uint8Array(16))).toMatchObject({packing: 'zeros', bits: 126, text: ''});
    expect(openZeros(Uint8Array.from([0, 0, 0, 1]))).toBeUndefined();
  });

  it('count from five bytes on, up to sixteen', () => {
    const data = Buffer.from('c3a7', 'hex');
    const padded = (count: number) => openPadded(Buffer.concat([data, Buffer.alloc(count)]));
    expect(padded(4)).toBeUndefined();
    expect(padded(5)).toMatchObject({packing: 'binary', bits: 36, unread: 2, fill: 'zero'});
    expect(padded(16)?.bits).toBe(124);
    expect(padded(40)?.bits).toBe(124);
    const counted = Buffer.concat([data, Buffer.alloc(6, 6)]);
    expect(openPadded(counted)).toMatchObject({unread: 2, fill: 'pkcs7', bits: 44});
    const marked = Buffer.concat([data, Buffer.from('8000000000', 'hex')]);
    expect(openPadded(marked)).toMatchObject({unread: 2, fill: 'iso7816', bits: 36});
  });
});

describe('bytes that are mostly of one class', () => {
  const mixed = (share: number, make: () => string) =>
    latin1(
      Array.from({length: 60}, (_, i) =>
        i % 10 < share * 10 ? make() : String.fromCharCode(0x80 + draw.below(128)),
      ).join(''),
    );

  it.each([
    ['digits', () => draw.digits(1)],
    ['zero', () => '\0'],
    ['printable', () => String.fromCharCode(0x61 + draw.below(26))],
  ])('are called %s', (name, make) => {
    const found = openDense(mixed(0.9, make));
    expect(found).toMatchObject({packing: 'text', unread: 60});
    expect(found?.facts[0]?.text).toBe(`54 of 60 bytes are ${name}`);
  });

  it('are worth the odds of so many of a class', () => {
    // P(all 60 of 60 are digits) = (10/256)^60; three bits choose the class.
    expect(openDense(latin1(draw.digits(60)))?.bits).toBeCloseTo(odds(60, 10) - 3, 6);
  });

  it('are worth the odds of nearly all as well', () => {
    const text = draw.digits(54) + '\x81\xc3\xe5\xa7\x89\x92';
    // Chernoff's bound for 54 of 60 at a share of 10 in 256.
    const [share, p] = [54 / 60, 10 / 256];
    const bound = share * Math.log2(share / p) + (1 - share) * Math.log2((1 - share) / (1 - p));
    expect(openDense(latin1(text))?.bits).toBeCloseTo(60 * bound - 3, 6);
  });

  it('are nothing when random', () => {
    const found = Array.from({length: 500}, () => openDense(draw.bytes(64)));
    expect(found.filter(Boolean)).toEqual([]);
  });
});

describe('a plaintext', () => {
  it('of patterned blocks is test data', () => {
    const found = openPlain(Buffer.from('00112233445566778899AABBCCDDEEFFC3A781E5D9B70F4A', 'hex'));
    expect(found).toMatchObject({packing: 'data', bits: 92, unread: 8, text: ''});
    expect(openPlain(Buffer.from('0011223344556677C3A781E5D9B70F4A', 'hex'))).toBeUndefined();
  });

  it('of known form is that, whatever pattern it begins with', () => {
    expect(openPlain(new Uint8Array(24))).toMatchObject({packing: 'zeros'});
    expect(openPlain(latin1(draw.track2()))).toMatchObject({packing: 'ascii'});
  });

  it('is what the special reader says when that proves more', () => {
    const special = {packing: 'pin-block-0', bits: 50, facts: [], text: '1234'} as const;
    expect(openPlain(draw.bytes(8), () => special)).toBe(special);
  });
});
