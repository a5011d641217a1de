import {describe, expect, it} from 'vitest';
import {readCardBlock} from '../../../src/engine/card/card-block.js';
import {cardContentOf, readCardList, readCardTlv} from '../../../src/engine/card/card-tlv.js';
import {clearBeside, findClearPan, refuseClearPan} from '../../../src/engine/card/clear-tags.js';
import {Evidence} from '../../../src/engine/card/evidence.js';
import {isClearCard, isClearTrack} from '../../../src/engine/card/is-clear-card.js';
import {hasCheckDigit} from '../../../src/engine/card/track-data.js';
import {
  isPackedCard,
  readFilledDigits,
  readFilledTrack2Equivalent,
} from '../../../src/engine/card/track2-equivalent.js';
import {readTlv} from '../../../src/engine/tlv/ber.js';
import {errorOf} from '../error-of.js';
import {fromHex} from '../hex.js';
import {bytesOf, lrcOf, tlv} from '../terminal.js';

const PAN = '4012888888881881';
const T1 = `%B${PAN}^A/B^2801201000?`;
const T2 = `;${PAN}=28012010000?`;

function list(...objects: Buffer[]) {
  return readCardTlv('tag X', new Uint8Array(Buffer.concat(objects)), new Evidence());
}

function objectsOf(...objects: Buffer[]) {
  return readTlv(new Uint8Array(Buffer.concat(objects))).objects;
}

describe('a tag of a card', () => {
  it.each([
    ['57', `${PAN}D2801201F`, {track2equivalent: {text: `${PAN}d2801201`}}],
    ['9F6B', `${PAN}D2801201F`, {track2equivalent: {text: `${PAN}d2801201`}}],
    ['5A', '374245001751006F', {pan: '374245001751006'}],
    ['DFDB01', PAN, {pan: PAN}],
    ['5F24', '280131', {expiry: '2801'}],
    ['DFDB03', '2801', {expiry: '2801'}],
    ['5F30', '0201', {serviceCode: '201'}],
    ['5F20', '412F42', {name: 'A/B'}],
    ['9F1F', '313233', {discretionary: '123'}],
    ['9F20', '1234567F', {discretionary: '1234567'}],
    ['DFDB02', '313233', {cvv: '123'}],
    ['56', Buffer.from(T1).toString('hex'), {track1: {text: T1}}],
    ['5F21', Buffer.from(T1).toString('hex'), {track1: {text: T1}}],
    ['5F22', Buffer.from(T2).toString('hex'), {track2: {text: T2}}],
    ['5F23', Buffer.from(';01=2?').toString('hex'), {track3: {text: ';01=2?'}}],
    ['DFDB05', Buffer.from(T1).toString('hex'), {track1: {text: T1}}],
    ['DFDB06', Buffer.from(T2).toString('hex'), {track2: {text: T2}}],
  ])('%s of %s gives %j', (tag, value, content) => {
    expect(list(tlv(tag, value))).toMatchObject(content);
  });

  it.each([
    ['57', PAN],
    ['9F6B', PAN],
    ['5A', '4012ABCD'],
    ['DFDB01', '4012ABCD'],
    ['5F24', '2801'],
    ['5F24', '28013A'],
    ['DFDB03', '280131'],
    ['5F30', '1201'],
    ['5F30', '020A'],
    ['5F30', '000201'],
    ['5F20', '4107'],
    ['9F0B', '4107'],
    ['9F1F', '4107'],
    ['9F20', '12AB'],
    ['DFDB02', '3132'],
    ['56', '4142434445'],
    ['5F22', '4142434445'],
  ])('%s of %s is none: 2601', (tag, value) => {
    expect(errorOf(() => list(tlv(tag, value))).code).toBe(2601);
  });

  it.each([
    ...['57', '9F6B', '5A', 'DFDB01', '5F24', 'DFDB03', '5F30', '5F20', '9F0B', '9F1F', '9F20'],
    ...['DFDB02', '56', '5F21', '5F22', '5F23', 'DFDB05', 'DFDB06'],
  ])('%s without a value gives nothing', (tag) => {
    const {tlv: _, places, ...content} = list(tlv(tag, ''));
    expect([content, places]).toEqual([{}, []]);
  });

  it('is the first where two give one member', () => {
    expect(list(tlv('5A', PAN), tlv('DFDB01', PAN))).toMatchObject({pan: PAN});
    expect(list(tlv('9F20', '1111'), tlv('9F1F', '32'))).toMatchObject({discretionary: '1111'});
  });

  it('names the places of the card; 56 is a track of no stripe', () => {
    const {places} = list(tlv('56', bytesOf(T1)), tlv('5F22', bytesOf(T2)), tlv('5A', PAN));
    expect(places).toEqual([
      {name: 'tag 56', pan: PAN, expiry: '2801'},
      {name: 'tag 5F22', pan: PAN, expiry: '2801', stripe: 2},
      {name: 'tag 5A', pan: PAN, expiry: undefined},
    ]);
  });
});

describe('a decrypted list', () => {
  const other = [tlv('57', `${PAN}D2801201F`), tlv('5A', '4761739001010010')];

  it('is of one card: 2601', () => {
    expect(errorOf(() => list(...other)).code).toBe(2601);
    const read = () => cardContentOf('tag X', objectsOf(...other), new Evidence());
    expect(errorOf(read).code).toBe(2601);
  });

  it('is read as it is where its card is compared later', () => {
    const plain = new Uint8Array(Buffer.concat(other));
    expect(readCardList('tag X', plain, new Evidence()).places).toHaveLength(2);
  });

  it.each([
    ['nothing', ''],
    ['a length that goes on behind its end', '5A0840'],
    ['something behind it', '4F0201020011'],
  ])('is not %s: 2601', (_, hex) => {
    const read = () => readCardTlv('tag X', fromHex(hex), new Evidence());
    expect(errorOf(read).code).toBe(2601);
  });

  it('ends where its fill begins', () => {
    const plain = Buffer.concat([tlv('4F', 'A0'), fromHex('800000')]);
    const content = readCardTlv('tag X', new Uint8Array(plain), new Evidence());
    expect(content.tlv?.map(({bytes}) => [...bytes])).toEqual([[0x4f, 1, 0xa0]]);
  });

  it('may have no fill but those that are named', () => {
    const plain = new Uint8Array(Buffer.concat([tlv('4F', 'A0'), fromHex('800000')]));
    expect(errorOf(() => readCardTlv('X', plain, new Evidence(), ['pkcs7'])).code).toBe(2601);
  });
});

describe('a plaintext told by its first character', () => {
  const read = (plain: string | Uint8Array) =>
    readCardBlock('tag X', new Uint8Array(bytesOf(plain)), new Evidence());

  it.each([
    ['track 1', T1, {track1: {text: T1}}],
    ['track 1 without its sentinel', T1.slice(1), {track1: {text: T1}}],
    ['track 2', T2, {track2: {text: T2}}],
    ['track 2 without its sentinel', T2.slice(1), {track2: {text: T2}}],
    ['both tracks', T1 + T2, {track1: {text: T1}, track2: {text: T2}}],
    ['both with LRC', T1 + lrcOf(T1) + T2 + lrcOf(T2), {track1: {text: T1}, track2: {text: T2}}],
    ['a list', tlv('5A', PAN), {pan: PAN}],
  ])('is %s', (_, plain, content) => {
    expect(read(plain)).toMatchObject(content);
  });

  it.each([
    ['two tracks 1', T1 + T1],
    ['a track 1 with a wrong LRC and track 2', `${T1}A${T2}`],
    ['two characters between the tracks', `${T1}${lrcOf(T1)}A${T2}`],
    ['two tracks 2', T2 + T2],
  ])('is not %s: 2601', (_, plain) => {
    expect(errorOf(() => read(plain)).code).toBe(2601);
  });
});

describe('clear tags', () => {
  it.each([
    ['57', `${PAN}D2801201F`],
    ['5A', PAN],
    ['5A', '374245001751006F'],
    ['5A', '401288888888'],
    ['5A', '4012888888888888888F'],
    ['9F6B', `${PAN}D2801`],
    ['5F22', Buffer.from(T2).toString('hex')],
    ['DFDB05', Buffer.from(T1).toString('hex')],
    ['56', Buffer.from(T1.slice(1)).toString('hex')],
  ])('%s of %s holds a card in clear: 2110', (tag, value) => {
    const objects = objectsOf(tlv('9F02', '000000001000'), tlv(tag, value));
    expect(findClearPan(objects)).toBe(objects[1]);
    expect(refuseClearPan(objects)).toMatchObject({
      code: 2110,
      message: expect.stringContaining(`tag ${tag} at byte 9`),
    });
  });

  it.each([
    ['5A', '40128888888F'],
    ['5A', '401288AAAAAA1881'],
    ['5A', '40128888888818810000'.padEnd(22, '1')],
    ['57', '401288AAAAAA1881D2801'],
    ['5F20', Buffer.from(T2).toString('hex')],
    ['DF01', PAN],
    ['5F22', Buffer.from(';401288******1881=2801?').toString('hex')],
  ])('%s of %s does not', (tag, value) => {
    expect(refuseClearPan(objectsOf(tlv(tag, value)))).toBeUndefined();
  });

  it('may be named by the terminal', () => {
    const objects = objectsOf(tlv('DF01', PAN));
    expect(refuseClearPan(objects, new Set(['DF01']))?.code).toBe(2110);
  });

  it('that say they are masked or encrypted are not looked at', () => {
    const objects = objectsOf(tlv('5A', PAN)).map((one) => ({...one, flag: 'masked' as const}));
    expect(findClearPan(objects)).toBeUndefined();
  });

  it('add name, expiry date and service code, and nothing of the card', () => {
    const tags = [tlv('5F20', '41'), tlv('5F24', '280131'), tlv('5F30', '0201'), tlv('5A', PAN)];
    const {name, expiry, serviceCode, pan} = clearBeside(objectsOf(...tags));
    expect([name, expiry, serviceCode, pan]).toEqual(['A', '2801', '201', undefined]);
  });

  it('that are not what they say add nothing', () => {
    const {expiry, name} = clearBeside(objectsOf(tlv('5F24', '28'), tlv('5F20', '41')));
    expect([expiry, name]).toEqual([undefined, 'A']);
  });
});

describe('text that is a card in clear', () => {
  it.each([T1, T2, T1.slice(1), T2.slice(1), ` ${T2}`, '%B4012 8888 8888 1881^'])('%s', (one) => {
    expect([isClearTrack(one), isClearCard(one)]).toEqual([true, true]);
  });

  it.each([PAN, ` ${PAN} `, `;${PAN}`, '401288888888', '4012888888888888888'])('%s', (one) => {
    expect([isClearTrack(one), isClearCard(one)]).toEqual([false, true]);
  });

  it.each([
    '40128888888',
    '40128888888888888888',
    `A ${PAN}`,
    `${PAN} A`,
    `X${T2}`,
    `XX${T1}`,
    ';401288******1881=2801?',
  ])('is not %s', (one) => {
    expect([isClearTrack(one), isClearCard(one)]).toEqual([false, false]);
  });
});

describe('packed digits', () => {
  it.each([
    [PAN, true],
    [`${PAN}D2801`, true],
    [`${PAN}DF`.padEnd(20, 'F'), true],
    [`${PAN}D28D1`, false],
    [`A${PAN}F`, false],
    [`${PAN}FA`, false],
  ])('%s are a card: %s', (hex, isCard) => {
    expect(isPackedCard(fromHex(hex))).toBe(isCard);
  });

  it.each([
    [PAN, PAN],
    ['374245001751006F', '374245001751006'],
    ['374245001751006F00000000', '374245001751006'],
    [`${PAN}FFFF`, PAN],
    [`${PAN}80000000`, PAN],
    [`${PAN}04040404`, PAN],
    [`${PAN}F00F`, undefined],
    [`A${PAN}F`, undefined],
  ])('%s with their fill: %s', (hex, digits) => {
    expect(readFilledDigits(fromHex(hex))?.text).toBe(digits);
  });

  // 17 nibbles stand in front. EMV Book 3, Annex A: 19 bytes at most.
  it.each([
    ['280120100008000', '280120100008000', 'zeros behind 80 that may be digits'],
    ['280120100000002', '280120100000002', 'a count behind zeros that may be digits'],
    ['2801201000000000F8000', '2801201000000000', 'ISO 7816-4 behind a filler'],
    ['2801201000000000F0002', '2801201000000000', 'X9.23 behind a filler'],
    ['28012010000000202', '2801201000000', 'PKCS#7'],
    ['280120101', '2801201', 'PKCS#7 of one byte'],
    ['280120100000000000080000000', '2801201000000000000', 'ISO 7816-4 where digits are too many'],
    ['28012010000000000000000000006', '28012010000000000', 'X9.23 where digits are too many'],
    ['28012010000000000000000000000', undefined, 'zeros, too many to be digits'],
    ['2801202', '2801202', 'a service code, where PKCS#7 would cut it'],
    ['28011', undefined, 'two digits of a service code, cut or not'],
  ] as const)('D%s: %s, %s', (behind, expected, _why) => {
    const hex = `${PAN}D${behind}`;
    const found = readFilledTrack2Equivalent(fromHex(hex), new Evidence());
    expect(found?.text).toBe(expected && `${PAN}d${expected}`);
  });

  // ISO/IEC 7812-1, Annex B; published test numbers of each length.
  it.each([
    ['4012888888881881', true],
    ['374245001751006', true],
    ['5019717010103742', true],
    ['4012888888881882', false],
    ['4012888888881818', false],
    ['374245001751007', false],
  ])('%s have their check digit: %s', (digits, isRight) => {
    expect(hasCheckDigit(digits)).toBe(isRight);
  });
});
