import {describe, expect, it} from 'vitest';
import {TERMINALS} from '../../../src/engine/families/registry.js';
import {TerminalSet} from '../../../src/engine/families/terminal-set.js';
import {runPipeline} from '../../../src/engine/pipeline.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {answer, ringOf, TEST_BDK, testRing} from '../samples.js';
import {bytesOf, lrcOf, workingKey} from '../terminal.js';
import {
  type EnhancedSpec,
  enhanced,
  enhancedPieces,
  frame,
  KSN,
  sha256,
  T1,
  T2,
  T3,
  type TrackSpec,
  track,
} from './idtech-frames.js';

const BOTH = [track(T1), track(T2)];

function decrypted(spec: EnhancedSpec) {
  return answer({deviceType: 'idtech', devicePayload: enhanced(spec)});
}

const opened = {
  response: {track1: {ascii: T1}, track2: {ascii: T2}, extracted: {PAN: '4012888888881881'}},
};

/** A frame, or what it is built of; the request besides it; the answer. */
type Row = readonly [what: string, sent: EnhancedSpec | string, expected: object, more?: object];

function testRows(rows: readonly Row[]): void {
  for (const [what, sent, expected, more = {}] of rows) {
    it(what, () => {
      const devicePayload = typeof sent === 'string' ? sent : enhanced(sent);
      expect(answer({deviceType: 'idtech', devicePayload, ...more})).toMatchObject(expected);
    });
  }
}

const both = (more: Partial<EnhancedSpec> = {}): EnhancedSpec => ({tracks: BOTH, ...more});
const one = (text: string, options: Partial<TrackSpec> = {}): EnhancedSpec => ({
  tracks: [undefined, track(text, options)],
});
const refused = (errCode: number) => ({errCode});
const serialOf = (serial: string) => ({response: {meta: {serial}}});
const bare3 = {plain: T3 + lrcOf(T3)};
const WITHOUT_SENTINELS = [T1, T2].map((text) => ({plain: text.slice(1, -1), hash: null}));
const {copy: copy2 = '', plain: plain2} = track(T2);
const hiddenBy = (mask: string) =>
  BOTH.map(({copy = '', ...rest}) => ({...rest, copy: copy.replaceAll('*', mask)}));

describe('an enhanced swipe frame', () => {
  testRows([
    ...(['hex', 'binary', 'keyboard'] as const).map(
      (form): Row => [`opens in its ${form} form`, both({form}), opened],
    ),
    ['opens as lower-case hex', enhanced(both()).toLowerCase(), opened],
    ...['X', '#', ' ', '-'].flatMap((mask): Row[] => [
      [`takes a copy masked by ${mask}`, {tracks: hiddenBy(mask)}, opened],
      [
        `refuses a copy masked by ${mask} of another card: 2601`,
        {
          tracks: hiddenBy(mask).map((sent) => ({
            ...sent,
            copy: sent.copy.replace('1881', '1882'),
          })),
        },
        refused(2601),
      ],
    ]),
    ['refuses another hash: 2601', one(T2, {hash: Buffer.alloc(20, 7)}), refused(2601)],
    [
      'refuses a masked copy that shows another digit: 2601',
      one(T2, {copy: copy2.replace('4012', '4013'), hash: null}),
      refused(2601),
    ],
    [
      'checks a hash of 32 bytes as SHA-256',
      both({
        tracks: [T1, T2].map((text) => track(text, {hash: sha256(text + lrcOf(text))})),
        optional: Buffer.from([1]),
      }),
      opened,
    ],
    [
      'refuses a wrong SHA-256: 2601',
      {...one(T2, {hash: sha256(`${T2}x`)}), optional: Buffer.from([1])},
      refused(2601),
    ],
    [
      'steps over the session ID of security level 4',
      both({session: Buffer.from('0011223344556677', 'hex'), serial: '12345678AB'}),
      serialOf('12345678AB'),
    ],
    ['steps over further optional bytes', both({optional: Buffer.from([0, 9, 9])}), opened],
    ['ignores bit 3 and bit 5 of field 8', both({mask: 0x28}), opened],
    ['is AES-128-CBC by bit 4 of field 8', both({setting: {algorithm: 'aes'}}), opened],
    ['is under the PIN key by bit 6 of field 8', both({setting: {variant: 'pin'}}), opened],
    ['is both by both bits', both({setting: {algorithm: 'aes', variant: 'pin'}}), opened],
    [
      'opens without a masked copy and hash of track 3',
      {tracks: [...BOTH, bare3]},
      {response: {track3: {ascii: T3}}},
    ],
    [
      'returns a clear third track beside encrypted ones',
      {tracks: [...BOTH, {...bare3, copy: bare3.plain, encrypted: false}]},
      {response: {track3: {ascii: T3}}},
    ],
    [
      'refuses tracks whose own numbers differ, each with its masked copy: 2601',
      {tracks: [track(T1), track(T2.replace('4012888888881881', '4111111111111111'))]},
      refused(2601),
    ],
    [
      'opens tracks without sentinels and LRC',
      {tracks: WITHOUT_SENTINELS},
      {
        response: {
          track1: {ascii: T1, decrypted: bytesOf(T1.slice(1, -1)).toString('hex')},
          track2: {ascii: T2, decrypted: bytesOf(T2.slice(1, -1)).toString('hex')},
        },
      },
    ],
    [
      // Three characters more than declared stand in the same last block.
      'refuses plaintext behind the declared length that is no fill: 2601',
      frame([
        Buffer.from([0x80, 0x1f, 0, plain2.length - 3, 0, 0, 0x82]),
        ...enhancedPieces({tracks: [undefined, {plain: plain2}]}).slice(1),
      ]),
      refused(2601),
    ],
  ]);

  for (const hash of ['real', 'null', 'absent'] as const) {
    for (const copies of [true, false]) {
      it(`opens with ${hash} hashes and ${copies ? '' : 'no '}masked copies`, () => {
        const tracks = BOTH.map(
          ({plain, copy, hash: real}): TrackSpec => ({
            plain,
            ...(copies ? {copy: copy ?? ''} : {}),
            ...(hash === 'absent' ? {} : {hash: hash === 'null' ? null : (real ?? null)}),
          }),
        );
        expect(decrypted({tracks})).toMatchObject(opened);
      });
    }
  }

  it.each([1, 2, 3, 4, 5, 6, 7])('returns exactly the tracks of the bits %i', (present) => {
    const texts = [T1, T2, T3].map((text, i) => ((present >> i) & 1 ? text : undefined));
    const found = decrypted({tracks: texts.map((text) => text && track(text)) as TrackSpec[]});
    const {track1, track2, track3} = found.response ?? {};
    // Track 3 alone gives no card number.
    if (present === 4) expect(found).toMatchObject({errCode: 2800});
    else expect([track1?.ascii, track2?.ascii, track3?.ascii]).toEqual(texts);
  });

  it('has no third track where it is said to be encrypted and empty', () => {
    const spec = {tracks: [...BOTH, {plain: ''}]};
    expect(decrypted(spec)).toMatchObject(opened);
    expect(readPayload(TERMINALS.idtech, enhanced(spec)).candidates[0]).toHaveLength(2);
  });
});

describe('the KSN of a swipe frame', () => {
  testRows([
    [
      'is the request’s where the frame has none',
      both({ksn: undefined, ksnForKey: KSN}),
      opened,
      {ksn: KSN},
    ],
    ['is demanded where neither has one: 2400', both({ksn: undefined}), refused(2400)],
    [
      'may be repeated in the request in any case and with blanks',
      both(),
      opened,
      {ksn: KSN.toLowerCase().replace(/(....)/g, '$1 ')},
    ],
    ['must be the request’s: 2400', both(), refused(2400), {ksn: `${KSN.slice(0, -1)}4`}],
    ['has no counter of zero: 2400', both({ksn: 'FFFF9876543210E00000'}), refused(2400)],
  ]);

  it('has 12 bytes under AES DUKPT', () => {
    const ksn = '123456789012345600000001';
    const setting = {algorithm: 'aes', ksn: KSN} as const;
    const pieces = enhancedPieces({tracks: BOTH, ksn: undefined, setting});
    const head = pieces[0] as Buffer;
    head.writeUInt8(head.readUInt8(6) | 0x80, 6);
    const reading = readPayload(TERMINALS.idtech, frame([...pieces, Buffer.from(ksn, 'hex')]));
    expect(reading.candidates[0]?.map((field) => field.ksn)).toEqual([ksn, ksn]);
  });
});

describe('the serial number of a swipe frame', () => {
  const serial = both({serial: '000742T094'});
  testRows([
    ['is given as the frame spells it', serial, serialOf('000742T094')],
    [
      'agrees with deviceSerial without leading zeros and in any case',
      serial,
      serialOf('000742T094'),
      {deviceSerial: '742t094'},
    ],
    ['is 2103 when deviceSerial is another', serial, refused(2103), {deviceSerial: '742T095'}],
    ['is deviceSerial where the frame has none', both(), serialOf('AB-1'), {deviceSerial: 'AB-1'}],
    ['is the first 14 digits of the KSN without any', both(), serialOf('FFFF9876543210')],
    ...['          ', '0000000000', '\0\0\0\0\0\0\0\0\0\0'].map(
      (blank): Row => [
        `counts as absent when it is ${JSON.stringify(blank)}`,
        both({serial: blank}),
        serialOf('7'),
        {deviceSerial: '7'},
      ],
    ),
  ]);
});

describe('the MAC of a swipe frame', () => {
  const MAC_KSN = 'FFFF98765432C0E00005';
  const optional = Buffer.from([0x20]);

  for (const form of ['hex', 'keyboard'] as const) {
    it(`is accepted when it is right, ${form} form`, () => {
      expect(decrypted({tracks: BOTH, optional, mac: {ksn: MAC_KSN}, form})).toMatchObject(opened);
    });
  }

  it('is 2101 when it is wrong', () => {
    const mac = {ksn: MAC_KSN, bytes: Buffer.alloc(32, 1)};
    expect(decrypted({tracks: BOTH, optional, mac})).toMatchObject({errCode: 2101});
  });

  it.each(['prima', 'phressiapad'] as const)(
    'is checked in a frame that a %s sends',
    (deviceType) => {
      const sent = (bytes?: Buffer) => {
        const mac = {ksn: MAC_KSN, ...(bytes && {bytes})};
        return answer({deviceType, devicePayload: enhanced({tracks: BOTH, optional, mac})});
      };
      expect(sent()).toMatchObject(opened);
      expect(sent(Buffer.alloc(32, 1))).toMatchObject({errCode: 2101});
    },
  );

  it('of a terminal that checks none is a defect, and not a MAC that matched', () => {
    const {verifyMacs: _, ...careless} = TERMINALS.idtech;
    const devicePayload = enhanced({tracks: BOTH, optional, mac: {ksn: MAC_KSN}});
    const read = (payload: string) =>
      runPipeline(
        new TerminalSet([careless]),
        {deviceType: 'idtech', devicePayload: payload},
        testRing(),
        {},
      );
    expect(() => read(devicePayload)).toThrow(expect.objectContaining({code: 1}));
    expect(read(enhanced({tracks: BOTH}))).toMatchObject(opened.response);
  });

  it('is 2601 and not 2101 when the key does not open the tracks either', () => {
    const payload = enhanced({
      tracks: BOTH,
      optional,
      mac: {ksn: MAC_KSN, bytes: Buffer.alloc(32)},
    });
    const ring = ringOf([{kind: 'bdk', hex: '11111111111111112222222222222222'}]);
    expect(answer({deviceType: 'idtech', devicePayload: payload}, ring)).toMatchObject({
      errCode: 2601,
    });
  });

  it('is skipped without a key for its KSN', () => {
    const mac = {ksn: MAC_KSN, bytes: Buffer.alloc(32, 1)};
    const payload = enhanced({tracks: BOTH, optional, mac});
    const ring = ringOf([{kind: 'bdk', hex: TEST_BDK, ksnPrefix: KSN.slice(0, 13)}]);
    expect(answer({deviceType: 'idtech', devicePayload: payload}, ring)).toMatchObject(opened);
  });

  it('is skipped when its KSN is that of no transaction', () => {
    const mac = {
      ksn: 'FFFFFFFFFFFFFFFFFFFF',
      key: workingKey({ksn: MAC_KSN}),
      bytes: Buffer.alloc(32),
    };
    expect(decrypted({tracks: BOTH, optional, mac})).toMatchObject(opened);
  });
});

describe('TransArmor', () => {
  testRows([
    [
      'is named and refused: 2111',
      both({optional: Buffer.from([0x02])}),
      {errCode: 2111, message: expect.stringContaining('TransArmor')},
    ],
    [
      'is refused when its ciphertext has another length than DUKPT gives: 2111',
      frame([
        Buffer.from([0x80, 0x5f, 0, T2.length, 0, 0, 0x82, 1, 0x02]),
        Buffer.alloc(344, 0x41),
        Buffer.from('TRANSARMOR1', 'latin1'),
      ]),
      refused(2111),
    ],
  ]);
});

describe('card encode types', () => {
  const licence = '%CAANYTOWN^DOE$JANE^1 MAIN ST^?';
  const other = {plain: licence + lrcOf(licence)};
  const clear = (plain: string): EnhancedSpec => ({
    tracks: [undefined, {plain, copy: plain, encrypted: false}],
  });

  testRows([
    ...[0x81, 0x83].flatMap((type): Row[] => {
      const name = type.toString(16);
      const withHash = {...other, hash: track(licence).hash ?? null};
      const inClear = {...other, copy: other.plain, encrypted: false};
      return [
        [`${name} opens like 80`, both({type}), opened],
        [`${name} without a PAN: 2800`, {type, tracks: [withHash]}, refused(2800)],
        [`${name} without ciphertext: 2110`, {type, tracks: [inClear]}, refused(2110)],
        [
          `${name} opens a PAN of 12 digits`,
          {type, ...one(';636026123456=2801?', {hash: null})},
          {response: {extracted: {PAN: '636026123456'}}},
        ],
      ];
    }),
    ...[0x04, 0x84, 0x90, 0x86, 0xff].map((type): Row => {
      const name = type.toString(16).toUpperCase().padStart(2, '0');
      const message = expect.stringContaining(name);
      return [`${name} is named and refused: 2100`, both({type}), {errCode: 2100, message}];
    }),
    ['80 with clear tracks only: 2110', clear(plain2), refused(2110)],
    ['80 with a clear track that gives no card number: 2100', clear(';123=00?4'), refused(2100)],
    ['80 without any track: 2100', {tracks: []}, refused(2100)],
    [
      '80 with masked tracks only: 2100',
      {tracks: [undefined, {plain: plain2, copy: copy2, encrypted: false}]},
      refused(2100),
    ],
  ]);
});

describe('a damaged swipe frame', () => {
  const hex = enhanced(both());
  const keyboard = enhanced(both({form: 'keyboard'}));
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
  const saying = (errCode: number, why: string) => ({
    errCode,
    message: expect.stringMatching(new RegExp(why)),
  });

  testRows([
    [
      'with a wrong LRC: 2101, which says where and what',
      flip(hex, hex.length - 6),
      saying(2101, 'LRC at byte \\d+: expected [0-9A-F]{2}, found [0-9A-F]{2}'),
    ],
    ['with a wrong CheckSum: 2101', flip(hex, hex.length - 4), saying(2101, 'CheckSum')],
    ['without ETX: 2101', `${hex.slice(0, -2)}04`, refused(2101)],
    ['lower-cased keyboard text: 2101', keyboard.toLowerCase(), refused(2101)],
    ['shorter than its length says: 2102', hex.slice(0, -20), refused(2102)],
    ['shorter, keyboard text: 2102', keyboard.slice(0, -20), refused(2102)],
    ['with an odd number of hex digits: 2102', hex.slice(0, -1), refused(2102)],
    ...Object.entries({hex, keyboard}).flatMap(([form, text]): Row[] => [
      [`that lost its first 0, ${form}`, text.slice(1), saying(2100, 'lose the first 0')],
      [`with zeros behind ETX opens, ${form}`, `${text}0000000000`, opened],
      [`with anything else behind ETX: 2101, ${form}`, `${text}0000000001`, refused(2101)],
    ]),
    [
      'with NULs behind ETX opens, as a USB-HID report of 537 bytes',
      enhanced(both({form: 'binary'})).padEnd(537, '\0'),
      opened,
    ],
    ['with line ends between hex digits opens', hex.replace(/(.{32})/g, '$1\r\n'), opened],
    [
      'with one field more than its length allows: 2101',
      frame([...enhancedPieces(both()), Buffer.from([1, 2, 3])]),
      refused(2101),
    ],
  ]);
});
