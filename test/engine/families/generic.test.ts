import {describe, expect, it} from 'vitest';
import {type Answer, answer} from '../samples.js';
import {bytesOf, type Encryption, encrypt, lrcOf, tlv} from '../terminal.js';
import {KSN, T1, T2, T3} from './idtech-frames.js';

const PAN = '4012888888881881';
const IV = '0F1E2D3C4B5A6978';
const AES_IV = `${IV}${IV}`;
const t1 = T1 + lrcOf(T1);
const t2 = T2 + lrcOf(T2);
const tag57 = tlv('57', `${PAN}D28012010000000000FF`.slice(0, 38).padEnd(38, 'F'));
const both = {response: {track1: {ascii: T1}, track2: {ascii: T2}, extracted: {PAN}}};

function hex(plain: string | Uint8Array, more: Partial<Encryption> = {}): string {
  return encrypt(plain, {ksn: KSN, ...more})
    .toString('hex')
    .toUpperCase();
}

function base64(plain: string | Uint8Array, more: Partial<Encryption> = {}): string {
  return encrypt(plain, {ksn: KSN, ...more}).toString('base64');
}

type More = {ksn?: string; iv?: string; deviceSerial?: string};

function ask(payload: object | string, more: More = {}): Answer {
  const devicePayload = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return answer({deviceType: 'generic', devicePayload, ...more});
}

describe('the short JSON form', () => {
  it('takes track1, track2 and track3', () => {
    const found = ask({ksn: KSN, track1: hex(t1), track2: hex(t2), track3: hex(T3)});
    expect(found).toMatchObject({response: {...both.response, track3: {ascii: T3}}});
  });

  for (const name of ['data', 'tlv', 'encrypted']) {
    it(`takes a TLV list as ${name}`, () => {
      expect(ask({ksn: KSN, [name]: hex(tag57)})).toMatchObject({
        response: {meta: {mode: 'emv'}, tlv: {decrypted: tag57.toString('hex')}},
      });
    });
  }

  it('takes encrypted as an array of names and values', () => {
    const encrypted = [
      {name: 'first', value: hex(t1)},
      {name: 'second', value: hex(t2)},
    ];
    expect(ask({ksn: KSN, encrypted})).toMatchObject(both);
  });

  it('takes its names in any case', () => {
    expect(ask({KSN, Track1: hex(t1), TRACK2: hex(t2)})).toMatchObject(both);
  });

  it('ignores unknown members of any type', () => {
    const more = {note: 7, sequenceNumber: 5, cbcVector: null, nested: {deep: [1]}};
    expect(ask({ksn: KSN, track1: hex(t1), track2: hex(t2), ...more})).toMatchObject(both);
  });

  it('reads base64 when encoding says so', () => {
    const ksn = Buffer.from(KSN, 'hex').toString('base64');
    const payload = {ksn, encoding: 'base64', track1: base64(t1), track2: base64(t2)};
    expect(ask(payload)).toMatchObject(both);
  });

  it('reads a KSN and IV in hex although encoding says base64', () => {
    const payload = {ksn: KSN, iv: IV, encoding: 'base64', track2: base64(t2, {iv: IV})};
    expect(ask(payload)).toMatchObject({response: {track2: {ascii: T2}}});
  });
});

describe('the long JSON form', () => {
  const form = (encrypted: unknown, more: object = {}) => ({
    serial: 'GN-1',
    hasCcData: '0',
    decryptionParameters: {sequenceNumber: Buffer.from(KSN, 'hex').toString('base64'), ...more},
    encrypted,
  });

  it('reads base64 by default', () => {
    const encrypted = [
      {name: 'track1', value: base64(t1)},
      {name: 'track2', value: base64(t2)},
    ];
    expect(ask(form(encrypted))).toMatchObject({
      response: {...both.response, meta: {serial: 'GN-1', mode: 'swiped'}},
    });
  });

  it('reads hex when encoding says so', () => {
    const more = {encoding: 'hex', sequenceNumber: KSN};
    expect(ask(form([{name: 't', value: hex(t2)}], more))).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('takes the IV from cbcVector', () => {
    const more = {cbcVector: Buffer.from(IV, 'hex').toString('base64')};
    expect(ask(form([{name: 't', value: base64(t2, {iv: IV})}], more))).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('gives decrypted in hex all the same', () => {
    expect(ask(form([{name: 't', value: base64(t2)}]))).toMatchObject({
      response: {track2: {encoding: 'hex', decrypted: bytesOf(t2).toString('hex')}},
    });
  });
});

describe('the key=value form', () => {
  for (const [name, separator] of Object.entries({
    'line ends': '\r\n',
    semicolons: ';',
    bars: '|',
    ampersands: '&',
  })) {
    it(`separates its members by ${name}`, () => {
      const members = [`ksn=${KSN}`, `track1=${hex(t1)}`, `track2=${hex(t2)}`, 'serial=GN-2'];
      expect(ask(members.join(separator))).toMatchObject({
        response: {...both.response, meta: {serial: 'GN-2'}},
      });
    });
  }

  it('drops blanks and takes names in any case', () => {
    expect(ask(` KSN = ${KSN} ; Track2 = ${hex(t2)} ; `)).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('ignores unknown names', () => {
    expect(ask(`ksn=${KSN};colour=red;track2=${hex(t2)}`)).toMatchObject({
      response: {track2: {ascii: T2}},
    });
  });

  it('refuses a member given twice: 2100', () => {
    const found = ask(`ksn=${KSN};ksn=${KSN};track2=${hex(t2)}`);
    expect(found).toMatchObject({errCode: 2100, message: expect.stringContaining('ksn')});
  });

  it('keeps the padding of a base64 value', () => {
    const payload = `ksn=${KSN};encoding=base64;track2=${base64(t2)}`;
    expect(ask(payload)).toMatchObject({response: {track2: {ascii: T2}}});
  });
});

describe('the members that describe the cipher', () => {
  const variants = {
    data: {variant: 'data'},
    'data-plain': {variant: 'data', selfEncrypted: false},
    pin: {variant: 'pin'},
    mac: {variant: 'mac'},
    'mac-response': {variant: 'mac-response'},
    'data-response': {variant: 'data-response', selfEncrypted: true},
    none: {variant: 'none'},
  } as const;

  for (const [variant, setting] of Object.entries(variants)) {
    for (const mode of ['cbc', 'ecb'] as const) {
      for (const algorithm of ['tdes', 'aes'] as const) {
        it(`opens variant ${variant}, mode ${mode}, algorithm ${algorithm}`, () => {
          const track2 = hex(t2, {...setting, mode, algorithm});
          expect(ask({ksn: KSN, variant, mode, algorithm, track2})).toMatchObject({
            response: {track2: {ascii: T2}},
          });
        });
      }
    }
  }

  for (const padding of ['zero', 'pkcs7', 'iso7816', 'x923'] as const) {
    for (const plain of [t2, `${t2}`.slice(0, -1), tag57]) {
      const what = typeof plain === 'string' ? `${plain.length} characters` : 'a TLV list';
      it(`opens padding ${padding} behind ${what}`, () => {
        const data = hex(plain, {fill: padding});
        expect(ask({ksn: KSN, padding, data})).toMatchObject({response: {extracted: {PAN}}});
        expect(ask({ksn: KSN, data})).toMatchObject({response: {extracted: {PAN}}});
      });
    }

    it(`refuses other fill when padding is ${padding}: 2601`, () => {
      const other = padding === 'zero' ? 'pkcs7' : 'zero';
      const data = hex(t2.slice(0, -3), {fill: other});
      expect(ask({ksn: KSN, padding, data})).toMatchObject({errCode: 2601});
    });
  }

  it('opens fill of FF by itself', () => {
    expect(ask({ksn: KSN, data: hex(tag57, {fill: 'ff'})})).toMatchObject({
      response: {extracted: {PAN}},
    });
  });

  it('opens padding none when the plaintext fills its blocks', () => {
    const text = `${T2.slice(0, -1)}?`.padEnd(39, '0');
    expect(ask({ksn: KSN, padding: 'none', track2: hex(text + lrcOf(text))})).toMatchObject({
      response: {track2: {ascii: text}},
    });
  });

  it('refuses fill when padding is none: 2601', () => {
    const data = hex(tag57);
    expect(ask({ksn: KSN, padding: 'none', data})).toMatchObject({errCode: 2601});
  });

  for (const member of ['encoding', 'variant', 'mode', 'padding', 'algorithm', 'entryMode']) {
    it(`refuses an unknown ${member}: 2100, which names it`, () => {
      const found = ask({ksn: KSN, track2: hex(t2), [member]: 'other'});
      expect(found).toMatchObject({errCode: 2100, message: expect.stringContaining(member)});
    });

    it(`refuses ${member} of another type: 2100, which names it`, () => {
      const found = ask({ksn: KSN, track2: hex(t2), [member]: 7});
      expect(found).toMatchObject({errCode: 2100, message: expect.stringContaining(member)});
    });
  }

  for (const entryMode of ['swiped', 'emv', 'keyed']) {
    it(`takes the mode from entryMode ${entryMode}`, () => {
      expect(ask({ksn: KSN, track2: hex(t2), entryMode})).toMatchObject({
        response: {meta: {mode: entryMode}},
      });
    });
  }
});

describe('what a generic value holds', () => {
  const packed = (text: string) => {
    const nibbles = [...text].map((c) => (c.charCodeAt(0) - 0x30).toString(16)).join('');
    return Buffer.from(nibbles.length % 2 ? `${nibbles}0` : nibbles, 'hex');
  };
  const found = (plain: string | Uint8Array) => ask({ksn: KSN, data: hex(plain)});

  it('is track 1 behind %', () => {
    expect(found(t1)).toMatchObject({response: {track1: {ascii: T1}}});
  });

  it('is track 1 behind B and a digit', () => {
    expect(found(T1.slice(1, -1))).toMatchObject({response: {track1: {ascii: T1}}});
  });

  it('is track 2 behind ;', () => {
    expect(found(t2)).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it('is track 2 when digits and = come first', () => {
    expect(found(T2.slice(1, -1))).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it('is a packed track behind nibble B', () => {
    expect(found(packed(t2))).toMatchObject({
      response: {track2: {ascii: T2, decrypted: packed(t2).toString('hex')}},
    });
  });

  it('is a TLV list otherwise', () => {
    expect(found(tag57)).toMatchObject({response: {track2equivalent: {}, meta: {mode: 'emv'}}});
  });

  it('is swiped when the list holds tracks', () => {
    const list = Buffer.concat([tlv('5F21', bytesOf(T1)), tlv('5F22', bytesOf(T2))]);
    expect(found(list)).toMatchObject({response: {...both.response, meta: {mode: 'swiped'}}});
  });

  it('is keyed when the list holds DFDB01', () => {
    const list = Buffer.concat([
      tlv('DFDB01', PAN),
      tlv('DFDB03', '2801'),
      tlv('DFDB02', '31323334'),
    ]);
    expect(found(list)).toMatchObject({
      response: {meta: {mode: 'keyed'}, extracted: {PAN, EXPY: '0128', CVV: '1234'}},
    });
  });

  it('is 2601 when it is none of them', () => {
    expect(found('HELLO WORLD, HELLO WORLD')).toMatchObject({errCode: 2601});
  });

  it('is 2601 as a whole when one of several values does not open', () => {
    const encrypted = [
      {name: 'track1', value: hex(t1)},
      {name: 'track2', value: hex('HELLO WORLD, HELLO WORLD')},
    ];
    expect(ask({ksn: KSN, encrypted})).toMatchObject({errCode: 2601});
  });

  it('is 2800 when no card number stands where it belongs', () => {
    const text = '%BSAMPLE^SAMPLE/CARD AND SOME MORE TEXT^0000000000?';
    expect(found(text + lrcOf(text))).toMatchObject({errCode: 2800});
  });

  it('is 2100 when no expiry is anywhere', () => {
    const text = `;${PAN}==1010000000?`;
    expect(found(text + lrcOf(text))).toMatchObject({errCode: 2100});
  });
});

describe('how many generic values are taken', () => {
  const noTrack = tlv('9F4E', Buffer.alloc(40, 0x41));

  it('none: 2100', () => {
    expect(ask({ksn: KSN})).toMatchObject({errCode: 2100});
  });

  it('100 are read', () => {
    const value = hex(noTrack);
    const encrypted = Array.from({length: 100}, (_, i) => ({name: `v${i}`, value}));
    expect(ask({ksn: KSN, encrypted})).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('tlv'),
    });
  });

  it('101: 2100, which says so', () => {
    const encrypted = Array.from({length: 101}, () => ({name: 'a', value: hex(t2)}));
    expect(ask({ksn: KSN, encrypted})).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('101'),
    });
  });

  it('a track twice by its name: 2100, before any key is looked for', () => {
    const encrypted = [{name: 'track2', value: '00'.repeat(40)}];
    expect(ask({ksn: KSN, track2: hex(t2), encrypted})).toMatchObject({
      errCode: 2100,
      message: expect.stringContaining('track2'),
    });
  });

  it('a track twice by its content: 2100', () => {
    const encrypted = [
      {name: 'a', value: hex(t2)},
      {name: 'b', value: hex(t2)},
    ];
    expect(ask({ksn: KSN, encrypted})).toMatchObject({errCode: 2100});
  });

  it('two TLV lists: 2100', () => {
    expect(ask({ksn: KSN, data: hex(tag57), tlv: hex(tag57)})).toMatchObject({errCode: 2100});
  });
});

describe('a generic payload in neither form', () => {
  for (const payload of [
    'hello',
    'A'.repeat(64),
    '[]',
    '"text"',
    '{',
    '{"ksn":"1",}',
    '{"ksn":"1","ksn":"2"}',
    '=',
    ';',
    '\0\0\0',
  ]) {
    it(`${JSON.stringify(payload).slice(0, 40)}: 2100`, () => {
      expect(ask(payload)).toMatchObject({errCode: 2100});
    });
  }

  for (const [name, payload] of Object.entries({
    'a track that is a number': {ksn: KSN, track2: 5},
    'a KSN that is null': {ksn: null, track2: hex(t2)},
    'encrypted as a number': {ksn: KSN, encrypted: 7},
    'encrypted without values': {ksn: KSN, encrypted: [{name: 'track1'}]},
    'encrypted with text entries': {ksn: KSN, encrypted: [hex(t2)]},
    'decryptionParameters as text': {decryptionParameters: 'x', track2: hex(t2)},
    'a value that is no hex': {ksn: KSN, track2: 'XYZ'},
    'a value that is no base64': {ksn: KSN, encoding: 'base64', track2: '*'.repeat(16)},
    'a value of base64 without its padding': {
      ksn: KSN,
      encoding: 'base64',
      track2: base64(t2).replace(/=+$/, '='),
    },
    'hex of odd length': {ksn: KSN, track2: hex(t2).slice(1)},
  })) {
    it(`with ${name}: 2100`, () => {
      expect(ask(payload)).toMatchObject({errCode: 2100});
    });
  }

  it('whose value is no whole blocks: 2102', () => {
    expect(ask({ksn: KSN, track2: '00'.repeat(12)})).toMatchObject({errCode: 2102});
  });

  it('whose AES value is no whole blocks: 2102', () => {
    const payload = {ksn: KSN, algorithm: 'aes', track2: '00'.repeat(24)};
    expect(ask(payload)).toMatchObject({errCode: 2102});
  });
});

describe('clear data in a generic payload', () => {
  for (const [name, track2] of Object.entries({
    'as text': T2,
    'as text without sentinels': T2.slice(1, -1),
    'as hex of text': bytesOf(T2).toString('hex'),
    'as a TLV list': tag57.toString('hex'),
  })) {
    it(`${name}: 2110`, () => {
      expect(ask({ksn: KSN, track2})).toMatchObject({errCode: 2110});
    });
  }

  it('as base64 of text: 2110', () => {
    const track1 = bytesOf(T1).toString('base64');
    expect(ask({ksn: KSN, encoding: 'base64', track1})).toMatchObject({errCode: 2110});
  });

  for (const payload of [`track1=${T1}`, `ksn=${KSN};track2=${T2}`, `track2=${T2.slice(1)}`]) {
    it(`as key=value: ${payload.slice(0, 12)}: 2110`, () => {
      expect(ask(payload)).toMatchObject({errCode: 2110});
    });
  }

  it('is never repeated in the message', () => {
    const payloads = [
      {ksn: KSN, track2: T2},
      {ksn: KSN, encrypted: [{name: PAN, value: 'x'}]},
    ];
    for (const payload of payloads) expect(ask(payload).message).not.toContain(PAN);
  });
});

describe('the KSN of a generic payload', () => {
  const payload = {track2: hex(t2)};
  const opened = {response: {track2: {ascii: T2}}};

  it('is the request’s where the payload has none', () => {
    expect(ask(payload, {ksn: KSN})).toMatchObject(opened);
  });

  it('is demanded: 2400', () => {
    expect(ask(payload)).toMatchObject({errCode: 2400});
  });

  it('counts as absent when it is empty', () => {
    expect(ask({...payload, ksn: ''}, {ksn: KSN})).toMatchObject(opened);
    expect(ask(payload, {ksn: ''})).toMatchObject({errCode: 2400});
  });

  it('must agree with the request’s: 2400', () => {
    const ksn = 'FFFF9876543210E00124';
    expect(ask({...payload, ksn: KSN}, {ksn})).toMatchObject({errCode: 2400});
  });

  for (const short of [KSN.slice(2), KSN.slice(4)]) {
    it(`of ${short.length} digits gets its FF bytes back`, () => {
      expect(ask({...payload, ksn: short})).toMatchObject(opened);
    });
  }

  it('may hold blanks and be of any case', () => {
    expect(ask({...payload, ksn: 'ffff 9876 5432 10e0 0123'})).toMatchObject(opened);
  });

  for (const bad of [
    'F',
    'FFFF9876543210',
    'FFFF9876543210E0012',
    `${KSN}00`,
    'FFFF9876543210E0012G',
  ]) {
    it(`of ${bad.length} characters, ${bad.slice(-3)}: 2400`, () => {
      expect(ask({...payload, ksn: bad})).toMatchObject({errCode: 2400});
    });
  }

  for (const counter of ['FFFF9876543210E00000', 'FFFF9876543210FFFFFF']) {
    it(`with a counter that no terminal sends, ${counter.slice(-6)}: 2400`, () => {
      expect(ask({...payload, ksn: counter})).toMatchObject({errCode: 2400});
    });
  }
});

describe('the IV of a generic payload', () => {
  const payload = {ksn: KSN, track2: hex(t2, {iv: IV})};
  const opened = {response: {track2: {ascii: T2}}};

  it('is the payload’s', () => {
    expect(ask({...payload, iv: IV})).toMatchObject(opened);
  });

  it('is else the request’s', () => {
    expect(ask(payload, {iv: IV})).toMatchObject(opened);
  });

  it('may be given by both in another case', () => {
    expect(ask({...payload, iv: IV}, {iv: IV.toLowerCase()})).toMatchObject(opened);
  });

  it('must agree: 2602', () => {
    expect(ask({...payload, iv: IV}, {iv: '0000000000000000'})).toMatchObject({errCode: 2602});
  });

  for (const bad of [IV.slice(1), `${IV}00`, 'G'.repeat(16), AES_IV]) {
    it(`of ${bad.length} digits in the request: 2602`, () => {
      expect(ask(payload, {iv: bad})).toMatchObject({errCode: 2602});
    });

    it(`of ${bad.length} digits in the payload: 2602`, () => {
      expect(ask({...payload, iv: bad})).toMatchObject({errCode: 2602});
    });
  }

  it('has 16 bytes under AES', () => {
    const track2 = hex(t2, {algorithm: 'aes', iv: AES_IV});
    expect(ask({ksn: KSN, algorithm: 'aes', track2, iv: AES_IV})).toMatchObject(opened);
    expect(ask({ksn: KSN, algorithm: 'aes', track2}, {iv: IV})).toMatchObject({errCode: 2602});
  });

  it('is missed when only the first block is lost: 2602', () => {
    expect(ask(payload)).toMatchObject({errCode: 2602});
  });

  it('is missed when only the first block is lost, track 1: 2602', () => {
    expect(ask({ksn: KSN, track1: hex(t1, {iv: IV})})).toMatchObject({errCode: 2602});
  });

  it('is not what is wrong when an IV was given: 2601', () => {
    expect(ask(payload, {iv: 'FF00FF00FF00FF00'})).toMatchObject({errCode: 2601});
  });

  for (const [track, text] of [
    ['track1', `${T1}!`],
    ['track2', `${T2}!`],
  ] as const) {
    it(`is not what is wrong when the LRC of a whole ${track} is: 2601`, () => {
      const found = ask({ksn: KSN, [track]: hex(text)});
      expect(found).toMatchObject({errCode: 2601, message: expect.stringContaining('LRC')});
    });
  }

  it('is not what is wrong under another key: 2601', () => {
    expect(ask({ksn: KSN, track2: hex(t2, {ksn: 'FFFF9876543210E00124'})})).toMatchObject({
      errCode: 2601,
    });
  });
});

describe('the serial of a generic payload', () => {
  const payload = {ksn: KSN, track2: hex(t2)};

  it('is its member', () => {
    expect(ask({...payload, serial: 'GN-7'})).toMatchObject({response: {meta: {serial: 'GN-7'}}});
  });

  it('is else deviceSerial', () => {
    expect(ask(payload, {deviceSerial: 'GN-8'})).toMatchObject({
      response: {meta: {serial: 'GN-8'}},
    });
  });

  it('must agree with deviceSerial: 2103', () => {
    expect(ask({...payload, serial: 'GN-7'}, {deviceSerial: 'GN-8'})).toMatchObject({
      errCode: 2103,
    });
  });

  it('is else taken from the KSN, 14 digits in upper case', () => {
    expect(ask({...payload, ksn: KSN.toLowerCase()})).toMatchObject({
      response: {meta: {serial: 'FFFF9876543210'}},
    });
  });

  it('is 14 digits of the whole KSN when 16 were sent', () => {
    expect(ask({...payload, ksn: KSN.slice(4)})).toMatchObject({
      response: {meta: {serial: 'FFFF9876543210'}},
    });
  });
});
