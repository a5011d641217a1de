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

function ask(devicePayload: string, more: {ksn?: string; deviceSerial?: string; iv?: string} = {}) {
  return answer({deviceType: 'idtech', devicePayload, ...more});
}

function decrypted(spec: EnhancedSpec) {
  return ask(enhanced(spec));
}

const opened = {
  response: {track1: {ascii: T1}, track2: {ascii: T2}, extracted: {PAN: '4012888888881881'}},
};

describe('an enhanced swipe frame', () => {
  for (const form of ['hex', 'binary', 'keyboard'] as const) {
    it(`opens in its ${form} form`, () => {
      expect(decrypted({tracks: BOTH, form})).toMatchObject(opened);
    });
  }

  it('opens as lower-case hex of the binary form', () => {
    expect(ask(enhanced({tracks: BOTH}).toLowerCase())).toMatchObject(opened);
  });

  for (const hash of ['real', 'null', 'absent'] as const) {
    for (const copies of [true, false]) {
      it(`opens with ${hash} hashes and ${copies ? '' : 'no '}masked copies`, () => {
        const tracks = [T1, T2].map((text): TrackSpec => {
          const {plain, copy, hash: real} = track(text);
          return {
            plain,
            ...(copies ? {copy: copy ?? ''} : {}),
            ...(hash === 'absent' ? {} : {hash: hash === 'null' ? null : (real ?? null)}),
          };
        });
        expect(decrypted({tracks})).toMatchObject(opened);
      });
    }
  }

  for (let present = 1; present < 8; present++) {
    const names = [T1, T2, T3].map((_, i) => ((present >> i) & 1 ? i + 1 : '')).join('');
    it(`returns exactly the tracks it holds: ${names}`, () => {
      const tracks = [T1, T2, T3].map((text, i) => ((present >> i) & 1 ? track(text) : undefined));
      const found = decrypted({tracks});
      const texts = [T1, T2, T3].map((text, i) => ((present >> i) & 1 ? text : undefined));
      if (present === 4) {
        expect(found).toMatchObject({errCode: 2800});
        return;
      }
      const {track1, track2, track3} = found.response ?? {};
      expect([track1?.ascii, track2?.ascii, track3?.ascii]).toEqual(texts);
    });
  }

  it('refuses a hash that is not the one of the track: 2601', () => {
    const wrong = track(T2, {hash: Buffer.alloc(20, 7)});
    expect(decrypted({tracks: [undefined, wrong]})).toMatchObject({errCode: 2601});
  });

  it.each(['X', '#', ' ', '-'])('takes a masked copy whose digits are hidden by %j', (mask) => {
    const sent = BOTH.map(({copy = '', ...rest}) => ({
      ...rest,
      copy: copy.replaceAll('*', mask),
    }));
    expect(decrypted({tracks: sent})).toMatchObject(opened);
    const wrong = sent.map((one) => ({...one, copy: one.copy.replace('1881', '1882')}));
    expect(decrypted({tracks: wrong})).toMatchObject({errCode: 2601});
  });

  it('refuses a masked copy that shows another digit: 2601', () => {
    const {copy = ''} = track(T2);
    const wrong = track(T2, {copy: copy.replace('4012', '4013'), hash: null});
    expect(decrypted({tracks: [undefined, wrong]})).toMatchObject({errCode: 2601});
  });

  it('checks a hash of 32 bytes as SHA-256', () => {
    const tracks = [T1, T2].map((text) => track(text, {hash: sha256(text + lrcOf(text))}));
    expect(decrypted({tracks, optional: Buffer.from([1])})).toMatchObject(opened);
  });

  it('refuses a wrong SHA-256: 2601', () => {
    const tracks = [undefined, track(T2, {hash: sha256(`${T2}x`)})];
    expect(decrypted({tracks, optional: Buffer.from([1])})).toMatchObject({errCode: 2601});
  });

  it('steps over the session ID of security level 4', () => {
    const spec = {
      tracks: BOTH,
      session: Buffer.from('0011223344556677', 'hex'),
      serial: '12345678AB',
    };
    expect(decrypted(spec)).toMatchObject({response: {meta: {serial: '12345678AB'}}});
  });

  it('steps over further optional bytes', () => {
    expect(decrypted({tracks: BOTH, optional: Buffer.from([0, 9, 9])})).toMatchObject(opened);
  });

  it('ignores bit 3 and bit 5 of field 8', () => {
    expect(decrypted({tracks: BOTH, mask: 0x28})).toMatchObject(opened);
  });

  it('decrypts under AES-128-CBC when bit 4 of field 8 is set', () => {
    expect(decrypted({tracks: BOTH, setting: {algorithm: 'aes'}})).toMatchObject(opened);
  });

  it('decrypts under the PIN key without self-encryption when bit 6 of field 8 is set', () => {
    expect(decrypted({tracks: BOTH, setting: {variant: 'pin'}})).toMatchObject(opened);
  });

  it('decrypts under AES and the PIN key when both bits are set', () => {
    const setting = {algorithm: 'aes', variant: 'pin'} as const;
    expect(decrypted({tracks: BOTH, setting})).toMatchObject(opened);
  });

  it('opens without a masked copy and hash of track 3', () => {
    const bare = {plain: T3 + lrcOf(T3)};
    expect(decrypted({tracks: [...BOTH, bare]})).toMatchObject({response: {track3: {ascii: T3}}});
  });

  it('returns a clear third track beside encrypted ones', () => {
    const clear = {plain: T3 + lrcOf(T3), copy: T3 + lrcOf(T3), encrypted: false};
    expect(decrypted({tracks: [...BOTH, clear]})).toMatchObject({response: {track3: {ascii: T3}}});
  });

  it('opens tracks whose own numbers differ, each with its masked copy', () => {
    const other = track(T2.replace('4012888888881881', '4111111111111111'));
    expect(decrypted({tracks: [track(T1), other]})).toMatchObject({
      response: {track1: {ascii: T1}, track2: {ascii: expect.stringContaining('4111111111111111')}},
    });
  });

  it('has no third track where it is said to be encrypted and empty', () => {
    const spec = {tracks: [...BOTH, {plain: ''}]};
    expect(decrypted(spec)).toMatchObject(opened);
    expect(readPayload(TERMINALS.idtech, enhanced(spec)).candidates[0]).toHaveLength(2);
  });

  it('opens tracks without sentinels and LRC', () => {
    const bare = [T1, T2].map((text) => {
      const plain = text.slice(1, -1);
      return {plain, hash: null};
    });
    expect(decrypted({tracks: bare})).toMatchObject({
      response: {
        track1: {ascii: T1, decrypted: bytesOf(T1.slice(1, -1)).toString('hex')},
        track2: {ascii: T2, decrypted: bytesOf(T2.slice(1, -1)).toString('hex')},
      },
    });
  });

  it('refuses plaintext behind the declared length that is no fill: 2601', () => {
    const {plain} = track(T2);
    const frameText = frame([
      Buffer.from([0x80, 0x1f, 0, plain.length - 3, 0, 0, 0x82]),
      // Three characters more than declared stand in the same last block.
      ...enhancedPieces({tracks: [undefined, {plain}]}).slice(1),
    ]);
    expect(ask(frameText)).toMatchObject({errCode: 2601});
  });
});

describe('the KSN of a swipe frame', () => {
  it('is the request’s where the frame has none', () => {
    const payload = enhanced({tracks: BOTH, ksn: undefined, ksnForKey: KSN});
    expect(ask(payload, {ksn: KSN})).toMatchObject(opened);
  });

  it('is demanded where neither frame nor request has one: 2400', () => {
    expect(decrypted({tracks: BOTH, ksn: undefined})).toMatchObject({errCode: 2400});
  });

  it('may be repeated in the request in any case and with blanks', () => {
    const spaced = KSN.toLowerCase().replace(/(....)/g, '$1 ');
    expect(ask(enhanced({tracks: BOTH}), {ksn: spaced})).toMatchObject(opened);
  });

  it('must be the request’s: 2400', () => {
    const other = `${KSN.slice(0, -1)}4`;
    expect(ask(enhanced({tracks: BOTH}), {ksn: other})).toMatchObject({errCode: 2400});
  });

  it('has 12 bytes under AES DUKPT', () => {
    const ksn = '123456789012345600000001';
    const pieces = enhancedPieces({
      tracks: BOTH,
      ksn: undefined,
      setting: {algorithm: 'aes', ksn: KSN},
    });
    const head = pieces[0] as Buffer;
    head.writeUInt8(head.readUInt8(6) | 0x80, 6);
    const reading = readPayload(TERMINALS.idtech, frame([...pieces, Buffer.from(ksn, 'hex')]));
    expect(reading.candidates[0]?.map((field) => field.ksn)).toEqual([ksn, ksn]);
  });

  it('refuses a counter of zero: 2400', () => {
    expect(decrypted({tracks: BOTH, ksn: 'FFFF9876543210E00000'})).toMatchObject({errCode: 2400});
  });
});

describe('the serial number of a swipe frame', () => {
  const payload = enhanced({tracks: BOTH, serial: '000742T094'});

  it('is given as the frame spells it', () => {
    expect(ask(payload)).toMatchObject({response: {meta: {serial: '000742T094'}}});
  });

  it('agrees with deviceSerial without leading zeros and in any case', () => {
    expect(ask(payload, {deviceSerial: '742t094'})).toMatchObject({
      response: {meta: {serial: '000742T094'}},
    });
  });

  it('is 2103 when deviceSerial is another', () => {
    expect(ask(payload, {deviceSerial: '742T095'})).toMatchObject({errCode: 2103});
  });

  it('is deviceSerial where the frame has none', () => {
    const found = ask(enhanced({tracks: BOTH}), {deviceSerial: 'AB-1'});
    expect(found).toMatchObject({response: {meta: {serial: 'AB-1'}}});
  });

  it('is the first 14 digits of the KSN where neither has one', () => {
    expect(decrypted({tracks: BOTH})).toMatchObject({
      response: {meta: {serial: 'FFFF9876543210'}},
    });
  });

  for (const blank of ['          ', '0000000000', '\0\0\0\0\0\0\0\0\0\0']) {
    it(`counts as absent when it is ${JSON.stringify(blank)}`, () => {
      const found = ask(enhanced({tracks: BOTH, serial: blank}), {deviceSerial: '7'});
      expect(found).toMatchObject({response: {meta: {serial: '7'}}});
    });
  }
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
  it('is named and refused: 2111', () => {
    expect(decrypted({tracks: BOTH, optional: Buffer.from([0x02])})).toMatchObject({
      errCode: 2111,
      message: expect.stringContaining('TransArmor'),
    });
  });

  it('is refused when its ciphertext has another length than DUKPT gives: 2111', () => {
    const payload = frame([
      Buffer.from([0x80, 0x5f, 0, T2.length, 0, 0, 0x82, 1, 0x02]),
      Buffer.alloc(344, 0x41),
      Buffer.from('TRANSARMOR1', 'latin1'),
    ]);
    expect(ask(payload)).toMatchObject({errCode: 2111});
  });
});

describe('card encode types', () => {
  const aamva = track(';636026ABCDEF=2801?'.replace('ABCDEF', '123456'), {hash: null});
  const other = {
    plain: `%CAANYTOWN^DOE$JANE^1 MAIN ST^?${lrcOf('%CAANYTOWN^DOE$JANE^1 MAIN ST^?')}`,
  };

  for (const type of [0x81, 0x83]) {
    const name = type.toString(16);
    it(`${name} opens like 80`, () => {
      expect(decrypted({type, tracks: BOTH})).toMatchObject(opened);
    });

    it(`${name} without a PAN: 2800`, () => {
      const withHash = {...other, hash: track('%CAANYTOWN^DOE$JANE^1 MAIN ST^?').hash ?? null};
      expect(decrypted({type, tracks: [withHash]})).toMatchObject({errCode: 2800});
    });

    it(`${name} without ciphertext: 2110`, () => {
      const clear = {...other, copy: other.plain, encrypted: false};
      expect(decrypted({type, tracks: [clear]})).toMatchObject({errCode: 2110});
    });

    it(`${name} opens a PAN of 12 digits`, () => {
      expect(decrypted({type, tracks: [undefined, aamva]})).toMatchObject({
        response: {extracted: {PAN: '636026123456'}},
      });
    });
  }

  for (const type of [0x04, 0x84, 0x90, 0x86, 0xff]) {
    it(`${type.toString(16)} is named and refused: 2100`, () => {
      expect(decrypted({type, tracks: BOTH})).toMatchObject({
        errCode: 2100,
        message: expect.stringContaining(type.toString(16).toUpperCase().padStart(2, '0')),
      });
    });
  }

  it('80 with clear tracks only: 2110', () => {
    const clear = {plain: track(T2).plain, copy: track(T2).plain, encrypted: false};
    expect(decrypted({tracks: [undefined, clear]})).toMatchObject({errCode: 2110});
  });

  it('80 with a clear track that gives no card number: 2100', () => {
    const clear = {plain: ';123=00?4', copy: ';123=00?4', encrypted: false};
    expect(decrypted({tracks: [undefined, clear]})).toMatchObject({errCode: 2100});
  });

  it('80 without any track: 2100', () => {
    expect(decrypted({tracks: []})).toMatchObject({errCode: 2100});
  });

  it('80 with masked tracks only: 2100', () => {
    const {plain, copy = ''} = track(T2);
    expect(decrypted({tracks: [undefined, {plain, copy, encrypted: false}]})).toMatchObject({
      errCode: 2100,
    });
  });
});

describe('a damaged swipe frame', () => {
  const hex = enhanced({tracks: BOTH});
  const keyboard = enhanced({tracks: BOTH, form: 'keyboard'});
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

  it('with a wrong LRC: 2101, which says where and what', () => {
    const message = expect.stringMatching(
      /LRC at byte \d+: expected [0-9A-F]{2}, found [0-9A-F]{2}/,
    );
    expect(ask(flip(hex, hex.length - 6))).toMatchObject({errCode: 2101, message});
  });

  it('with a wrong CheckSum: 2101', () => {
    const message = expect.stringContaining('CheckSum');
    expect(ask(flip(hex, hex.length - 4))).toMatchObject({errCode: 2101, message});
  });

  it('without ETX: 2101', () => {
    expect(ask(`${hex.slice(0, -2)}04`)).toMatchObject({errCode: 2101});
  });

  it('lower-cased keyboard text: 2101', () => {
    expect(ask(keyboard.toLowerCase())).toMatchObject({errCode: 2101});
  });

  it('shorter than its length says: 2102', () => {
    expect(ask(hex.slice(0, -20))).toMatchObject({errCode: 2102});
  });

  it('shorter than its length says, keyboard text: 2102', () => {
    expect(ask(keyboard.slice(0, -20))).toMatchObject({errCode: 2102});
  });

  it('with an odd number of hex digits: 2102', () => {
    expect(ask(hex.slice(0, -1))).toMatchObject({errCode: 2102});
  });

  for (const [form, text] of Object.entries({hex, keyboard})) {
    it(`that lost its first 0, ${form}: 2100 and the hint`, () => {
      const message = expect.stringContaining('lose the first 0');
      expect(ask(text.slice(1))).toMatchObject({errCode: 2100, message});
    });
  }

  for (const [form, text] of Object.entries({hex, keyboard})) {
    it(`with zeros behind ETX opens, ${form}`, () => {
      expect(ask(`${text}0000000000`)).toMatchObject(opened);
    });

    it(`with anything else behind ETX: 2101, ${form}`, () => {
      expect(ask(`${text}0000000001`)).toMatchObject({errCode: 2101});
    });
  }

  it('with NULs behind ETX opens, as a USB-HID report of 537 bytes', () => {
    const binary = enhanced({tracks: BOTH, form: 'binary'});
    expect(ask(binary.padEnd(537, '\0'))).toMatchObject(opened);
  });

  it('with line ends and blanks between hex digits opens', () => {
    expect(ask(hex.replace(/(.{32})/g, '$1\r\n'))).toMatchObject(opened);
  });

  it('with one field more than its length allows: 2101', () => {
    const pieces = [...enhancedPieces({tracks: BOTH}), Buffer.from([1, 2, 3])];
    expect(ask(frame(pieces))).toMatchObject({errCode: 2101});
  });
});
