import {describe, expect, it} from 'vitest';
import {enhancedPieces, flagged, frame, sealed, T2, track} from './families/idtech-frames.js';
import {answer, ringOf, type SampleKey} from './samples.js';
import {AES_TEST_BDK, encrypt, lrcOf, tlv} from './terminal.js';

const KSN = '123456789012345600000003';
const USAGES = {'data encryption': 0x3000, 'both ways': 0x3002, 'data decryption': 0x3001};
const KEYS: readonly SampleKey[] = [{kind: 'bdk', hex: AES_TEST_BDK, ksnPrefix: '12345678'}];

function ask(deviceType: 'idtech' | 'generic', devicePayload: string, more = {}) {
  return answer({deviceType, devicePayload, ...more}, ringOf(KEYS));
}

describe('AES DUKPT, a KSN of 12 bytes', () => {
  for (const [name, usage] of Object.entries(USAGES)) {
    it(`opens a generic track under the key for ${name}`, () => {
      const track2 = encrypt(T2 + lrcOf(T2), {ksn: KSN, usage}).toString('hex');
      expect(ask('generic', JSON.stringify({ksn: KSN, track2}))).toMatchObject({
        response: {track2: {ascii: T2}, meta: {serial: '1234567890123456'}},
      });
    });
  }

  it('opens encrypted tags', () => {
    const tag57 = '4012888888881881D28012010000000000FFFF';
    const list = [tlv('DFEE12', KSN), flagged('57', 'C1', sealed('57', tag57, {ksn: KSN}))];
    expect(ask('idtech', Buffer.concat(list).toString('hex'))).toMatchObject({
      response: {extracted: {PAN: '4012888888881881'}},
    });
  });

  it('opens a swipe frame', () => {
    const pieces = enhancedPieces({
      tracks: [undefined, track(T2)],
      ksn: KSN,
      setting: {algorithm: 'aes'},
    });
    expect(ask('idtech', frame(pieces))).toMatchObject({response: {track2: {ascii: T2}}});
  });

  it('takes an IV of 16 bytes', () => {
    const iv = '000102030405060708090A0B0C0D0E0F';
    const track2 = encrypt(T2, {ksn: KSN, iv}).toString('hex');
    const payload = JSON.stringify({ksn: KSN, track2});
    expect(ask('generic', payload, {iv})).toMatchObject({response: {track2: {ascii: T2}}});
    expect(ask('generic', payload, {iv: iv.slice(16)})).toMatchObject({errCode: 2602});
    expect(ask('generic', payload)).toMatchObject({errCode: 2602});
  });

  it('refuses ciphertext that is no whole AES blocks: 2102', () => {
    const payload = JSON.stringify({ksn: KSN, track2: '00'.repeat(40)});
    expect(ask('generic', payload)).toMatchObject({errCode: 2102});
  });

  it('refuses a wrong key: 2601', () => {
    const track2 = encrypt(T2, {ksn: KSN, bdk: '1'.repeat(32)}).toString('hex');
    expect(ask('generic', JSON.stringify({ksn: KSN, track2}))).toMatchObject({errCode: 2601});
  });

  it('finds no TDES key for it: 2600', () => {
    const track2 = encrypt(T2, {ksn: KSN}).toString('hex');
    const devicePayload = JSON.stringify({ksn: KSN, track2});
    const ring = ringOf([{kind: 'bdk', hex: AES_TEST_BDK, ksnPrefix: 'FFFF'}]);
    expect(answer({deviceType: 'generic', devicePayload}, ring)).toMatchObject({errCode: 2600});
  });
});
