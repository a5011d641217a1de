import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {answer} from '../samples.js';
import {type Encryption, encrypt} from '../terminal.js';

const KSN = 'FFFF9876543210E00041';
const PAN = '4761739001010010';
const TRACK = `${PAN}=25122011143878089`;

/** An element as the standard writes it: tag, two bytes of length, value. */
function element(tag: number, value: string): Buffer {
  return Buffer.concat([Buffer.from([tag, value.length >> 8, value.length & 255]), latin1(value)]);
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function sent(plain: Uint8Array | readonly Buffer[], options: Partial<Encryption> = {}): string {
  const bytes = plain instanceof Uint8Array ? plain : Buffer.concat([...plain]);
  return encrypt(bytes, {ksn: KSN, ...options}).toString('hex');
}

function ask(devicePayload: string, more: object = {ksn: KSN}) {
  const {response, errCode} = answer({deviceType: 'ifsf', devicePayload, ...more});
  return response?.extracted ?? errCode;
}

const CARD = {PAN, EXPY: '1225', ServiceCode: '201', Discretionary: '1143878089'};
const KEYED = {PAN, EXPY: '1225'};

describe('the plaintext of DE-127', () => {
  it.each([
    ['track 2', [element(35, TRACK)], CARD],
    ['track 2 with D', [element(35, TRACK.replace('=', 'D'))], CARD],
    ['card number and expiry', [element(2, PAN), element(14, '2512')], KEYED],
    ['expiry first', [element(14, '2512'), element(2, PAN)], KEYED],
    ['an expiry of six digits', [element(2, PAN), element(14, '251231')], KEYED],
    ['all of the card', [element(2, PAN), element(14, '2512'), element(35, TRACK)], CARD],
    [
      'track 1',
      [element(45, `B${PAN}^DOE/JANE^25122011143878089`)],
      {...CARD, FirstName: 'JANE', Surname: 'DOE'},
    ],
  ])('is read: %s', (_, elements, expected) => {
    expect(ask(sent(elements))).toEqual(expected);
    expect(ask(sent(elements, {selfEncrypted: false}))).toEqual(expected);
    expect(ask(sent(elements, {fill: 'iso7816'}))).toEqual(expected);
  });

  it.each([
    ['an element twice', [element(35, TRACK), element(35, TRACK)], 2601],
    ['an unknown element', [element(48, '12345678'), element(35, TRACK)], 2601],
    ['two cards', [element(2, '4012888888881881'), element(35, TRACK)], 2601],
    ['two expiry dates', [element(14, '2601'), element(35, TRACK)], 2601],
    ['a letter in the card number', [element(2, `${PAN.slice(1)}A`), element(14, '2512')], 2601],
    ['a length past the end', [element(35, TRACK).fill(0xff, 1, 2)], 2601],
    ['only an expiry date', [element(14, '2512')], 2800],
    ['no expiry date', [element(2, PAN)], 2100],
    ['other padding', [element(2, PAN), element(14, '2512'), Buffer.alloc(5, 5)], 2601],
    ['three blocks of zeros', [element(35, TRACK), Buffer.alloc(24)], 2601],
    ['a track without a card number', [element(35, '0=2512101')], 2601],
  ])('is refused: %s', (_, elements, code) => {
    expect(ask(sent(elements))).toBe(code);
  });

  it('that is of another key variant is refused', () => {
    for (const variant of ['pin', 'mac', 'data-response', 'none'] as const)
      expect(ask(sent([element(35, TRACK)], {variant}))).toBe(2601);
  });
});

const VALUE = sent([element(35, TRACK)]);
const UPPER = VALUE.toUpperCase();

describe('a description of a message', () => {
  it.each([
    ['JSON', JSON.stringify({de127: VALUE, de53: KSN})],
    ['JSON, other names', JSON.stringify({'P-127': UPPER, 'DE-53': KSN.toLowerCase()})],
    ['JSON, numbers alone', JSON.stringify({53: KSN, 127: VALUE, 48: 'x', stan: '000001'})],
    ['JSON, ksn', JSON.stringify({S127: VALUE, ksn: KSN, iv: '0000000000000000'})],
    ['lines', `DE-53: ${KSN}\r\nDE-127: ${VALUE}\r\n`],
    ['lines with =', `field 53 = ${KSN}\nfield 127 = ${VALUE}`],
    ['pairs', `de53=${KSN};de127=${VALUE}`],
    ['blanks in the value', `127: ${VALUE.replaceAll(/(.{8})/g, '$1 ')}\nksn: ${KSN}`],
    ['the card in clear beside it', JSON.stringify({2: PAN, 35: TRACK, de127: VALUE, de53: KSN})],
    ['a masked card beside it', JSON.stringify({2: '476173******0010', de127: VALUE, de53: KSN})],
  ])('is read and recognised: %s', (_, payload) => {
    expect(ask(payload, {})).toEqual(CARD);
    expect(recognise(payload, KNOWN_TERMINALS)).toEqual(['ifsf']);
  });

  it.each([
    ['without DE-127', JSON.stringify({de53: KSN, 11: '000001'}), 2100],
    ['with DE-127 twice', JSON.stringify({de127: VALUE, 127: UPPER, de53: KSN}), 2100],
    ['with a number', `{"de127": 12, "de53": "${KSN}"}`, 2100],
    ['with a name twice', `{"de127":"${VALUE}","de127":"${VALUE}"}`, 2100],
    ['with half a byte', JSON.stringify({de127: VALUE.slice(1), de53: KSN}), 2102],
    ['with half a block', JSON.stringify({de127: VALUE.slice(8), de53: KSN}), 2102],
    ['with text for hex', JSON.stringify({de127: 'a text', de53: KSN}), 2100],
    ['with two KSNs', JSON.stringify({de127: VALUE, de53: KSN, ksn: `${KSN.slice(1)}0`}), 2400],
    ['without a KSN', JSON.stringify({de127: VALUE}), 2400],
    ['with a MAC that goes on', `DE-53: ${KSN}\nDE-127: ${VALUE}\nDE-128: ${VALUE}`, 2100],
    ['with an IV of half a block', JSON.stringify({de127: VALUE, de53: KSN, iv: '0011'}), 2602],
    ['with half a KSN', JSON.stringify({de127: VALUE, de53: KSN.slice(9)}), 2400],
    [
      'of another card in clear',
      JSON.stringify({2: '4012888888881881', de127: VALUE, de53: KSN}),
      2601,
    ],
    ['with a clear card alone', `DE-2: ${PAN}\nDE-53: ${KSN}`, 2110],
    ['of another key scheme', JSON.stringify({de53: '12'.repeat(52), de127: VALUE}), 2111],
    ['with a line that is none', `DE-127: ${VALUE}\nand so on\nDE-53: ${KSN}`, 2100],
  ])('is refused: %s', (_, payload, code) => {
    expect(ask(payload, {})).toBe(code);
  });

  it('shows no card number in an error', () => {
    const {message = ''} = answer({deviceType: 'ifsf', devicePayload: `DE-2: ${PAN}`});
    expect(message).not.toContain(PAN.slice(6, 12));
  });
});

describe('bare hex', () => {
  it('is never recognised', () => {
    expect(recognise(VALUE, KNOWN_TERMINALS)).not.toContain('ifsf');
  });

  it('of a whole message is refused, with advice', () => {
    for (const map of ['F2B0248108C0820A', 'B0B0048000C08000']) {
      const message = Buffer.concat([
        latin1('1200'),
        Buffer.from(map, 'hex'),
        Buffer.alloc(60, 49),
      ]);
      for (const bytes of [message, Buffer.concat([latin1(`1200${map}`), Buffer.alloc(60, 49)])]) {
        const found = answer({deviceType: 'ifsf', devicePayload: bytes.toString('hex'), ksn: KSN});
        expect(found).toMatchObject({errCode: 2100, message: expect.stringContaining('DE-127')});
      }
    }
  });

  it('is one part, and binary as well', () => {
    for (const payload of [VALUE, Buffer.from(VALUE, 'hex').toString('latin1')]) {
      const trace = new Trace();
      readPayload(TERMINALS.ifsf, payload, trace);
      expect(trace.parts).toMatchObject([{offset: 0, length: VALUE.length / 2, name: 'DE-127'}]);
      expect(ask(payload)).toEqual(CARD);
    }
  });

  it('of two reads under one KSN is refused', () => {
    expect(ask(VALUE + sent([element(35, `4012888888881881=25122011143878089`)]))).toBe(2601);
  });
});

describe('the name of a member that may be a card number', () => {
  it.each([{'4012888888881881': 1}, {'4012888888881881': 'a', ' 4012888888881881': 'b'}])(
    'is in no message: %o',
    (members) => {
      const devicePayload = JSON.stringify({de127: 'AA'.repeat(8), ...members});
      const {errCode, message} = answer({deviceType: 'ifsf', devicePayload});
      expect([errCode, message]).toEqual([2100, expect.stringContaining('a member: ')]);
      expect(message).not.toContain('4012888888881881');
    },
  );
});
