import {describe, expect, it} from 'vitest';
import {readCardList} from '../../../src/engine/card/card-tlv.js';
import {Evidence} from '../../../src/engine/card/evidence.js';
import type {TrackNumber} from '../../../src/engine/card/lrc.js';
import {assertCopyAgrees} from '../../../src/engine/card/masked-copy.js';
import {readTrack} from '../../../src/engine/card/track.js';
import {readFilledTrack2Equivalent} from '../../../src/engine/card/track2-equivalent.js';
import type {Fill} from '../../../src/engine/cipher/padding.js';
import {errorOf} from '../error-of.js';
import {fromHex} from '../hex.js';
import {bytesOf, lrcOf, tlv} from '../terminal.js';

/** Bits that one of `many` among `all` proves, rounded down to `digits` decimals: never too many. */
function bitsOf(many: number, all: number, digits = 1): number {
  return Math.floor(Math.log2(all / many) * 10 ** digits) / 10 ** digits;
}

const DIGIT = bitsOf(10, 256);
const NIBBLE_DIGIT = bitsOf(10, 16, 2);
const MARK = bitsOf(1, 256);
const NIBBLE_MARK = bitsOf(1, 16);
const CHARACTER = {1: bitsOf(95, 256), 2: bitsOf(16, 256), 3: bitsOf(64, 256)};
/** Whole bytes that had to be what they are, less the choice among the fills. */
const padding = (bytes: number) => bytes * 8 - 2;

function evidenceOf(read: (evidence: Evidence) => unknown) {
  const evidence = new Evidence();
  read(evidence);
  return {facts: evidence.facts.map(({text}) => text), bits: evidence.bits};
}

function trackEvidence(number: TrackNumber, plain: string | Uint8Array, form?: RegExp) {
  const more = form ? {form} : {};
  return evidenceOf((evidence) =>
    readTrack(number, new Uint8Array(bytesOf(plain)), {evidence, ...more}),
  );
}

describe('what speaks for a track', () => {
  const T1 = '%B4012888888881881^A/B^2801201000?';
  const T2 = ';4012888888881881=28012010000?';
  const T3 = ';011234567890123456==000?';

  it('2: digits of PAN and expiry, three marks, other characters', () => {
    const {facts, bits} = trackEvidence(2, T2);
    expect(facts).toEqual(['grammar of track 2']);
    expect(bits).toBeCloseTo(20 * DIGIT + 3 * MARK + 7 * CHARACTER[2], 6);
  });

  it('1: digits of PAN and expiry, three marks, other characters', () => {
    const {facts, bits} = trackEvidence(1, T1);
    expect(facts).toEqual(['grammar of track 1']);
    expect(bits).toBeCloseTo(20 * DIGIT + 3 * MARK + 11 * CHARACTER[1], 6);
  });

  it('3: two marks and characters, as no number is looked for', () => {
    const {facts, bits} = trackEvidence(3, T3);
    expect(facts).toEqual(['alphabet of track 3']);
    expect(bits).toBeCloseTo(2 * MARK + 23 * CHARACTER[3], 6);
  });

  it('2 without an expiry: the digits of the PAN alone', () => {
    const {bits} = trackEvidence(2, ';4012888888881881==2010000?');
    expect(bits).toBeCloseTo(16 * DIGIT + 3 * MARK + 8 * CHARACTER[2], 6);
  });

  it('2 without a card number: two marks and characters', () => {
    const {facts, bits} = trackEvidence(2, ';12345=00?');
    expect(facts).toEqual(['alphabet of track 2']);
    expect(bits).toBeCloseTo(2 * MARK + 8 * CHARACTER[2], 6);
  });

  it('2 that ends behind its separator: nothing but digits and marks', () => {
    expect(trackEvidence(2, ';123456789012=?').bits).toBeCloseTo(12 * DIGIT + 3 * MARK, 6);
  });

  it.each([
    [1, T1, 6],
    [2, T2, 4],
    [3, T3, 4],
  ] as const)(
    '%i: its LRC, %s, as many bits as a character of it has: %i',
    (number, text, bits) => {
      const without = trackEvidence(number, text);
      const found = trackEvidence(number, text + lrcOf(text));
      expect(found.facts).toEqual([`LRC of track ${number}`, ...without.facts]);
      expect(found.bits - without.bits).toBeCloseTo(bits, 6);
    },
  );

  it.each([
    [1, 6],
    [2, 14],
    [7, 54],
    [8, 62],
    [9, 62],
    [16, 62],
  ])('%i bytes of padding: %i bits, those of one block at most', (bytes, bits) => {
    const found = trackEvidence(2, T2 + '\0'.repeat(bytes));
    expect(found.facts).toEqual(['grammar of track 2', 'padding after track 2']);
    expect(found.bits - trackEvidence(2, T2).bits).toBeCloseTo(bits, 6);
  });
});

describe('the kinds of facts', () => {
  const kindsOf = (number: TrackNumber, plain: string | Uint8Array) => {
    const evidence = new Evidence();
    readTrack(number, new Uint8Array(bytesOf(plain)), {evidence});
    return evidence.facts.map(({kind}) => kind);
  };
  const T2 = ';4012888888881881=28012010000?';

  it('are LRC, grammar and padding, in text as packed', () => {
    const digits = [...T2].map((one) => (one.charCodeAt(0) - 0x30).toString(16)).join('');
    const lrc = (lrcOf(T2).charCodeAt(0) - 0x30).toString(16);
    const packed = fromHex(`${digits}${lrc}`.padEnd(40, '0'));
    for (const plain of [`${T2}${lrcOf(T2)}\0\0`, packed]) {
      expect(kindsOf(2, plain)).toEqual(['lrc', 'grammar', 'padding']);
    }
  });

  it('are those alone that are there', () => {
    expect(kindsOf(2, T2)).toEqual(['grammar']);
  });
});

describe('what speaks for a packed track', () => {
  const hexOf = (text: string) =>
    [...text].map((one) => (one.charCodeAt(0) - 0x30).toString(16)).join('');
  const T2 = ';401288888888188=28012010000?';
  const PLAIN = 19 * NIBBLE_DIGIT + 3 * NIBBLE_MARK;

  it('2: digits and marks, no other nibbles', () => {
    const {facts, bits} = trackEvidence(2, fromHex(`${hexOf(T2)}0`));
    expect(facts).toEqual(['grammar of track 2']);
    expect(bits).toBeCloseTo(PLAIN, 6);
  });

  it('2 with its LRC: 4 bits more', () => {
    const {facts, bits} = trackEvidence(2, fromHex(hexOf(T2 + lrcOf(T2))));
    expect(facts).toEqual(['LRC of track 2', 'grammar of track 2']);
    expect(bits).toBeCloseTo(PLAIN + 4, 6);
  });

  it('2 with two bytes behind its half-used one: the padding of two', () => {
    const {facts, bits} = trackEvidence(2, fromHex(`${hexOf(T2)}00000`));
    expect(facts).toEqual(['grammar of track 2', 'padding after track 2']);
    expect(bits).toBeCloseTo(PLAIN + padding(2), 6);
  });

  it('2 without sentinels: the same, its padding from the first whole byte', () => {
    const {facts, bits} = trackEvidence(2, fromHex('401288888888188d28012010000fffff'));
    expect(facts).toEqual(['grammar of track 2', 'padding after track 2']);
    expect(bits).toBeCloseTo(PLAIN + padding(2), 6);
  });

  it('1 in 6 bits: digits and marks, its LRC and padding', () => {
    const text = '%B4012888888881881^A/B^2801201000?';
    const bits = [...(text + lrcOf(text))]
      .map((one) => (one.charCodeAt(0) - 0x20).toString(2).padStart(6, '0'))
      .join('');
    const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
    const plain = Buffer.from([...bytes.map((byte) => Number.parseInt(byte, 2)), 0, 0, 0]);
    const found = trackEvidence(1, plain);
    expect(found.facts).toEqual(['LRC of track 1', 'grammar of track 1', 'padding after track 1']);
    expect(found.bits).toBeCloseTo(6 + 20 * NIBBLE_DIGIT + 3 * NIBBLE_MARK + padding(3), 6);
  });
});

describe('what speaks for a 6-bit track without its LRC', () => {
  it('is its grammar alone', () => {
    const bits = [...'%B4012888888881881^A/B^28012010000?']
      .map((one) => (one.charCodeAt(0) - 0x20).toString(2).padStart(6, '0'))
      .join('');
    const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
    const found = trackEvidence(1, Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))));
    expect(found.facts).toEqual(['grammar of track 1']);
  });
});

describe('what speaks for a TLV list', () => {
  function listEvidence(plain: Uint8Array, fills?: readonly Fill[]) {
    return evidenceOf((evidence) => readCardList('tag X', plain, evidence, fills));
  }

  /** One of some 150 known tags among 2^8 and 2^16; a length among the 2^8. */
  const [SHORT_TAG, LONG_TAG] = [5, 9];
  const PAN = '4012888888881881';

  it.each([
    ['4F', 'A0000000031010', ['tag 4F'], SHORT_TAG],
    ['9F02', '000000001000', ['tag 9F02'], LONG_TAG],
    ['5F24', '280131', ['tag 5F24', 'length of tag 5F24', 'expiry of digits'], LONG_TAG + 8 + 4],
    ['5F30', '0201', ['tag 5F30', 'length of tag 5F30'], LONG_TAG + 8],
    ['DFDB03', '2801', ['tag DFDB03', 'length of tag DFDB03', 'expiry of digits'], 18 + 8 + 4],
    ['DFDB02', '313233', ['tag DFDB02'], 18],
    ['5F20', '412F42', ['tag 5F20', 'name of printable characters'], LONG_TAG + 3 * CHARACTER[1]],
    ['DFDF6E', '00', [], 0],
    ['C7', '00', [], 0],
  ] as const)('%s of %s: %j', (tag, value, facts, bits) => {
    const found = listEvidence(tlv(tag, value));
    expect(found.facts).toEqual(facts);
    expect(found.bits).toBeCloseTo(bits, 6);
  });

  it.each([
    ['5A', 6, SHORT_TAG],
    ['5A', 8, SHORT_TAG],
    ['5A', 10, SHORT_TAG],
    ['DFDB01', 6, 18],
    ['DFDB01', 10, 18],
  ])('%s of %i bytes: one of five lengths among 2^8, and its digits', (tag, bytes, known) => {
    const digits = Math.min(2 * bytes, 19);
    const pan = '4'.repeat(digits).padEnd(2 * bytes, 'F');
    const found = listEvidence(tlv(tag, pan));
    expect(found.facts).toEqual([`tag ${tag}`, `length of tag ${tag}`, 'PAN of digits']);
    expect(found.bits).toBeCloseTo(known + 8 - Math.log2(5) + digits * NIBBLE_DIGIT, 6);
  });

  it.each([
    ['5A', 5],
    ['5A', 11],
    ['DFDB01', 5],
    ['DFDB01', 11],
  ])('%s of %i bytes, which is no length of it: the tag alone', (tag, bytes) => {
    expect(listEvidence(tlv(tag, '4'.repeat(2 * bytes))).facts).toEqual([`tag ${tag}`]);
  });

  it('57: the tag, its digits, and the separator in its place', () => {
    const text = `${PAN}D2801201000`;
    const found = listEvidence(tlv('57', `${text}F`));
    expect(found.facts).toEqual(['tag 57', 'track 2 equivalent of digits']);
    expect(found.bits).toBeCloseTo(SHORT_TAG + text.length * NIBBLE_DIGIT + NIBBLE_MARK, 6);
  });

  it('57 and 5A of one card: 40 bits more than each by itself', () => {
    const [a, b] = [tlv('57', `${PAN}D2801201000F`), tlv('5A', PAN)];
    const alone = listEvidence(a).bits + listEvidence(b).bits;
    const found = listEvidence(Buffer.concat([a, b]));
    expect(found.facts).toContain('57 agrees with 5A');
    expect(found.bits - alone).toBeCloseTo(40, 6);
  });

  it('an empty object and a template: nothing, but for what is in the template', () => {
    const found = listEvidence(tlv('70', Buffer.concat([tlv('9F02', ''), tlv('4F', 'A0000000')])));
    expect(found.facts).toEqual(['tag 4F']);
  });

  it.each([
    [1, 6],
    [8, 62],
    [12, 62],
  ])('%i bytes of padding: %i bits, those of one block at most', (bytes, bits) => {
    const found = listEvidence(Buffer.concat([tlv('4F', 'A000'), Buffer.alloc(bytes)]), ['zero']);
    expect(found.facts).toEqual(['tag 4F', 'padding after tag X']);
    expect(found.bits).toBeCloseTo(SHORT_TAG + bits, 6);
  });
});

describe('what speaks for a bare track 2 equivalent', () => {
  const text = '4012888888881881D2801201000';
  const bits = text.length * NIBBLE_DIGIT + NIBBLE_MARK;

  it.each([
    ['', 0],
    ['80', 6],
    ['8000000000', 38],
    ['80'.padEnd(16, '0'), 62],
    ['80'.padEnd(20, '0'), 62],
  ])('its digits, its separator and %s behind its filler: %i bits', (fill, more) => {
    const found = evidenceOf((evidence) =>
      readFilledTrack2Equivalent(fromHex(`${text}F${fill}`), evidence),
    );
    expect(found.bits).toBeCloseTo(bits + more, 6);
    expect(found.facts).toHaveLength(more === 0 ? 1 : 2);
  });
});

describe('what a masked copy of a text says', () => {
  it.each([
    ['12**56', 12],
    ['12ab56', 12],
    ['12XX56', 12],
    ['12  56', 12],
    ['******', 0],
    ['123456', 18],
  ])('%s: 3 bits for each of the digits it shows, %i', (masked, bits) => {
    const found = evidenceOf((evidence) => assertCopyAgrees('track 2', masked, '123456', evidence));
    expect(found).toEqual({facts: ['track 2 agrees with its masked copy'], bits});
  });

  it.each(['12**57', '12ab57', '12XX57', '22**56', '12**5', '12**567', '120056'])(
    '%s is another',
    (masked) => {
      const compare = () => assertCopyAgrees('track 2', masked, '123456', new Evidence());
      expect(errorOf(compare).code).toBe(2601);
    },
  );
});

describe('evidence', () => {
  it('of 40 bits is enough', () => {
    const evidence = new Evidence();
    evidence.add('grammar', 'one', 20);
    evidence.add('lrc', 'other', 20);
    expect(() => evidence.assertEnough('tag X', 'A copy')).not.toThrow();
  });

  it('of less is none: 2601', () => {
    const evidence = new Evidence();
    evidence.add('grammar', 'one', 39.9);
    const error = errorOf(() => evidence.assertEnough('tag X', 'A copy'));
    expect([error.code, error.hint]).toEqual([2601, 'A copy would prove it.']);
  });
});
