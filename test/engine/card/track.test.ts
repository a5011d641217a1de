import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {Evidence} from '../../../src/engine/card/evidence.js';
import type {TrackNumber} from '../../../src/engine/card/lrc.js';
import {readTrack} from '../../../src/engine/card/track.js';
import {bytesOf} from '../terminal.js';

type More = {length?: number};

function read(number: TrackNumber, plain: string | Uint8Array, more: More = {}) {
  try {
    const options = {evidence: new Evidence(), ...more};
    const {text, bytes} = readTrack(number, new Uint8Array(bytesOf(plain)), options);
    return {text, bytes: Buffer.from(bytes).toString('latin1')};
  } catch (error) {
    return error instanceof PaylensError ? error.code : error;
  }
}

// Published with their LRCs: formats of ID TECH (BLUEFIN test card) and Verifone (ISO/AMEXTEST).
const T1 = '%B370000999999990^TEST/BLUEFIN^2212101123456789?';
const T2 = ';379605177111118=251210107108069900000?';

describe('a track in ASCII', () => {
  it('track 1 keeps its LRC in the bytes and not in the text', () => {
    expect(read(1, `${T1}(`)).toEqual({text: T1, bytes: `${T1}(`});
  });

  it('track 2 keeps its LRC in the bytes and not in the text', () => {
    expect(read(2, `${T2}3`)).toEqual({text: T2, bytes: `${T2}3`});
  });

  it('may end without an LRC', () => {
    expect(read(2, T2)).toEqual({text: T2, bytes: T2});
  });

  it('may be filled to whole blocks behind its LRC', () => {
    expect(read(2, `${T2}3\0\0\0\0\0`)).toEqual({text: T2, bytes: `${T2}3`});
  });

  it.each(['', '\0\0', '\x80\0\0', '\x02\x02', '\xff\xff'])(
    'without sentinels ends where the fill begins: %j',
    (fill) => {
      const sent = T1.slice(1, -1);
      expect(read(1, sent + fill)).toEqual({text: T1, bytes: sent});
      expect(read(1, T1.slice(0, -1) + fill)).toBe(2102);
    },
  );

  it('without its end sentinel ends in no other byte: 2601', () => {
    expect(read(1, `${T1.slice(0, -1)}\x1f`)).toBe(2601);
    expect(read(1, `${T1.slice(0, -1)}\x81`)).toBe(2601);
  });

  for (const [number, text] of [
    [1, `${T1})`],
    [2, `${T2}4`],
    [2, `${T2}?`],
  ] as const) {
    it(`with the LRC ${text.at(-1)} that is not its own: 2601`, () => {
      expect(read(number, text)).toBe(2601);
    });
  }

  it('may have ? for its LRC', () => {
    const text = ';4000000000000002=25121010000000000004?';
    expect(read(2, `${text}?`)).toEqual({text, bytes: `${text}?`});
  });

  it('with two characters behind ?: 2601', () => {
    expect(read(2, `${T2}33`)).toBe(2601);
  });

  it('with data behind the fill: 2601', () => {
    expect(read(2, `${T2}3\0\0\0\x001`)).toBe(2601);
  });

  it('shorter than the length that the payload declares: 2601', () => {
    expect(read(2, `${T2}3\0\0`, {length: T2.length + 3})).toBe(2601);
  });

  it('longer than the length that the payload declares: 2601', () => {
    expect(read(2, `${T2}3`, {length: T2.length - 4})).toBe(2601);
  });

  it('gets the sentinels that the terminal leaves out, track 1', () => {
    const sent = T1.slice(1, -1);
    expect(read(1, sent)).toEqual({text: T1, bytes: sent});
  });

  it('gets the sentinels that the terminal leaves out, track 2', () => {
    const sent = T2.slice(1, -1);
    expect(read(2, sent)).toEqual({text: T2, bytes: sent});
  });

  it('gets a start sentinel alone where only that is missing', () => {
    expect(read(2, `${T2.slice(1)}3`)).toEqual({text: T2, bytes: `${T2.slice(1)}3`});
  });

  it('of track 1 may hold blanks in the PAN and lower-case names', () => {
    const text = '%B3739 531923 51004^Sample/Name^2512101000?';
    expect(read(1, text)).toEqual({text, bytes: text});
  });

  it.each([
    [1, '%B4012888888881881^_A_/[B]^2801201000?'],
    [1, '%B4012888888881881^azAZ^2801201000 _?'],
    [3, '%! DRIVING LICENCE _?'],
  ] as const)('of track %i may hold every character of its alphabet: %s', (number, text) => {
    expect(read(number, text)).toEqual({text, bytes: text});
  });

  it.each([
    [1, '%B4012888888881881^`^2801201000?'],
    [1, '%B4012888888881881^{^2801201000?'],
    [1, '%B4012888888881881^\x1f^2801201000?'],
    [1, '%%B4012888888881881^A^2801201000?'],
    [1, '%B40128888%88881881^A^2801201000?'],
    [2, ';;4012888888881881=2801?'],
    [2, ';4012;888888881881=2801?'],
    [2, '=4012888888881881=2801?'],
    [2, '=4012888888881881=2801'],
    [3, ';;011234567890123456=00?'],
    [2, ';4012888888881881=2801@?'],
    [2, ';4012888888881881=2801/?'],
    [3, '%!`?'],
    [3, '%!\x1f?'],
  ] as const)('of track %i holds nothing else: %j: 2601', (number, text) => {
    expect(read(number, text)).toBe(2601);
  });

  it('of track 2 holds no letters: 2601', () => {
    expect(read(2, T2.replace('=', 'A'))).toBe(2601);
  });

  for (const [start, text] of [
    [';', ';011234567890123456=00?'],
    ['+', '+011234567890123456=00?'],
  ]) {
    it(`of track 3 keeps ${start}`, () => {
      expect(read(3, text ?? '')).toMatchObject({text});
    });
  }

  it('of track 3 gets ; where no sentinel was sent', () => {
    expect(read(3, '011234567890123456=00')).toMatchObject({text: ';011234567890123456=00?'});
  });

  for (const plain of ['', '?', '%?', '\0\0\0\0\0\0\0\0', '%B']) {
    it(`of ${JSON.stringify(plain)}: 2601`, () => {
      expect(read(1, plain)).toBe(2601);
    });
  }
});

describe('a track packed in nibbles', () => {
  const pack = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
  // T2 above, nibble by nibble: B is ;, D is =, F is ?, then its LRC 3.
  const packed = 'B379605177111118D251210107108069900000F3';

  it('is unpacked, LRC nibble included', () => {
    expect(read(2, pack(packed))).toEqual({text: T2, bytes: pack(packed).toString('latin1')});
  });

  it('may be filled with zeros', () => {
    expect(read(2, pack(`${packed}000000`))).toEqual({
      text: T2,
      bytes: pack(packed).toString('latin1'),
    });
  });

  it('takes a nibble that is not its LRC for fill', () => {
    expect(read(2, pack(`${packed.slice(0, -1)}0`))).toMatchObject({text: T2});
  });

  it('with another nibble behind: 2601', () => {
    expect(read(2, pack(`${packed.slice(0, -1)}9`))).toBe(2601);
  });

  it('without its end sentinel: 2601', () => {
    expect(read(2, pack('B379605177111118D251210107108069900000'))).toBe(2601);
  });

  for (const pan of [
    '4111111111111111',
    '371449635398431',
    '36000000000008',
    '5000000000000000001',
  ]) {
    it(`without sentinels, PAN ${pan.slice(0, 2)} of ${pan.length} digits`, () => {
      const digits = `${pan}D25121010000`;
      const plain = pack(`${digits}${digits.length % 2 ? 'F' : ''}`);
      expect(read(2, plain)).toMatchObject({text: `;${digits.replace('D', '=')}?`});
    });
  }

  it('without sentinels, filled with F', () => {
    expect(read(2, pack('4111111111111111D25121010000FFFFFF'))).toMatchObject({
      text: ';4111111111111111=25121010000?',
    });
  });

  it('without sentinels, an end sentinel and zeros behind an even number of digits', () => {
    expect(read(2, pack('4111111111111111D25121010000F0000000'))).toEqual({
      text: ';4111111111111111=25121010000?',
      bytes: pack('4111111111111111D25121010000').toString('latin1'),
    });
  });

  // ISO/IEC 7813: at most 37 characters between the sentinels, so of 48 the zeros behind are fill.
  it.each([
    [
      '4111111111111111D2512101000012345678',
      `4111111111111111D2512101000012345678${'0'.repeat(12)}`,
    ],
    ['4111111111111111D2512101000012345678', '4111111111111111D251210100001234567800'],
    ['4111111111111111D2512101000012345600', '4111111111111111D2512101000012345600'],
    ['4111111111111111D25121010000123456700', '4111111111111111D25121010000123456700F'],
  ])('without sentinels, %s, is read from %s', (digits, nibbles) => {
    expect(read(2, pack(nibbles))).toMatchObject({text: `;${digits.replace('D', '=')}?`});
  });

  it('is a digit between sentinels at least', () => {
    expect(read(2, pack('B1F0'))).toMatchObject({text: ';1?'});
    expect(read(2, pack('BF'))).toBe(2601);
  });

  it.each([
    ['data', '4111111111111111D2512101000FABCD'],
    ['data in half a byte', '4111111111111111D2512101000A'],
    ['data behind zeros', '4111111111111111D25121010000F00001'],
    ['another character in its PAN', '41111111A1111111D25121010000'],
  ])('without sentinels and with %s: 2601', (_, nibbles) => {
    expect(read(2, pack(nibbles))).toBe(2601);
  });

  it.each(['49', '94', '99', '40', '04'])(
    'without sentinels, a PAN that begins with %s',
    (head) => {
      expect(read(2, pack(`${head}11111111111111D25121010000`))).toMatchObject({
        text: `;${head}11111111111111=25121010000?`,
      });
    },
  );

  it('of track 3 may hold several separators', () => {
    const text = ';011234567890123456==0000=?';
    const nibbles = [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
    expect(
      read(3, pack(`${nibbles}0`.slice(0, nibbles.length + (nibbles.length % 2)))),
    ).toMatchObject({text});
  });
});

describe('a track packed in 6 bits', () => {
  const pack = (text: string) => {
    const bits = [...text]
      .map((c) => (c.charCodeAt(0) - 0x20).toString(2).padStart(6, '0'))
      .join('');
    return Buffer.from(
      (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((b) =>
        Number.parseInt(b, 2),
      ),
    );
  };

  it('is unpacked, LRC included', () => {
    expect(read(1, pack(`${T1}(`))).toMatchObject({text: T1});
  });

  it('is unpacked without its LRC', () => {
    expect(read(1, pack(T1))).toMatchObject({text: T1});
  });

  it('may be filled with zeros, which are blanks', () => {
    expect(read(1, Buffer.concat([pack(`${T1}(`), Buffer.alloc(4)]))).toMatchObject({text: T1});
  });

  it('with characters behind its LRC: 2601', () => {
    expect(read(1, pack(`${T1}(AB`))).toBe(2601);
  });

  it.each([0, 4])('with bits behind its LRC and %i bytes of fill: 2601', (fill) => {
    const bytes = pack(`${T1}(`);
    expect((T1.length + 1) * 6).toBeLessThan(8 * bytes.length);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
    expect(read(1, Buffer.concat([bytes, Buffer.alloc(fill)]))).toBe(2601);
  });

  it('has in its discretionary data what ISO/IEC 7811-6 keeps for data, and nothing else', () => {
    const data = ' #$()-./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]';
    for (let code = 0x20; code < 0x60; code++) {
      const one = String.fromCharCode(code);
      if ('%?^'.includes(one)) continue;
      const found = read(1, pack(`%B4012888888881881^A'B/C^2801201${one}1?`));
      const text = expect.stringContaining(`201${one}1?`);
      expect([one, found]).toEqual([
        one,
        data.includes(one) ? expect.objectContaining({text}) : 2601,
      ]);
    }
  });

  it('without an end sentinel: 2601, which says so', () => {
    const plain = new Uint8Array(pack('%B4012888888881881^A/B^2801'));
    const detail = 'track 1: 6-bit track without an end sentinel';
    expect(() => readTrack(1, plain, {evidence: new Evidence()})).toThrow(
      expect.objectContaining({code: 2601, detail}),
    );
  });
});
