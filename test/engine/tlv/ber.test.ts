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
    it(`${hex}: ${found}`, () => {
      expect(walk(hex)).toEqual(found);
    });
  }

  it('name tag and offset where they run past the end', () => {
    expect(() => readTlv(bytes('4F 01 A0 5A 08 AABB'))).toThrow(
      /tag 5A at byte 3: expected 8 bytes of value, found 2/,
    );
  });

  it('carry ID TECH’s flags when asked for', () => {
    expect(
      walk('57 A1 01 AA 57 C1 02 BBCC 5A C2 0001 DD 5A 81 01 EE', {idtechFlags: true}),
    ).toEqual(['0 57 aa masked', '4 57 bbcc encrypted', '9 5A dd encrypted', '14 5A ee']);
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
      expect(Buffer.from(object).toString('hex').slice(0, header.length)).toBe(header);
    });
  }
});
