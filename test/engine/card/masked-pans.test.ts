import {describe, expect, it} from 'vitest';
import type {CardContent} from '../../../src/engine/card/card-content.js';
import {Evidence} from '../../../src/engine/card/evidence.js';
import {
  assertAnsweredPan,
  assertMaskedPans,
  maskedByZeros,
  maskedNibbles,
  maskedText,
  maskedTrack,
} from '../../../src/engine/card/masked-pans.js';
import type {Track} from '../../../src/engine/card/track-data.js';
import {errorOf} from '../error-of.js';
import {fromHex} from '../hex.js';

const PAN = '4012888888881881';
const OTHER = '4761739001010010';

function track(text: string): Track {
  return {text, bytes: new Uint8Array(Buffer.from(text, 'latin1'))};
}

describe('the number of a masked copy', () => {
  it.each([
    ['401288AAAAAA1881D2801', '401288******1881'],
    ['401288AAAAAA1881', '401288******1881'],
    ['379605AAAAA1118F', '379605*****1118*'],
    ['40128888', '40128888'],
    ['401288AA'.padEnd(32, '1'), '401288**'.padEnd(32, '1')],
    ['AAAAAAAA1881', '********1881'],
    ['AAAAAAAA', undefined],
    ['401288', undefined],
    ['401288AA'.padEnd(34, '1'), undefined],
    ['401288BBBBBB1881', '401288******1881'],
    ['B01288AAAAAA1881', '*01288******1881'],
    ['401288AAAAAA188B', '401288******188*'],
    ['401288DDDDDD1881', '401288******1881'],
    ['401288DDDDDD1881D2801', '401288******1881'],
    ['4012DDDDDDDD1881DD', '4012********1881**'],
    ['401288E1881F', '401288*1881*'],
    ['AAAAAAAA1A', '********1*'],
  ])('in nibbles, %s: %s', (hex, pan) => {
    const expected = pan === undefined ? [] : [{name: 'tag 57', pan}];
    expect(maskedNibbles('tag 57', fromHex(hex))).toEqual(expected);
  });

  it.each([
    ['%B401288******1881^A/B^2801?', '401288******1881', true],
    ['B401288******1881^A/B^2801?', '401288******1881', true],
    ['%*401288******1881^A/B^2801?', '401288******1881', true],
    ['401288******1881^A/B^2801?', '401288******1881', true],
    ['%B3739 53**** *1004^A/B^2801?', '373953*****1004', true],
    [';401288******1881=2801?', '401288******1881', undefined],
    ['401288******1881=2801?', '401288******1881', undefined],
    [';401288\xaa\xaa\xaa\xaa\xaa\xaa1881=2801', '401288******1881', undefined],
    ['%X401288XXXXXX1881^A/B^2801?', '401288******1881', true],
    [';401288      1881=2801', '401288******1881', undefined],
    [';401288#1881=2801', '401288*1881', undefined],
  ])('in a track, %j: %s', (text, pan, isTrack1) => {
    const expected = [{name: 'tag C4', pan, ...(isTrack1 ? {isTrack1} : {})}];
    expect(maskedTrack('tag C4', text)).toMatchObject(expected);
    expect(maskedTrack('tag C4', new Uint8Array(Buffer.from(text, 'latin1')))).toMatchObject(
      expected,
    );
  });

  it.each([
    [
      '%B401288******1881^DOE/J^2801201****?',
      {name: 'DOE/J', expiry: '2801', serviceCode: undefined},
    ],
    ['%B401288******1881^DOE/J^2801226****?', {name: 'DOE/J', expiry: '2801', serviceCode: '226'}],
    ['%B401288******1881^*****^2801?', {name: undefined, expiry: '2801', serviceCode: undefined}],
    [';401288******1881=2801***?', {name: undefined, expiry: '2801', serviceCode: undefined}],
    [';4012880000001881=0000000?', undefined],
    [';401288******1881=*******?', undefined],
  ])('in a track shows more of the card: %s', (text, shown) => {
    expect(maskedTrack('tag C4', text)[0]?.shown).toEqual(shown);
  });

  it.each([
    'X;401288******1881=2801?',
    'XX%B401288******1881^A/B^2801?',
    ';401288******1881?',
    '%BABC^A/B^2801?',
    ';****************=2801?',
    '',
  ])('in a track is none in %j', (text) => {
    expect(maskedTrack('tag C4', text)).toEqual([]);
  });

  it.each([
    ['4012 88XX XXXX 1881', '401288******1881'],
    ['401288......1881', '401288******1881'],
    ['•••••••• 1881', '********1881'],
    ['401288      1881', '401288******1881'],
    ['401288------1881', '401288******1881'],
    ['401288 1881', '401288*1881'],
    ['4012-88##-####-1881', '401288******1881'],
    ['4012 8888 8888 1881', '4012888888881881'],
    ['401288ffffff1881', '401288******1881'],
    ['x1881', '*1881'],
  ])('in text, whatever hides its digits, %s: %s', (text, pan) => {
    expect(maskedText('maskedPAN', text)).toEqual([{name: 'maskedPAN', pan}]);
  });

  it.each([
    ['4012880000001881', 6, 4, '401288******1881'],
    ['4012000000000881', 4, 3, '4012*********881'],
    ['401288001', 6, 4, '401288001'],
    ['4012888880001881', 4, 4, '401288888***1881'],
    ['4012000080001881', 4, 4, '4012********1881'],
  ])('with zeros for hidden digits, %s, of which %i and %i count: %s', (text, head, tail, pan) => {
    expect(maskedByZeros([{name: 'PAN', pan: text}], {head, tail})).toEqual([{name: 'PAN', pan}]);
  });
});

const T1: CardContent = {track1: track(`%B${PAN}^A/B^2801201000?`)};
const T2: CardContent = {track2: track(`;${PAN}=28012010000?`)};

describe('a masked copy beside a plaintext', () => {
  const EQUIVALENT = {track2equivalent: track(`${PAN}d2801201`)};

  it.each([
    ['track 1', T1],
    ['track 2', T2],
    ['a track 2 equivalent', EQUIVALENT],
    ['a number', {pan: PAN}],
    ['keyed entry', {keyed: {...track(PAN), pan: PAN}}],
  ] as [string, CardContent][])(
    'speaks for %s with 3 bits for each digit it shows',
    (_, content) => {
      const evidence = new Evidence();
      assertMaskedPans('tag X', [{name: 'a', pan: '401288******1881'}], content, evidence);
      const text = 'tag X agrees with its masked copy';
      expect(evidence.facts).toEqual([{kind: 'masked-copy', text, bits: 30}]);
      expect(evidence.bits).toBe(30);
    },
  );

  it.each([
    ['track 1', T1],
    ['track 2', T2],
    ['a track 2 equivalent', EQUIVALENT],
    ['a number', {pan: PAN}],
    ['keyed entry', {keyed: {...track(PAN), pan: PAN}}],
  ] as [string, CardContent][])('is 2601 where it shows another number than %s', (_, content) => {
    const copies = [{name: 'a', pan: '401288******1882'}];
    const error = errorOf(() => assertMaskedPans('tag X', copies, content, new Evidence()));
    expect(error).toMatchObject({code: 2601, message: expect.stringContaining('401288******1881')});
  });

  it('counts the one that shows most', () => {
    const evidence = new Evidence();
    const copies = ['4012************', '401288******1881', '************1881'];
    assertMaskedPans(
      'tag X',
      copies.map((pan) => ({name: 'a', pan})),
      T2,
      evidence,
    );
    expect(evidence.bits).toBe(30);
  });

  it('of track 1 is compared with track 1, whose number may be another', () => {
    const content = {...T2, track1: track(`%B${OTHER}^A/B^2801201000?`)};
    const copy = {name: 'a', pan: '476173******0010', isTrack1: true};
    const evidence = new Evidence();
    assertMaskedPans('tag X', [copy], content, evidence);
    expect(evidence.bits).toBe(30);
    const other = {name: 'a', pan: '401288******1881', isTrack1: true};
    expect(errorOf(() => assertMaskedPans('X', [other], content, evidence)).code).toBe(2601);
  });

  it('of track 1 is compared with the other numbers where no track 1 was sent', () => {
    const copy = {name: 'a', pan: '476173******0010', isTrack1: true};
    expect(errorOf(() => assertMaskedPans('X', [copy], T2, new Evidence())).code).toBe(2601);
  });

  it('is not compared with track 1 where it is not of track 1 and others are there', () => {
    const content = {...T2, track1: track(`%B${OTHER}^A/B^2801201000?`)};
    const evidence = new Evidence();
    assertMaskedPans('tag X', [{name: 'a', pan: '401288******1881'}], content, evidence);
    expect(evidence.bits).toBe(30);
  });

  it('says nothing without a number to compare it with', () => {
    const evidence = new Evidence();
    assertMaskedPans('tag X', [{name: 'a', pan: '401288******1881'}], {}, evidence);
    assertMaskedPans('tag X', [], T2, evidence);
    expect(evidence.facts).toEqual([]);
  });

  it.each([
    ['401288******1881', 10],
    ['4012888888881881', 16],
    ['401288******1881****', 10],
    ['401288****1881', 10],
    ['401288**********1881', 10],
    ['************1881', 4],
    ['401288**', 6],
    ['401288**********', 6],
    ['40128888888*1881', 15],
    ['401288888888188*1881', undefined],
    ['40128888888818', undefined],
    ['401289**1881', undefined],
    ['401288**1882', undefined],
    ['501288**********', undefined],
    ['401288******1871', undefined],
    ['40128888888818811', undefined],
  ])('%s shows so many digits of 4012888888881881: %s', (pan, digits) => {
    const evidence = new Evidence();
    const compare = () => assertMaskedPans('X', [{name: 'a', pan}], T2, evidence);
    if (digits === undefined) expect(errorOf(compare).code).toBe(2601);
    else compare();
    expect(evidence.bits).toBe((digits ?? 0) * 3);
  });
});

describe('a masked copy beside the number that is answered', () => {
  it.each([
    ['of track 2', '401288******1881', undefined, T2],
    ['of the answer, although it is of track 1', '401288******1881', true, T2],
    ['of track 1', '476173******0010', true, {...T2, track1: track(`%B${OTHER}^A^2801?`)}],
    ['of nothing', '476173******0010', undefined, {}],
  ] as [string, string, true | undefined, CardContent][])(
    'may be that %s',
    (_, pan, isTrack1, content) => {
      const copy = {name: 'tag C4', pan, ...(isTrack1 ? {isTrack1} : {})};
      expect(() => assertAnsweredPan([copy], content)).not.toThrow();
    },
  );

  it.each([
    ['of track 2', '476173******0010', undefined, T2],
    ['of track 1', '401288******1881', true, {...T2, track1: track(`%B${OTHER}^A^2801?`)}],
    ['of the answer', '476173******0010', undefined, {...T2, track1: track(`%B${OTHER}^A^2801?`)}],
  ] as [string, string, true | undefined, CardContent][])(
    'names itself where it is not that %s',
    (_, pan, isTrack1, content) => {
      const copy = {name: 'tag C4', pan, ...(isTrack1 ? {isTrack1} : {})};
      expect(errorOf(() => assertAnsweredPan([copy], content))).toMatchObject({
        code: 2601,
        message: expect.stringContaining('tag C4'),
      });
    },
  );
});
