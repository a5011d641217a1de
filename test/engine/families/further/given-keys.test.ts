import {describe, expect, it} from 'vitest';
import type {TerminalType} from '../../../../src/engine/families/registry.js';
import {inspectPayload} from '../../../../src/engine/inspection/inspect-payload.js';
import {diagnoseJson, labelsOf} from '../../../diagnosis/diagnosing.js';
import {answer, ringOf, type SampleKey, TEST_BDK} from '../../samples.js';
import {encrypt, workingKey} from '../../terminal.js';

/** Data whose key the message does not let anybody derive, read with the key itself. */

const KSN = 'FFFF9876543210E00041';
const AES_KSN = '123456789012345600000007';
const PAN = '4761739001010010';
const TRACK = `${PAN}=25122011143878089`;
const CARD = {PAN, EXPY: '1225', ServiceCode: '201', Discretionary: '1143878089'};
const IV = '0123456789ABCDEF';
const TDES = workingKey({ksn: KSN}).toString('hex');
const AES = workingKey({ksn: AES_KSN}).toString('hex');

const given = (hex: string, more: Partial<SampleKey> = {}): SampleKey => ({
  kind: 'working',
  hex,
  ...more,
});
const base: SampleKey = {kind: 'bdk', hex: TEST_BDK};
const XML = `<PlainCardData><Trck2>${TRACK}</Trck2></PlainCardData>`;
const base64 = (bytes: Buffer) => bytes.toString('base64');

function iso(keys: string, {ksn = KSN, cipher = 'E3DC', iv = ''} = {}): string {
  const data = base64(encrypt(XML, {ksn, fill: 'iso7816', ...(iv ? {iv} : {})}));
  const told = iv
    ? `<Param><InitlstnVctr>${base64(Buffer.from(iv, 'hex'))}</InitlstnVctr></Param>`
    : '';
  return `<Card><PrtctdCardData><EnvlpdData>${keys}<NcrptdCntt><CnttNcrptnAlgo><Algo>${cipher}</Algo>${told}</CnttNcrptnAlgo><NcrptdData>${data}</NcrptdData></NcrptdCntt></EnvlpdData></PrtctdCardData></Card>`;
}

const kek = (algorithm: string) =>
  `<Rcpt><KEK><KEKId><KeyId>K</KeyId></KEKId><KeyNcrptnAlgo><Algo>${algorithm}</Algo></KeyNcrptnAlgo><NcrptdKey>AAECAwQFBgcICQoLDA0ODw==</NcrptdKey></KEK></Rcpt>`;
const SHARED = '<Rcpt><KeyIdr><KeyId>K</KeyId><KeyVrsn>1</KeyVrsn></KeyIdr></Rcpt>';
const RSA =
  '<Rcpt><KeyTrnsprt><KeyNcrptnAlgo><Algo>ERSA</Algo></KeyNcrptnAlgo></KeyTrnsprt></Rcpt>';

const saleToPoi = JSON.stringify({
  EnvelopedData: {
    Recipient: [
      {KEK: {KeyEncryptionAlgorithm: {Algorithm: 'id-ukpt-wrap '}, EncryptedKey: 'AAEC'}},
    ],
    EncryptedContent: {
      ContentEncryptionAlgorithm: {Algorithm: 'des-ede3-cbc'},
      EncryptedData: base64(encrypt(XML, {ksn: KSN, fill: 'iso7816'})),
    },
  },
});

const masterSession = JSON.stringify({
  encryptedData: {
    keyDerivationAlgorithm: 'MASTERSESSION',
    encryptionAlgorithm: 'DES112CBC',
    key: {index: '7', name: 'K'},
    value: base64(encrypt(JSON.stringify({track2: TRACK}), {ksn: KSN, fill: 'iso7816'})),
  },
});

const element = (tag: number, value: string) =>
  Buffer.concat([Buffer.from([tag, 0, value.length]), Buffer.from(value, 'latin1')]);
/** Generation, version, three random numbers, version of the shared key. */
const DE53 = `0102${'11'.repeat(16)}${'22'.repeat(16)}${'33'.repeat(16)}0304`;
const de127 = (iv?: string) =>
  encrypt(element(35, TRACK), {ksn: KSN, ...(iv ? {iv} : {})}).toString('hex');
const zka = (more: object = {}) => JSON.stringify({de53: DE53, de127: de127(), ...more});

type Case = readonly [TerminalType, what: string, payload: string, key: string, code: number];

const CASES: readonly Case[] = [
  ['nexo', 'UKPT', iso(kek('UKPT')), TDES, 2111],
  ['nexo', 'UKPT', iso(kek('UKA1'), {ksn: AES_KSN, cipher: 'EA2C'}), AES, 2111],
  ['nexo', 'wrapped by TDES', iso(kek('E3DC'), {iv: IV}), TDES, 2111],
  ['nexo', 'wrapped by AES', iso(kek('EA2C')), TDES, 2111],
  ['nexo', 'a shared key', iso(SHARED), TDES, 2111],
  ['nexo', 'UKPT', iso(RSA + kek('UKPT')), TDES, 2111],
  ['nexo', 'UKPT', saleToPoi, TDES, 2111],
  ['nexo', 'a master and session key', masterSession, TDES, 2600],
  ['ifsf', 'ZKA', zka(), TDES, 2111],
  ['ifsf', 'ZKA', zka({iv: IV, de127: de127(IV)}), TDES, 2111],
  ['ifsf', 'ZKA', `DE-53: ${DE53}\nDE-127: ${de127()}`, TDES, 2111],
];

function ask(deviceType: TerminalType, devicePayload: string, keys: readonly SampleKey[]) {
  const {response, errCode} = answer({deviceType, devicePayload}, ringOf(keys));
  return response?.extracted ?? errCode;
}

describe('data under a key that nobody can derive', () => {
  it.each(CASES)('is decrypted with the working key: %s, %s', (type, _, payload, key) => {
    expect(ask(type, payload, [given(key)])).toEqual(CARD);
    expect(ask(type, payload, [base, given(key)])).toEqual(CARD);
  });

  it.each(CASES)('is refused with what to give: %s, %s', (deviceType, what, payload, key, code) => {
    const request = {deviceType, devicePayload: payload};
    const ofAnother = given(key, {ksnPrefix: 'AAAA'});
    for (const keys of [[], [base], [ofAnother]] as const) {
      const {errCode, message} = answer(request, ringOf(keys));
      expect(errCode).toBe(code);
      expect(message).toMatch(new RegExp(`${what}.*only the working key.*--key-kind working`));
    }
    const {refusal} = inspectPayload(request, false);
    expect(refusal).toMatchObject({errCode: code, errMessage: expect.stringContaining(what)});
  });

  it.each(CASES)('is not opened by another key: %s, %s', (type, _, payload, key) => {
    const other = `${key.slice(0, -1)}${key.endsWith('2') ? '4' : '2'}`;
    expect(ask(type, payload, [given(other)])).toBe(2601);
  });

  it.each(CASES)('is found by the diagnosis: %s, %s', async (_type, _what, payload, hex) => {
    const labels = labelsOf(await diagnoseJson({payload, keys: [{kind: 'working', hex}]}));
    expect(labels).toContain('key-is-working-key');
    expect(labels).not.toContain('closed-scheme');
  });

  it('takes the key of the KSN that the request names', () => {
    const own = given(TDES, {ksnPrefix: KSN});
    const {response} = answer({deviceType: 'ifsf', devicePayload: zka(), ksn: KSN}, ringOf([own]));
    expect(response?.extracted).toEqual(CARD);
  });

  it.each([
    ['RSA key transport', iso(RSA)],
    ['NIST SP 800-108', iso(kek('N108'))],
    ['RSA key transport', iso(kek('RSAO'))],
    ['unknown', iso(kek('XXXX'))],
    ['unknown cipher', iso(kek('UKPT'), {cipher: 'E36C'})],
  ])('is refused with any key: %s', (what, devicePayload) => {
    const {errCode, message} = answer({deviceType: 'nexo', devicePayload}, ringOf([given(TDES)]));
    expect({errCode, message}).toEqual({errCode: 2111, message: expect.stringContaining(what)});
  });
});
