import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, TERMINALS} from '../../../src/engine/families/registry.js';
import {messageName} from '../../../src/engine/families/verifone/message.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {untiled} from '../../untiled.js';
import {answer} from '../samples.js';
import {encrypt, lrcOf, tlv} from '../terminal.js';

const KSN = 'FFFF9876543210E00C01';
const IV = '1122334455667788';
const PAN = '4761739001010010';
const TRACK_1 = `%B${PAN}^SAMPLE/XPI^28122011143844489?`;
const TRACK_2 = `;${PAN}=28122011143844489?`;
const CHIP = Buffer.concat([
  tlv('5A', PAN),
  tlv('5F24', '281231'),
  tlv('57', `${PAN}D28122011143844489`),
]);

interface BlobOptions {
  readonly type?: string;
  readonly encryption?: string;
  readonly iv?: string;
}

function blob(
  plain: string | Uint8Array,
  {type = '0002', encryption = '05', iv = IV}: BlobOptions = {},
) {
  return Buffer.concat([
    tlv('DF900F', '4646'),
    tlv('DF9001', type),
    tlv('DF9009', Buffer.from(encryption)),
    tlv('DF9020', encrypt(plain, {ksn: KSN, iv: IV})),
    tlv('DF9021', KSN),
    ...(iv === '' ? [] : [tlv('DF9022', iv)]),
  ]);
}

function message(head: string, base64: string, type = '02', separator = '\x1c'): string {
  return [head, type, base64].join(separator);
}

/** With STX, ETX and the XOR of what follows STX. */
function framed(text: string): string {
  const body = `${text}\x03`;
  const lrc = [...body].reduce((xor, character) => xor ^ character.charCodeAt(0), 0);
  return `\x02${body}${String.fromCharCode(lrc)}`;
}

function read(devicePayload: string, more: {ksn?: string; iv?: string} = {}) {
  return answer({deviceType: 'verifone', devicePayload, ...more});
}

const base64 = blob(CHIP).toString('base64');
const card = {response: {extracted: {PAN, EXPY: '1228'}}};

describe('verifone, XPI', () => {
  it.each([
    ['the blob in base64', base64],
    ['the blob in hex', blob(CHIP).toString('hex')],
    ['the blob in binary', blob(CHIP).toString('latin1')],
    ['E07 with FS', message('E070005', base64)],
    ['E07 with [FS]', message('E070005', base64, '02', '[FS]')],
    ['E07 with <FS>', message('E070005', base64, '02', '<FS>')],
    ['E07 with STX, ETX and LRC', framed(message('E070005', base64))],
    ['E07 of the older encryption type 04', message('E070004', base64)],
    ['E07 with spelt control characters', `[STX]${message('E070005', base64, '02', '[FS]')}`],
  ])('reads %s', (_, payload) => {
    expect(read(payload)).toMatchObject(card);
  });

  it('takes the LRC over spelt control characters as over the bytes', () => {
    const spelt = framed(message('E070005', base64)).replaceAll('\x1c', '[FS]');
    expect(read(spelt)).toMatchObject(card);
  });

  it('takes line ends behind the LRC, and nothing else: 2101', () => {
    expect(read(`${framed(message('E070005', base64))}\r\n`)).toMatchObject(card);
    expect(read(`${framed(message('E070005', base64))}X`)).toMatchObject({errCode: 2101});
  });

  it.each([
    ['a letter in its status', message('E070X05', base64)],
    ['a digit behind its head', message('E0700051', base64)],
    ['a data type of three digits', message('E070005', base64, '102')],
    ['a data type of one digit', message('E070005', base64, '2')],
    ['a fourth field', `${message('E070005', base64)}\x1cAAAA`],
  ])('answers 2100 to a message with %s', (_, payload) => {
    expect(read(payload)).toMatchObject({errCode: 2100});
  });

  it('answers 2102 to a head that is cut off', () => {
    expect(read('\x02E0700')).toMatchObject({errCode: 2102});
  });

  it('answers 2101 to a wrong LRC, whatever the message says', () => {
    const payload = framed(message('E070000', base64));
    const wrong =
      payload.slice(0, -1) + String.fromCharCode(payload.charCodeAt(payload.length - 1) ^ 4);
    expect(read(wrong)).toMatchObject({errCode: 2101});
  });

  it('answers 2102 when the LRC after ETX is missing', () => {
    expect(read(framed(message('E070005', base64)).slice(0, -1))).toMatchObject({errCode: 2102});
  });

  it.each([
    ['status 01', 'E070105', 2110, ''],
    ['encryption type 00', 'E070000', 2110, ''],
    ['status 02', 'E070205', 2100, 'cryptographic error'],
    ['status 99', 'E079905', 2100, 'unsupported'],
    ['encryption type 01', 'E070001', 2111, 'VSP'],
    ['encryption type 02', 'E070002', 2111, 'PKI'],
    ['encryption type 03', 'E070003', 2111, '03'],
    ['encryption type 06', 'E070006', 2111, '06'],
  ])('refuses %s', (_, head, errCode, words) => {
    const expected = {errCode, message: expect.stringContaining(words)};
    expect(read(message(head, base64))).toMatchObject(expected);
    expect(read(framed(message(head, 'AAAA')))).toMatchObject(expected);
  });

  it.each([
    ['its head', 'E070200'],
    ['an empty data type and no blob', 'E070200[FS][FS]'],
    ['a data type', '\x02E070200\x1c01\x03'],
  ])('answers 2100 and names the status of a failed read that ends with %s', (_, sent) => {
    const lrc = [...sent.slice(1)].reduce((xor, character) => xor ^ character.charCodeAt(0), 0);
    const payload = sent.endsWith('\x03') ? sent + String.fromCharCode(lrc) : sent;
    const message = expect.stringContaining('cryptographic error');
    expect(read(payload)).toMatchObject({errCode: 2100, message});
  });

  it('answers 2111 to another scheme that adds fields of its own', () => {
    expect(read('E070001\x1c01\x1cAAAA\x1cBBBB')).toMatchObject({errCode: 2111});
  });

  it('takes a line end in front of STX, and base64 without its padding', () => {
    expect(read(`\r\n${framed(message('E070005', base64))}`)).toMatchObject(card);
    const odd = Buffer.concat([blob(CHIP), Buffer.alloc((4 - (blob(CHIP).length % 3)) % 3)]);
    expect(read(odd.toString('base64').replace(/=+$/, ''))).toMatchObject(card);
  });

  it('refuses a blob that says another encryption type than VSD', () => {
    expect(read(blob(CHIP, {encryption: '02'}).toString('base64'))).toMatchObject({errCode: 2111});
    expect(read(blob(CHIP, {encryption: '00'}).toString('base64'))).toMatchObject({errCode: 2110});
  });

  it.each([
    ['DF9020', ['DF9021', KSN]],
    ['DF9021', ['DF9020', '0011223344556677']],
  ])('answers 2111 to a blob without %s', (_, [tag = '', value = '']) => {
    const payload = Buffer.concat([tlv('DF9001', '0002'), tlv(tag, value)]).toString('base64');
    expect(read(payload)).toMatchObject({errCode: 2111});
  });

  it('names the closed scheme that a blob names itself', () => {
    const payload = Buffer.concat([tlv('DF9001', '0001'), tlv('DF9010', Buffer.from('eParms'))]);
    expect(read(message('E070005', payload.toString('base64')))).toMatchObject({
      errCode: 2111,
      message: expect.stringContaining('VSP'),
    });
  });

  it('answers 2602 to an IV of another length, and to one that the request contradicts', () => {
    expect(read(blob(CHIP, {iv: '11223344556677'}).toString('base64'))).toMatchObject({
      errCode: 2602,
    });
    expect(read(base64, {iv: '0000000000000000'})).toMatchObject({errCode: 2602});
  });

  it("takes the request's IV where DF9022 is absent", () => {
    const payload = blob(CHIP, {iv: ''}).toString('base64');
    expect(read(payload, {iv: IV})).toMatchObject(card);
    expect(read(payload)).toMatchObject({errCode: 2601});
  });

  it('gives tracks in base64 where the payload is base64, else in hex', () => {
    const text = TRACK_1 + lrcOf(TRACK_1) + TRACK_2 + lrcOf(TRACK_2);
    const tracks = blob(text, {type: '0001'});
    for (const [payload, encoding] of [
      [tracks.toString('base64'), 'base64'],
      [message('E070005', tracks.toString('base64'), '01'), 'base64'],
      [tracks.toString('hex'), 'hex'],
    ]) {
      const sent = Buffer.from(TRACK_2 + lrcOf(TRACK_2)).toString(encoding as 'base64');
      expect(read(payload ?? '')).toMatchObject({
        response: {meta: {mode: 'swiped'}, track2: {ascii: TRACK_2, decrypted: sent, encoding}},
      });
    }
  });

  it('reads tag 5A of data type 03 as keyed entry', () => {
    const plain = Buffer.concat([tlv('5A', PAN), tlv('5F24', '281231')]);
    const keyed = blob(plain, {type: '0003'}).toString('base64');
    for (const payload of [keyed, message('E070005', keyed, '03')]) {
      expect(read(payload)).toMatchObject({response: {meta: {mode: 'keyed'}}});
    }
  });

  it('answers 2102 to a base64 text that is cut off', () => {
    expect(read(base64.slice(0, -5))).toMatchObject({errCode: 2102});
    expect(read(message('E070005', base64.slice(0, 40)))).toMatchObject({errCode: 2102});
    expect(read('E070005\x1c02')).toMatchObject({errCode: 2102});
  });

  it.each([
    ['a C31 message with a clear PAN', `C3100\0\x0a${tlv('5A', PAN).toString('latin1')}`, 2110],
    [
      'a clear PAN and more behind its length',
      `C3100\0\x0a${tlv('5A', PAN).toString('latin1')}\x03z`,
      2110,
    ],
    ['the same in hex', `C3100000A${tlv('5A', PAN).toString('hex')}\n`, 2102],
    ['a C31 message with a masked PAN', 'C3100\0\x0aZ\x08Gas\xaa\xaa\xaa\x00\x10', 2100],
    ['a C30 message', 'C30\x1c00', 2100],
    ['another message', '\x02E06\x03v', 2100],
  ])('answers %s with its code', (_, payload, errCode) => {
    expect(read(payload)).toMatchObject({errCode});
  });

  it('names every character of a message, the tags inside base64 too', () => {
    for (const payload of [base64, framed(message('E070005', base64))]) {
      const trace = new Trace();
      readPayload(TERMINALS.verifone, payload, trace);
      expect(untiled(trace, payload.length)).toBeUndefined();
      expect(trace.parts.map(({name}) => name)).toContain('DF9021 KSN');
    }
  });

  it('names the fields of a message as the manual does', () => {
    const trace = new Trace();
    readPayload(TERMINALS.verifone, framed(message('E070005', base64)), trace);
    const outer = trace.parts.filter(({name}) => !/^(?:DF|fill)/.test(name));
    expect(outer.map(({name, value, meaning}) => [name, value.slice(0, 3), meaning])).toEqual([
      ['STX', '02', undefined],
      ['message', 'E07', undefined],
      ['status', '00', 'ok'],
      ['encryption type', '05', 'VSD'],
      ['FS', '1C', undefined],
      ['data type', '02', 'EMV'],
      ['FS', '1C', undefined],
      ['ETX', '03', undefined],
      ['LRC', expect.stringMatching(/^[0-9A-F]{2}$/), undefined],
    ]);
  });

  it('names the whole of a clear message', () => {
    const trace = new Trace();
    const payload = `C3100\0\x0a${tlv('5A', PAN).toString('latin1')}`;
    try {
      readPayload(TERMINALS.verifone, payload, trace);
    } catch {
      // It is refused; what was read stands in the trace.
    }
    expect(trace.parts).toMatchObject([{offset: 0, length: payload.length, sensitivity: 'card'}]);
  });

  it('names no field that is empty', () => {
    const trace = new Trace();
    expect(() => readPayload(TERMINALS.verifone, 'E070005\x1c\x1c', trace)).toThrow(
      'data type at character 8',
    );
    expect(trace.parts.filter(({length}) => length === 0)).toEqual([]);
  });

  it.each([
    ['E070200', 'E07'],
    [' E070200\n', 'E07'],
    ['DE070200', undefined],
    ['E0702001', undefined],
    ['\x02E070200\x1c', 'E07'],
    ['[STX]C30', 'C30'],
    ['<STX>E06', ''],
    ['X E070200', undefined],
  ])('takes %j for the message %j', (payload, name) => {
    expect(messageName(payload)).toBe(name);
  });

  it('is recognised as verifone and as nothing else', () => {
    expect(recognise(base64, KNOWN_TERMINALS)).toStrictEqual(['verifone']);
    expect(recognise(message('E070005', base64), KNOWN_TERMINALS)).toStrictEqual(['verifone']);
  });
});
