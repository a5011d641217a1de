import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {flatten, readTlv, type TlvObject, writeTlv} from '../../../src/engine/tlv/ber.js';

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

function walk(hex: string, options = {}): string[] | number {
  try {
    const {objects} = readTlv(bytes(hex), options);
    return flatten(objects).map(shown);
  } catch (error) {
    if (error instanceof PaylensError) return error.code;
    throw error;
  }
}

function shown({tag, offset, value, flag}: TlvObject): string {
  return [`${offset} ${tag} ${Buffer.from(value).toString('hex')}`, ...(flag ? [flag] : [])].join(
    ' ',
  );
}

describe('tags', () => {
  for (const [hex, tag] of [
    ['5A 00', '5A'],
    ['9F26 00', '9F26'],
    ['DF826E 00', 'DF826E'],
    ['DF81828304 00', undefined],
  ] as const) {
    it(hex, () => {
      expect(walk(hex)).toEqual(tag === undefined ? 2100 : [`0 ${tag} `]);
    });
  }

  it('that do not end: 2102', () => {
    expect(walk('5A00 9F')).toBe(2102);
  });

  it('are constructed by bit 6 and hold objects', () => {
    expect(walk('E4 05 5A 03 AABBCC')).toEqual(['0 E4 5a03aabbcc', '2 5A aabbcc']);
  });

  it('may repeat', () => {
    expect(walk('4F 01 A0 4F 01 A1')).toEqual(['0 4F a0', '3 4F a1']);
  });
});

describe('lengths', () => {
  for (const [hex, found] of [
    ['5A 81 02 AABB', ['0 5A aabb']],
    ['5A 82 0002 AABB', ['0 5A aabb']],
    ['5A 83 000002 AABB', ['0 5A aabb']],
    ['5A 81 00', ['0 5A ']],
    [`5A 81 80${'11'.repeat(128)}`, [`0 5A ${'11'.repeat(128)}`]],
    [`5A 83 010000${'11'.repeat(0x10000)}`, [`0 5A ${'11'.repeat(0x10000)}`]],
    ['5A 80 AABB', 2100],
    ['5A 84 00000002 AABB', 2100],
    ['5A FF AABB', 2100],
    ['5A', 2102],
    ['5A 02 AA', 2102],
    ['5A 81', 2102],
    ['5A 82 00', 2102],
    ['5A 82 FFFF AA', 2102],
    ['E4 03 5A 03 AA', 2102],
  ] as const) {
    it(`${hex.slice(0, 40)}: ${String(found).slice(0, 40)}`, () => {
      expect(walk(hex)).toEqual(found);
    });
  }

  it('stand behind the tag, in the header, as they were sent', () => {
    const {objects} = readTlv(bytes('9F26 81 01 AA 5A 00 E1 82 0002 5A00'));
    expect(objects.map(({headerLength, lengthField}) => [headerLength, lengthField])).toEqual([
      ...[
        [4, '8101'],
        [2, '00'],
        [4, '820002'],
      ],
    ]);
  });

  it('and tags may hold every byte', () => {
    const tags = Array.from({length: 128}, (_, i) => `9F${i.toString(16).padStart(2, '0')}`);
    const {objects} = readTlv(bytes(tags.map((tag) => `${tag}0100`).join('')));
    expect(objects.map(({tag}) => tag)).toEqual(tags.map((tag) => tag.toUpperCase()));
  });

  it('name tag and offset where they run past the end', () => {
    expect(() => readTlv(bytes('4F 01 A0 5A 08 AABB'))).toThrow(
      /tag 5A at byte 3: expected 8 bytes of value, found 2/,
    );
  });

  it.each([
    ['5A00 9F', 'tag at byte 102: truncated'],
    ['5A00 9F02', 'length of tag 9F02 at byte 104: missing'],
    ['5A00 9F02 82 00', 'length of tag 9F02 at byte 104: truncated'],
    ['5A00 9F02 80', 'length of tag 9F02 at byte 104: expected 00-7F, 81, 82 or 83, found 80'],
    ['5A00 9F02 02 AA', 'tag 9F02 at byte 102: expected 2 bytes of value, found 1'],
  ])('%s: say what is wrong, and where', (hex, detail) => {
    expect(() => readTlv(bytes(hex), {base: 100})).toThrow(expect.objectContaining({detail}));
  });

  it('carry ID TECH’s flags when asked for', () => {
    expect(
      walk('57 A1 01 AA 57 C1 02 BBCC 5A C2 0001 DD 5A 81 01 EE', {idtechFlags: true}),
    ).toEqual(['0 57 aa masked', '4 57 bbcc encrypted', '9 5A dd encrypted', '14 5A ee']);
  });

  it('marked as encrypted hold no objects, marked as masked they do', () => {
    expect(walk('E1 C1 02 5A00', {idtechFlags: true})).toEqual(['0 E1 5a00 encrypted']);
    expect(walk('E1 A1 02 5A00', {idtechFlags: true})).toEqual(['0 E1 5a00 masked', '3 5A ']);
  });

  it('with both flags at once: 2100', () => {
    expect(walk('57 E1 01 AA', {idtechFlags: true})).toBe(2100);
  });

  it('with flags elsewhere: 2100', () => {
    expect(walk('57 C1 01 AA')).toBe(2100);
  });
});

describe('fill', () => {
  for (const [name, fill] of Object.entries({
    zeros: '000000',
    FF: 'FFFFFF',
    'ISO 7816-4': '800000',
    'PKCS#7': '04040404',
    'PKCS#7 of one block': '0808080808080808',
    'X9.23': '00000004',
  })) {
    it(`of ${name} ends the list`, () => {
      expect(walk(`5A 01 AA ${fill}`)).toEqual(['0 5A aa']);
    });
  }

  it('of zeros between objects is skipped', () => {
    expect(walk('0000 5A 01 AA 0000 57 01 BB')).toEqual(['2 5A aa', '7 57 bb']);
  });

  it('alone is an empty list', () => {
    expect(walk('00000000')).toEqual([]);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => {
    let hex = '5A00';
    for (let i = 1; i < depth; i++) {
      hex = Buffer.from(writeTlv('E1', bytes(hex))).toString('hex');
    }
    return hex;
  };

  it('of 8 levels is read', () => {
    expect(walk(nested(8))).toHaveLength(8);
  });

  it('of 9 levels: 2100', () => {
    expect(walk(nested(9))).toBe(2100);
  });
});

describe('empty objects', () => {
  const template = (count: number) =>
    Buffer.from(writeTlv('E1', bytes('5A00'.repeat(count)))).toString('hex');

  it('of up to 4,096 are read', () => {
    expect(walk('5A00'.repeat(4096))).toHaveLength(4096);
    expect(walk(template(2047) + template(2047))).toHaveLength(4096);
  });

  it('of one more, wherever they are: 2100', () => {
    expect(walk('5A00'.repeat(4097))).toBe(2100);
    expect(walk(template(2047) + template(2048))).toBe(2100);
  });
});

it('an object is its tag, its place, its length and its value, and nothing else', () => {
  expect(readTlv(bytes('5A 01 AA')).objects).toStrictEqual([
    {tag: '5A', offset: 0, headerLength: 2, lengthField: '01', value: Uint8Array.of(0xaa)},
  ]);
});

describe('offsets', () => {
  it('count from where the input begins, at every level', () => {
    const {objects} = readTlv(bytes('0000 E1 06 E2 04 5A 02 AABB 57 00'), {base: 100});
    expect(flatten(objects).map(shown)).toEqual([
      ...['102 E1 e2045a02aabb', '104 E2 5a02aabb', '106 5A aabb', '110 57 '],
    ]);
  });

  it('end behind the last object, in front of the fill', () => {
    expect(readTlv(bytes('5A 01 AA 80 0000')).end).toBe(3);
    expect(readTlv(bytes('5A 01 AA')).end).toBe(3);
    expect(readTlv(bytes('')).end).toBe(0);
  });
});

describe('writeTlv', () => {
  for (const [length, header] of [
    [0, '5a00'],
    [127, '5a7f'],
    [128, '5a8180'],
    [255, '5a81ff'],
    [256, '5a820100'],
    [65535, '5a82ffff'],
  ] as const) {
    it(`writes the shortest length for ${length} bytes`, () => {
      const object = writeTlv('5A', new Uint8Array(length));
      expect(Buffer.from(object).toString('hex')).toBe(header + '00'.repeat(length));
    });
  }
});
