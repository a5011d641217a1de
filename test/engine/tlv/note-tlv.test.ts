import {describe, expect, it} from 'vitest';
import {readTlv} from '../../../src/engine/tlv/ber.js';
import {type NoteOptions, noteFill, noteTlv} from '../../../src/engine/tlv/note-tlv.js';
import {Trace} from '../../../src/engine/trace.js';
import {fromHex} from '../hex.js';

function noted(hex: string, options: NoteOptions = {}, flags = false): Trace['parts'] {
  const trace = new Trace();
  const bytes = fromHex(hex.replaceAll(' ', ''));
  noteTlv(trace, readTlv(bytes, {idtechFlags: flags}).objects, options);
  noteFill(trace, bytes);
  return trace.parts;
}

describe('a TLV list in a trace', () => {
  it('is its objects, those of a template one level deeper', () => {
    expect(noted('E1 08 E2 02 5A00 57 02 4012 9A 01 01')).toStrictEqual([
      {offset: 0, length: 2, depth: 0, name: 'E1 unknown tag', value: '08', meaning: '8 bytes'},
      {offset: 2, length: 2, depth: 1, name: 'E2 unknown tag', value: '02', meaning: '2 bytes'},
      {
        ...{offset: 4, length: 2, depth: 2, name: '5A application PAN', value: ''},
        ...{meaning: '0 bytes', sensitivity: 'card'},
      },
      {
        ...{offset: 6, length: 4, depth: 1, name: '57 track 2 equivalent data', value: '4012'},
        ...{meaning: '2 bytes', sensitivity: 'card'},
      },
      {
        ...{offset: 10, length: 3, depth: 0, name: '9A transaction date', value: '01'},
        meaning: '1 byte',
      },
    ]);
  });

  it('begins at the depth and has the names that it is told', () => {
    const [part] = noted('DF01 01 AA', {depth: 2, names: {DF01: 'its own'}});
    expect(part).toMatchObject({depth: 2, name: 'DF01 its own'});
  });

  it.each([
    ['41424344', {text: 'ABCD'}],
    ['207E207E', {text: ' ~ ~'}],
    ['414243', {meaning: '3 bytes'}],
    ['4142431F', {meaning: '4 bytes'}],
    ['4142437F', {meaning: '4 bytes'}],
    ['1F414243', {meaning: '4 bytes'}],
  ])('shows the value %s as text where it is text of four characters: %j', (value, shown) => {
    const length = (value.length / 2).toString(16).padStart(2, '0');
    const [part = {}] = noted(`DF01${length}${value}`);
    const {text, meaning} = part as {text?: string; meaning?: string};
    expect({
      ...(text === undefined ? {} : {text}),
      ...(meaning === undefined ? {} : {meaning}),
    }).toEqual(shown);
  });

  it('says of flagged objects what they are', () => {
    const parts = noted('57 A1 02 4012 57 C1 02 AABB', {}, true);
    expect(parts.map(({name, sensitivity}) => [name, sensitivity])).toEqual([
      ['57 track 2 equivalent data, masked', undefined],
      ['57 track 2 equivalent data, encrypted', 'ciphertext'],
    ]);
  });

  it.each<[string, string, NoteOptions, string | undefined]>([
    ['a card tag', '57', {}, 'card'],
    ['a card tag that is masked', '57', {isSafe: () => true}, undefined],
    ['a card tag that is ciphertext', '57', {isCiphertext: () => true}, 'ciphertext'],
    ['a card tag of the terminal', 'DF01', {cardTags: new Set(['DF01'])}, 'card'],
    ['another tag of the terminal', 'DF02', {cardTags: new Set(['DF01'])}, undefined],
    ['an opaque tag', '4F', {}, 'opaque'],
    ['an opaque tag of the terminal', 'DF01', {kinds: {opaque: new Set(['DF01'])}}, 'opaque'],
  ])('%s: %s, %j is %s', (_, tag, options, sensitivity) => {
    expect(noted(`${tag}024012`, options)[0]?.sensitivity).toBe(sensitivity);
  });

  it('knows nothing of a flagged object by its tag', () => {
    expect(noted('4F A1 02 4012', {}, true)[0]?.sensitivity).toBeUndefined();
  });

  it('leaves the value of an object that the reader opens to the reader', () => {
    const [part] = noted('DF01 02 AABB', {isOpened: ({tag}) => tag === 'DF01'});
    expect(part).toEqual({
      ...{offset: 0, length: 3, depth: 0, name: 'DF01 unknown tag'},
      ...{value: '02', meaning: '2 bytes'},
    });
  });

  it('names the bytes between its objects and behind them fill', () => {
    const fill = noted('00 5A 01 AA 0000 57 01 BB 80 00').filter(({name}) => name === 'fill');
    expect(fill).toEqual([
      {offset: 0, length: 1, depth: 0, name: 'fill', value: '00'},
      {offset: 4, length: 2, depth: 0, name: 'fill', value: '0000'},
      {offset: 9, length: 2, depth: 0, name: 'fill', value: '8000'},
    ]);
  });

  it('has no fill where there is none, nor inside what covers another part', () => {
    const trace = new Trace();
    trace.note({offset: 0, length: 4, depth: 0, name: 'all', value: ''});
    trace.note({offset: 1, length: 1, depth: 1, name: 'inside', value: ''});
    noteFill(trace, new Uint8Array(4));
    expect(trace.parts.map(({name}) => name)).toEqual(['all', 'inside']);
  });

  it('costs nothing where nothing is recorded', () => {
    const trace = new Trace({recording: false});
    noteTlv(trace, readTlv(fromHex('5A01AA')).objects);
    noteFill(trace, fromHex('5A01AA00'));
    expect(trace.parts).toEqual([]);
  });
});
