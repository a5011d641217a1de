import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {untiled} from '../../untiled.js';
import {answer} from '../samples.js';
import {encrypt, lrcOf, tlv} from '../terminal.js';
import {chainedFrames, linkFrame, SUCCESS} from './link-frames.js';

const KSN = 'FFFF9876543210E00A01';
const NEXT_KSN = 'FFFF9876543210E00A02';
const PAN = '4761739001010010';
const TAG_57 = tlv('57', `${PAN}D28122011143844489`);
const TAG_5A = tlv('5A', PAN);
const MASKED_57 = tlv('DFAE57', '476173FFFFFF0010D28122011143844489');

function pair(plain: Uint8Array, ksn = KSN): Buffer {
  return Buffer.concat([tlv('DFAE02', encrypt(plain, {ksn})), tlv('DFAE03', ksn)]);
}

function flat(...objects: readonly Uint8Array[]): string {
  return Buffer.concat(objects).toString('hex').toUpperCase();
}

function read(
  devicePayload: string,
  more: {ksn?: string; iv?: string; deviceSerial?: string} = {},
) {
  return answer({deviceType: 'miura', devicePayload, ...more});
}

function card(pan: string, more: object = {}) {
  return {response: {extracted: {PAN: pan}, ...more}};
}

describe('miura', () => {
  it('takes a template, its tags alone, and lower case with blanks alike', () => {
    const tags = [pair(TAG_57), MASKED_57];
    const template = tlv('E4', Buffer.concat(tags)).toString('hex');
    const spaced = template.replaceAll(/(..)/g, '$1 ');
    for (const payload of [flat(...tags), template.toUpperCase(), spaced]) {
      expect(read(payload)).toMatchObject(card(PAN, {meta: {mode: 'emv'}}));
    }
  });

  it('gives the content of two equal blobs once', () => {
    const payload = flat(pair(TAG_57), pair(TAG_57, NEXT_KSN));
    const list = TAG_57.toString('hex');
    expect(read(payload)).toMatchObject(card(PAN, {tlv: {decrypted: list}}));
  });

  it('gives the lists of two different blobs in the order of the payload', () => {
    const payload = flat(pair(TAG_57), pair(TAG_5A, NEXT_KSN), MASKED_57);
    const lists = Buffer.concat([TAG_57, TAG_5A]).toString('hex');
    expect(read(payload)).toMatchObject(card(PAN, {tlv: {decrypted: lists}}));
  });

  it('refuses two blobs of different cards', () => {
    const other = tlv('5A', '4012888888881881');
    expect(read(flat(pair(TAG_57), pair(other, NEXT_KSN)))).toMatchObject({errCode: 2601});
  });

  it('refuses two blobs whose tags 57 are of different cards', () => {
    const other = tlv('57', '4012888888881881D28122011143844489');
    expect(read(flat(pair(TAG_57), pair(other, NEXT_KSN)))).toMatchObject({errCode: 2601});
  });

  it('takes the KSN before a blob when none follows', () => {
    const [blob, ksn] = [tlv('DFAE02', encrypt(TAG_57, {ksn: KSN})), tlv('DFAE03', KSN)];
    expect(read(flat(ksn, blob))).toMatchObject(card(PAN));
  });

  it("takes the request's KSN when the payload has none, else answers 2400", () => {
    const payload = flat(tlv('DFAE02', encrypt(TAG_57, {ksn: KSN})));
    expect(read(payload, {ksn: KSN})).toMatchObject(card(PAN));
    expect(read(payload)).toMatchObject({errCode: 2400});
  });

  it('lets the request name the KSN of the PIN', () => {
    const payload = flat(pair(TAG_57), tlv('DFAE04', 'B2449FABB96D4228'), tlv('DFAE05', NEXT_KSN));
    expect(read(payload, {ksn: NEXT_KSN})).toMatchObject(card(PAN));
  });

  it('answers 2400 when the request names another KSN than the payload', () => {
    expect(read(flat(pair(TAG_57)), {ksn: NEXT_KSN})).toMatchObject({errCode: 2400});
  });

  it.each([
    ['DFAE57', '476174FFFFFF0010D28122011143844489'],
    ['DFAE5A', '476173FFFFFF0011'],
    ['DFAE22', Buffer.from(';476173******0019=2812201**********?*').toString('hex')],
  ])('answers 2601 when the masked copy %s shows another card', (tag, value) => {
    expect(read(flat(pair(TAG_57), tlv(tag, value)))).toMatchObject({errCode: 2601});
  });

  it('reads a 19 digit PAN whose masked copy ends in the filler', () => {
    const pan = '6205500000000000004';
    const plain = tlv('57', `${pan}D28122010000F`.padEnd(34, 'F'));
    const copy = tlv('DFAE5A', `620550FFFFFFFFF0004F`);
    expect(read(flat(pair(plain), copy))).toMatchObject(card(pan));
  });

  it.each([
    ['91', 'swiped'],
    ['90', 'swiped'],
    ['07', 'emv'],
    ['05', 'emv'],
  ])('calls a 57 with POS entry mode %s %s', (entry, mode) => {
    expect(read(flat(pair(TAG_57), tlv('9F39', entry)))).toMatchObject({response: {meta: {mode}}});
  });

  it('tells keyed entry by 5A without 57 and 9F39, and takes the clear expiry', () => {
    const payload = flat(pair(TAG_5A), tlv('5F24', '281231'));
    expect(read(payload)).toMatchObject({
      response: {meta: {mode: 'keyed'}, extracted: {PAN, EXPY: '1228'}},
    });
    const chip = flat(pair(TAG_5A), tlv('5F24', '281231'), tlv('9F39', '05'));
    expect(read(chip)).toMatchObject({response: {meta: {mode: 'emv'}}});
  });

  it('answers 2100, naming the tag, when no expiry is given', () => {
    const found = read(flat(pair(TAG_5A)));
    expect(found).toMatchObject({errCode: 2100, message: expect.stringContaining('5F24')});
  });

  it('takes the serial number of 9F1E, but not a placeholder', () => {
    const serial = (text: string) => tlv('9F1E', Buffer.from(text));
    const named = read(flat(serial('10000496'), pair(TAG_57)));
    expect(named).toMatchObject({response: {meta: {serial: '10000496'}}});
    const filled = read(flat(serial('104961\0\0'), pair(TAG_57)));
    expect(filled).toMatchObject({response: {meta: {serial: '104961'}}});
    const unnamed = read(flat(serial('12345678'), pair(TAG_57)));
    expect(unnamed).toMatchObject({response: {meta: {serial: 'FFFF9876543210'}}});
  });

  it('answers 2103 when 9F1E and the request name different terminals', () => {
    const payload = flat(tlv('9F1E', Buffer.from('10000496')), pair(TAG_57));
    expect(read(payload, {deviceSerial: '10000497'})).toMatchObject({errCode: 2103});
  });

  it('returns the name that stands in clear beside the blob', () => {
    const payload = flat(tlv('5F20', Buffer.from('SAMPLE/ONE')), pair(TAG_57));
    expect(read(payload)).toMatchObject(card(PAN));
    expect(read(payload)).toMatchObject({
      response: {extracted: {Surname: 'SAMPLE', FirstName: 'ONE'}},
    });
  });

  it('answers 2602 to an IV that is not one block', () => {
    expect(read(flat(pair(TAG_57)), {iv: '00'})).toMatchObject({errCode: 2602});
  });

  it('answers 2102 when a blob is not whole blocks', () => {
    expect(read('DFAE020700112233445566')).toMatchObject({errCode: 2102});
  });

  it('answers 2110 to clear card data without a blob', () => {
    expect(read(flat(TAG_57))).toMatchObject({errCode: 2110});
  });

  it('answers 2100 to tags without any card data', () => {
    expect(read(flat(tlv('9F02', '000000001000')))).toMatchObject({errCode: 2100});
  });

  it('answers 2102 when the last length runs past the end, 2100 when a length has no form', () => {
    expect(read('E10548020007')).toMatchObject({errCode: 2102});
    expect(read('E1FF')).toMatchObject({errCode: 2100});
  });
});

describe('miura link frames', () => {
  const track2 = ';4761739001010010=28122011143844489?';
  const swipe = tlv('5F22', Buffer.from(track2 + lrcOf(track2)));
  const message = Buffer.concat([tlv('E1', pair(swipe)), SUCCESS]);

  it('are joined, one message or several', () => {
    const one = chainedFrames(message, 20).toString('hex');
    const two = `${linkFrame(message, 0x40).toString('hex')}${one}`;
    for (const payload of [one, two]) {
      expect(read(payload)).toMatchObject(card(PAN, {meta: {mode: 'swiped'}}));
    }
  });

  it('are read in binary, too', () => {
    expect(read(linkFrame(message).toString('latin1'))).toMatchObject(card(PAN));
  });

  it('are named byte for byte, also where a tag goes on in the next frame', () => {
    const frames = chainedFrames(message, 20);
    const trace = new Trace();
    readPayload(TERMINALS.miura, frames.toString('hex'), trace);
    expect(untiled(trace, frames.length)).toBeUndefined();
    expect(trace.parts.some(({name}) => name.endsWith('continued'))).toBe(true);
    expect(trace.checks.every(({ok}) => ok)).toBe(true);
  });

  it('with a wrong LRC are damaged: 2101', () => {
    const frame = linkFrame(message);
    frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1;
    expect(read(frame.toString('hex'))).toMatchObject({errCode: 2101});
  });

  it('shorter than their length are cut: 2102', () => {
    expect(read(linkFrame(message).subarray(0, -3).toString('hex'))).toMatchObject({errCode: 2102});
  });

  it('followed by bytes that begin no frame are damaged: 2101', () => {
    expect(read(`${linkFrame(message).toString('hex')}77`)).toMatchObject({errCode: 2101});
  });

  it('whose chain does not end are cut: 2102', () => {
    expect(read(linkFrame(message, 0x01).toString('hex'))).toMatchObject({errCode: 2102});
  });

  it('with a status word other than 9000 and no blob answer 2100', () => {
    const failed = linkFrame(Buffer.from('9F41', 'hex')).toString('hex');
    expect(read(failed)).toMatchObject({errCode: 2100, message: expect.stringContaining('9F41')});
  });

  it('are recognised as miura and as nothing else', () => {
    expect(recognise(linkFrame(message).toString('hex'), KNOWN_TERMINALS)).toStrictEqual(['miura']);
  });
});
