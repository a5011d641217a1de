import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {recognise} from '../../../src/engine/recognise.js';
import {Trace} from '../../../src/engine/trace.js';
import {untiled} from '../../untiled.js';
import {answer} from '../samples.js';
import {encrypt, lrcOf} from '../terminal.js';

const KSN = 'FFFF9876543210E00D01';
const PAN = '4012888888881881';
const TRACK_1 = `%B${PAN}^SAMPLE/PRIMA^28012010000000000000?`;
const TRACK_2 = `;${PAN}=28012010000000000000?`;
const T1 = TRACK_1 + lrcOf(TRACK_1);
const T2 = TRACK_2 + lrcOf(TRACK_2);
const MASK_1 = T1.replace(PAN, '4012********1881').replace(
  /\^2801.*$/,
  (end) => `^${'*'.repeat(end.length - 3)}?*`,
);
const MASK_2 = T2.replace(
  /\d{16}=.*$/,
  (rest) => `4012********1881=${'*'.repeat(rest.length - 19)}?*`,
);

interface Options {
  readonly t1?: string;
  readonly t2?: string;
  readonly t3?: string;
  readonly hashes?: 'real' | 'zero' | 'none';
  readonly type?: number;
  readonly mask1?: string;
}

/** Card type, status, three lengths, masked tracks, ciphertext, SHA-1 of each, KSN. */
function record({
  t1 = T1,
  t2 = T2,
  t3 = '',
  hashes = 'real',
  type = 0,
  mask1 = MASK_1,
}: Options = {}) {
  const hash = (text: string) =>
    hashes === 'real' ? createHash('sha1').update(text).digest() : Buffer.alloc(20);
  const sent = [t1, t2].filter((text) => text !== '');
  return Buffer.concat([
    Buffer.from([type, 0x1b, t1.length, t2.length, t3.length]),
    Buffer.from((t1 && mask1) + (t2 && MASK_2) + t3),
    sent.length === 0 ? Buffer.alloc(0) : encrypt(t1 + t2, {ksn: KSN}),
    ...(hashes === 'none' ? [] : sent.map(hash)),
    Buffer.from(KSN, 'hex'),
  ]);
}

function read(payload: Buffer | string, more: {deviceSerial?: string; ksn?: string} = {}) {
  const devicePayload = typeof payload === 'string' ? payload : payload.toString('hex');
  return answer({deviceType: 'prima', devicePayload, ...more});
}

const card = {
  response: {
    meta: {device: 'INFINITE PERIPHERALS', mode: 'swiped'},
    track1: {ascii: TRACK_1},
    track2: {ascii: TRACK_2},
    extracted: {PAN, EXPY: '0128', Surname: 'SAMPLE', FirstName: 'PRIMA'},
  },
};

describe('prima', () => {
  it.each(['real', 'zero', 'none'] as const)('reads a record with %s hashes', (hashes) => {
    expect(read(record({hashes}))).toMatchObject(card);
  });

  it('takes either case and blanks, and text between quotes literally', () => {
    const hex = record().toString('hex');
    const quoted = `${hex.slice(0, 10)} "${MASK_1}" ${hex.slice(10 + 2 * MASK_1.length)}`;
    for (const payload of [hex.toUpperCase(), hex.replaceAll(/(....)/g, '$1 '), quoted]) {
      expect(read(payload)).toMatchObject(card);
    }
  });

  it('reads a record of track 2 alone', () => {
    expect(read(record({t1: ''}))).toMatchObject({response: {extracted: {PAN}}});
  });

  it('returns the clear track 3', () => {
    const t3 = ';011234567890123456=000000000000?';
    const sent = t3 + lrcOf(t3);
    expect(read(record({t3: sent}))).toMatchObject({response: {track3: {ascii: t3}}});
  });

  it('takes the serial number of the request, else the KSN', () => {
    expect(read(record(), {deviceSerial: 'PM-1'})).toMatchObject({
      response: {meta: {serial: 'PM-1'}},
    });
    expect(read(record())).toMatchObject({response: {meta: {serial: 'FFFF9876543210'}}});
  });

  it('answers 2100 to another card type, 2102 to a byte less, 2100 to a byte more', () => {
    expect(read(record({type: 1}))).toMatchObject({errCode: 2100});
    expect(read(record().subarray(0, -1))).toMatchObject({errCode: 2102});
    expect(read(Buffer.concat([record(), Buffer.alloc(1)]))).toMatchObject({errCode: 2100});
  });

  it('answers 2102 to half a byte and 2100 to text', () => {
    expect(read(record().toString('hex').slice(0, -1))).toMatchObject({errCode: 2102});
    expect(read('a prima payload')).toMatchObject({errCode: 2100});
  });

  it('answers 2800 to a record without track 1 and 2', () => {
    expect(read(record({t1: '', t2: ''}))).toMatchObject({errCode: 2800});
  });

  it('answers 2601 when a hash or a masked copy is of another card', () => {
    const wrong = record();
    wrong[wrong.length - 11] = (wrong.at(-11) ?? 0) ^ 1;
    expect(read(wrong)).toMatchObject({errCode: 2601});
    const mask1 = MASK_1.replace('4012', '4013');
    expect(read(record({mask1}))).toMatchObject({errCode: 2601});
  });

  it('answers 2400 when the request has another KSN', () => {
    expect(read(record(), {ksn: 'FFFF9876543210E00D02'})).toMatchObject({errCode: 2400});
  });

  it('reads what begins with 02 as an ID TECH frame, with its errors', () => {
    expect(read('02990180')).toMatchObject({errCode: 2102});
    expect(recognise('02990180', KNOWN_TERMINALS)).toStrictEqual([]);
  });

  it('names every byte', () => {
    const trace = new Trace();
    readPayload(TERMINALS.prima, record().toString('hex'), trace);
    expect(untiled(trace, record().length)).toBeUndefined();
  });

  it('is recognised as prima and as nothing else', () => {
    expect(recognise(record().toString('hex'), KNOWN_TERMINALS)).toStrictEqual(['prima']);
  });
});
