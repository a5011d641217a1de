import {describe, expect, it} from 'vitest';
import {
  type CardContent,
  mergeContent,
  modeOf,
  trackContent,
} from '../../../src/engine/card/card-content.js';
import {
  assertOneCard,
  assertOnePerson,
  type CardPart,
  isPlainSwipe,
  placesOf,
} from '../../../src/engine/card/one-card.js';
import {assertReadable} from '../../../src/engine/card/text-members.js';
import type {Track} from '../../../src/engine/card/track-data.js';
import {readTlv} from '../../../src/engine/tlv/ber.js';
import {errorOf} from '../error-of.js';
import {tlv} from '../terminal.js';

const PAN = '4012888888881881';
const OTHER = '4761739001010010';

function text(value: string): Track {
  return {text: value, bytes: new Uint8Array(Buffer.from(value, 'latin1'))};
}

const track1 = text(`%B${PAN}^A/B^2801201000?`);
const track2 = text(`;${PAN}=28012010000?`);
const track3 = text(`;01${PAN}==000?`);
const track2equivalent = text(`${PAN}d2801201`);
const keyed = {...text(`${PAN}=2801`), pan: PAN};
const other1 = text(`%B${OTHER}^A/B^2801201000?`);

describe('the places of a read', () => {
  it.each([
    ['track 1', {track1}, {pan: PAN, expiry: '2801', stripe: 1}],
    ['track 2', {track2}, {pan: PAN, expiry: '2801', stripe: 2}],
    ['track 3', {track3}, {pan: PAN, stripe: 3}],
    ['track 3', {track3: text(`+01${PAN}=00?`)}, {pan: PAN, stripe: 3}],
    ['track 3', {track3: text(';0112345=00?')}, {pan: undefined, stripe: 3}],
    ['track 2 equivalent', {track2equivalent}, {pan: PAN, expiry: '2801'}],
    ['keyed entry', {keyed, pan: PAN, expiry: '2802'}, {pan: PAN, expiry: '2802'}],
    ['card number', {pan: PAN, expiry: '2802'}, {pan: PAN, expiry: '2802'}],
    ['card number', {pan: '12345', expiry: '2802'}, {pan: undefined, expiry: '2802'}],
    ['expiry date', {expiry: '2802'}, {expiry: '2802'}],
  ])('are %s of %j', (name, content, place) => {
    expect(placesOf(content)).toEqual([{name, ...place}]);
  });

  it('are all that there are, but for a date beside a track', () => {
    const content = {track1, track2, track3, track2equivalent, expiry: '2802'};
    const names = placesOf(content).map(({name}) => name);
    expect(names).toEqual(['track 1', 'track 2', 'track 3', 'track 2 equivalent']);
  });

  it('are those of the list where one was read', () => {
    const places = [{name: 'tag 57', pan: PAN}];
    expect(placesOf({track2, places})).toBe(places);
  });
});

describe('a plain swipe', () => {
  it.each([
    ['nothing', []],
    ['track 1', [{track1}]],
    ['track 2', [{track2}]],
    ['tracks 1 and 2', [{track1, track2}]],
    ['tracks 1 and 2 of two fields', [{track1}, {track2}]],
    ['tracks 2 and 3', [{track2}, {track3}]],
  ] as [string, CardContent[]][])('is %s', (_, contents) => {
    expect(isPlainSwipe(contents)).toBe(true);
  });

  it.each([
    ['track 1 twice', [{track1}, {track1}]],
    ['track 2 twice', [{track2}, {track2}]],
    ['track 3 twice', [{track3}, {track3}]],
    ['a card number', [{track2}, {pan: PAN}]],
    ['keyed entry', [{keyed}]],
    ['a track 2 equivalent', [{track2equivalent}]],
    ['places', [{track2, places: []}]],
    ['tracks of two cards', [{track1: other1, track2}]],
    ['tracks of two dates', [{track1: text(`%B${PAN}^A/B^2802201?`), track2}]],
  ] as [string, CardContent[]][])('is not %s', (_, contents) => {
    expect(isPlainSwipe(contents)).toBe(false);
  });

  it('has no date in clear beside it', () => {
    expect(isPlainSwipe([{track2}], '2801')).toBe(false);
  });
});

function part(content: CardContent, name = '', swipe = 'one'): CardPart {
  return {name, swipe, content};
}

function listOf(...objects: Buffer[]): CardContent {
  const bytes = new Uint8Array(Buffer.concat(objects));
  return {tlv: [{bytes, objects: readTlv(bytes).objects}]};
}

describe('parts of one card', () => {
  it.each([
    ['a chip and a track', [part({track2}), part({track2equivalent})]],
    ['an expiry date by itself', [part({track2}), part({expiry: '2801'})]],
    ['the same track twice', [part({track2}), part({track2})]],
    ['the same track in tags', [part({track2, tlv: []}), part({track2})]],
    [
      'a track without a date',
      [part({track2: text(`;${PAN}==201?`)}), part({pan: PAN, expiry: '2801'})],
    ],
    ['no number', [part({track3: text(';1234?')})]],
  ] as [string, CardPart[]][])('may be %s', (_, parts) => {
    expect(() => assertOneCard(parts)).not.toThrow();
  });

  it('name both places where the numbers differ, the first one first found', () => {
    const parts = [part({track2}, 'A'), part({track2equivalent}, 'B'), part({pan: OTHER}, 'C')];
    expect(errorOf(() => assertOneCard(parts))).toMatchObject({
      code: 2601,
      message: expect.stringMatching(
        /card number in C: .*476173\*{6}0010 is not 401288\*{6}1881, the one of track 2 in A/,
      ),
    });
  });

  it.each([
    ['tracks of two swipes', [part({track1: other1}, '', 'a'), part({track2}, '', 'b')]],
    ['a track and a number', [part({track2}), part({pan: OTHER})]],
    ['one track twice', [part({track2}), part({track2: text(`;${OTHER}=2801201?`)})]],
    ['two dates', [part({track2}), part({pan: PAN, expiry: '2802'})]],
    ['a date by itself', [part({track2}), part({expiry: '2802'})]],
    ['a third date', [part({track2}), part({track2equivalent}), part({expiry: '2802'})]],
    ['one track with other data', [part({track2}), part({track2: text(`;${PAN}=28012010001?`)})]],
    ['track 1 with other data', [part({track1}), part({track1: text(`%B${PAN}^C/D^2801201000?`)})]],
    ['track 3 with other data', [part({track3}), part({track3: text(`;01${PAN}==001?`)})]],
    [
      'a track in tags with other data',
      [part({track2, tlv: []}), part({track2: text(`;${PAN}=28012010001?`)})],
    ],
    [
      'tracks in two lists with other data',
      [part({track1, tlv: []}), part({track1: text(`%B${PAN}^C/D^2801201000?`), tlv: []})],
    ],
    ['keyed entry in other words', [part({keyed}), part({keyed: {...keyed, text: 'other'}})]],
  ] as [string, CardPart[]][])('are not %s: 2601', (_, parts) => {
    expect(errorOf(() => assertOneCard(parts)).code).toBe(2601);
  });

  it('have the date that stands in clear beside them', () => {
    expect(() => assertOneCard([part({track2})], '2801')).not.toThrow();
    expect(errorOf(() => assertOneCard([part({track2})], '2802')).message).toContain(
      'cleartext data',
    );
    expect(errorOf(() => assertOneCard([part({track1})], '2802')).message).toContain(
      'cleartext data',
    );
  });

  it('may be a blank track 1 and a track 2 only if a reader says so', () => {
    const blank = text('%B0000000000000000^00000^0000201000?');
    const parts = [part({track1: blank, track2})];
    expect(() => assertOneCard(parts, undefined, true)).not.toThrow();
    expect(errorOf(() => assertOneCard(parts)).code).toBe(2601);
    const two = [part({track1: other1, track2})];
    expect(errorOf(() => assertOneCard(two, undefined, true)).code).toBe(2601);
  });

  it('date a clear one by the number that is answered, that of track 2', () => {
    const dated = text('%B0000000000000000^A/B^3001201000?');
    const parts = [part({track1: dated, track2})];
    expect(() => assertOneCard(parts, '2801', true)).not.toThrow();
    expect(errorOf(() => assertOneCard(parts, '3001', true)).code).toBe(2601);
  });

  it.each([
    [{track1}, {name: 'A/B', serviceCode: '201'}, undefined],
    [{track1}, {name: 'C/D'}, 'its name'],
    [{track1}, {name: '  '}, undefined],
    [{track2equivalent}, {name: 'C/D'}, undefined],
    [{track2}, {serviceCode: '101'}, 'its service code'],
  ] as const)('of %j have what %j says in clear: %s', (content, clear, wrong) => {
    const run = () => assertOnePerson([content], clear);
    if (wrong === undefined) expect(run).not.toThrow();
    else
      expect(run).toThrow(
        expect.objectContaining({code: 2601, detail: expect.stringContaining(wrong)}),
      );
  });

  it('have what their masked copies show, and these show one person', () => {
    const copies = (...names: string[]) =>
      names.map((name) => ({name: 'C4', pan: '4*', shown: {name}}));
    expect(() => assertOnePerson([{track1}], {}, copies('A/B'))).not.toThrow();
    expect(errorOf(() => assertOnePerson([{track1}], {}, copies('C/D'))).code).toBe(2601);
    expect(errorOf(() => assertOnePerson([{track2}], {}, copies('A/B', 'C/D'))).code).toBe(2601);
    expect(errorOf(() => assertOnePerson([{track2}], {name: 'A/B'}, copies('C/D'))).code).toBe(
      2601,
    );
  });

  // Every tag of the card that a response gives or that its data are made of (EMV Book 3, Annex A).
  const GIVEN =
    '56 57 5A 5F20 5F21 5F22 5F23 5F24 5F30 9F1F 9F20 9F6B DFDB01 DFDB02 DFDB03 DFDB05 DFDB06';
  it.each(GIVEN.split(' '))('give tag %s one value', (tag) => {
    const two = [part(listOf(tlv(tag, '1111'))), part(listOf(tlv(tag, '2222')))];
    expect(errorOf(() => assertOneCard(two))).toMatchObject({
      code: 2601,
      message: expect.stringContaining(`tag ${tag}`),
    });
    const oneList = part(listOf(tlv(tag, '1111'), tlv(tag, '2222')));
    expect(errorOf(() => assertOneCard([oneList])).code).toBe(2601);
    const same = [part(listOf(tlv(tag, '1111'), tlv(tag, ''))), part(listOf(tlv(tag, '1111')))];
    expect(() => assertOneCard(same)).not.toThrow();
  });

  it('may give other tags several values', () => {
    const two = [part(listOf(tlv('9F02', '1111'))), part(listOf(tlv('9F02', '2222')))];
    expect(() => assertOneCard(two)).not.toThrow();
  });
});

describe('what several fields gave', () => {
  it('adds up what proved each', () => {
    const fact = (text: string) => ({kind: 'other', text, bits: 1}) as const;
    const [a, b, c] = [fact('a'), fact('b'), fact('c')];
    const contents = [{facts: [a], bits: 30}, {}, {facts: [b, c], bits: 12.5}];
    expect(mergeContent(contents)).toEqual({facts: [a, b, c], bits: 42.5});
  });

  it('keeps the first of a member that is given twice', () => {
    expect(mergeContent([{pan: PAN}, {pan: OTHER, name: 'A'}])).toMatchObject({
      pan: PAN,
      name: 'A',
    });
  });

  it('joins lists and leaves an identical one out', () => {
    const [a, b] = [listOf(tlv('4F', 'A0')), listOf(tlv('4F', 'A1'))];
    const lists = mergeContent([a, b, listOf(tlv('4F', 'A0'))]).tlv?.map(({bytes}) => [...bytes]);
    expect(lists).toEqual([
      [0x4f, 1, 0xa0],
      [0x4f, 1, 0xa1],
    ]);
  });

  it.each([
    [1, {track1: track2}],
    [2, {track2}],
    [3, {track3: track2}],
  ] as const)('of track %i is %j', (number, content) => {
    expect(trackContent(number, track2)).toEqual(content);
  });
});

describe('the mode of a read', () => {
  const chip = listOf(tlv('57', '4012'));
  const lists = [...(chip.tlv ?? []), ...(listOf(tlv('DFDB01', '4012')).tlv ?? [])];

  it.each([
    ['swiped', 'track 1', {track1}],
    ['swiped', 'track 2', {track2}],
    ['swiped', 'track 3', {track3}],
    ['swiped', 'a track and a list', {track2, ...chip}],
    ['keyed', 'keyed entry', {keyed}],
    ['keyed', 'DFDB01 in one of two lists', {tlv: lists}],
    ['emv', 'a list', chip],
    ['emv', 'a track 2 equivalent', {track2equivalent}],
  ] as [string, string, CardContent][])('is %s with %s', (mode, _, content) => {
    expect(modeOf(content)).toBe(mode);
  });
});

describe('text members', () => {
  it.each([
    ['expiry', '2801', ['280', '28011', 'ABCD', ' 2801', '2801 ']],
    ['serviceCode', '201', ['20', '2011', '20A', '=20']],
    ['discretionary', '12 ~', ['1\x1f', '\x7f', '\n1']],
    ['name', 'A/B .', ['A\x00', '\x80A', 'A\n']],
    ['cvv', '123', ['12', '12345', '12A', 'A123']],
    ['street', 'Main St. 1', ['A\x07', '\x00A']],
    ['zip', 'AB1 2-cd', ['1.2', '(1)', '1\n']],
  ])('%s may be %j, and nothing of %j', (member, good, bad) => {
    expect(() => assertReadable({[member]: good})).not.toThrow();
    const codes = bad.map((one) => errorOf(() => assertReadable({[member]: one})).code);
    expect(codes).toEqual(bad.map(() => 2601));
  });

  it.each([
    ['track 1', {track1: text('%B123^A/B^2801201?'), track2}],
    ['track 2', {track1, track2: text(';123=2801201?')}],
    ['track 1', {track1: text('%B123^A/B^2801201?'), pan: PAN}],
  ])('are none beside a card where %s has no card number', (name, content) => {
    expect(errorOf(() => assertReadable(content))).toMatchObject({
      code: 2601,
      message: expect.stringContaining(name),
    });
  });

  it.each([
    ['tracks with a number', {track1, track2}],
    ['a track without one and no card', {track2: text(';123=2801201?')}],
  ])('may be %s', (_, content) => {
    expect(() => assertReadable(content)).not.toThrow();
  });
});
