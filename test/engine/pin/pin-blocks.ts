import {createCipheriv} from 'node:crypto';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import type {TerminalType} from '../../../src/engine/families/registry.js';
import {TEST_CARDS, type TestCard} from '../../../src/simulator/test-cards.js';
import {simulate} from '../../writers.js';
import {tlv, workingKey} from '../terminal.js';

/** PIN blocks of ISO 9564-1 made with node:crypto alone, and messages with them. */

export type Format = 0 | 1 | 3 | 4;

export interface PinOf {
  readonly pin: string;
  readonly pan: string;
  readonly format: Format;
}

const FILL: Readonly<Record<Format, string>> = {
  0: 'FFFFFFFFFF',
  1: '0123456789',
  3: 'ABCDEFABCD',
  4: 'AAAAAAAAAA',
};

/** Under the PIN key of a KSN: of TDES DUKPT, also for AES. */
export function encryptedPin(of: PinOf, ksn: string, bdk?: string): Buffer {
  const key = workingKey({ksn, variant: 'pin', ...(bdk === undefined ? {} : {bdk})});
  return pinUnder(key, of);
}

/** Format 4 is under AES, and its card number is added between two encryptions. */
export function pinUnder(key: Buffer, {pin, pan, format}: PinOf): Buffer {
  const field = (format + pin.length.toString(16) + pin + FILL[format]).slice(0, 16);
  if (format === 4) {
    const first = encipher('aes-128-ecb', key, Buffer.from(`${field}0F1E2D3C4B5A6978`, 'hex'));
    return encipher('aes-128-ecb', key, xor(first, Buffer.from(panField4(pan), 'hex')));
  }
  const block = Buffer.from(field, 'hex');
  const number = Buffer.from(`0000${pan.slice(-13, -1).padStart(12, '0')}`, 'hex');
  const whole = Buffer.concat([key, key.subarray(0, 8)]);
  return encipher('des-ede3', whole, format === 1 ? block : xor(block, number));
}

function encipher(name: string, key: Buffer, block: Buffer): Buffer {
  return createCipheriv(name, key, null).setAutoPadding(false).update(block);
}

function panField4(pan: string): string {
  return `${(pan.length - 12).toString(16)}${pan}`.padEnd(32, '0');
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}

export const KSN = 'FFFF9876543210E00001';
export const PIN_KSN = 'FFFF9876543210E00004';
export const CARD = TEST_CARDS.find(({id}) => id === 'visa') as TestCard;

/** A message of a terminal with the PIN block and its KSN where that terminal puts them. */
type Carrier = (block: Buffer, ksn: string) => string;

function base(deviceType: TerminalType, mode: 'emv' | 'swiped', options: Record<string, string>) {
  const made = simulate({deviceType, mode, card: CARD, ksn: KSN, keys: testKeyRing(), options});
  return made.devicePayload;
}

const hex = (...parts: readonly Buffer[]) => Buffer.concat(parts).toString('hex').toUpperCase();

const magtekCarrier: Carrier = (block, ksn) => {
  const [encrypted = ''] = /F86C.{216}/.exec(base('magtek', 'emv', {})) ?? [];
  const pin = tlv('F5', Buffer.concat([tlv('99', block), tlv('DFDF41', ksn), tlv('DFDF42', '81')]));
  const whole = tlv('F9', tlv('FA', Buffer.concat([Buffer.from(encrypted, 'hex'), pin])));
  return hex(Buffer.from([whole.length >> 8, whole.length & 255]), whole);
};

/** Of a KSN of 10 bytes: the first five are the name of the key set. */
const nexoCarrier: Carrier = (block, ksn) => {
  const bytes = Buffer.from(ksn, 'hex');
  const cut = bytes.length === 12 ? 8 : 5;
  const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
  const kek = `<KEKId><KeyId>Pin</KeyId><KeyVrsn>1</KeyVrsn><DerivtnId>${first.toString('base64')}</DerivtnId></KEKId><KeyNcrptnAlgo><Algo>DKP9</Algo></KeyNcrptnAlgo><NcrptdKey>${second.toString('base64')}</NcrptdKey>`;
  const pin = `<PIN><NcrptdPINBlck><CnttTp>EVLP</CnttTp><EnvlpdData><Rcpt><KEK>${kek}</KEK></Rcpt><NcrptdCntt><CnttTp>DATA</CnttTp><CnttNcrptnAlgo><Algo>E3DC</Algo></CnttNcrptnAlgo><NcrptdData>${block.toString('base64')}</NcrptdData></NcrptdCntt></EnvlpdData></NcrptdPINBlck><PINFrmt>ISO0</PINFrmt></PIN>`;
  return base('nexo', 'emv', {form: 'request'}).replace('</Envt>', `${pin}</Envt>`);
};

/** Its PIN is under the KSN of its card data. */
const ifsfCarrier: Carrier = (block, ksn) => {
  const keys = testKeyRing();
  const options = {form: 'json'};
  const made = simulate({deviceType: 'ifsf', mode: 'swiped', card: CARD, ksn, keys, options});
  return JSON.stringify({...JSON.parse(made.devicePayload), de52: hex(block)});
};

/** Beside the tracks, with the KSN in an object of its own. */
function forwardedCarrier(type: TerminalType, mode: 'emv' | 'swiped' = 'swiped'): Carrier {
  return (block, ksn) => {
    const pin = {pinBlock: hex(block), pinEncryptionParams: {ksn}};
    return JSON.stringify({...JSON.parse(base(type, mode, {form: 'short'})), ...pin});
  };
}

export const CARRIERS: Readonly<Partial<Record<TerminalType, readonly Carrier[]>>> = {
  miura: [
    (block, ksn) =>
      base('miura', 'emv', {form: 'flat'}) + hex(tlv('DFAE04', block), tlv('DFAE05', ksn)),
  ],
  verifone: [
    (block, ksn) =>
      base('verifone', 'emv', {form: 'tags'}) + hex(tlv('DFED6C', block), tlv('DFED03', ksn)),
  ],
  wisepad: [(block, ksn) => base('wisepad', 'emv', {}) + hex(tlv('99', block), tlv('C1', ksn))],
  magtek: [
    magtekCarrier,
    (block, ksn) => `${base('magtek', 'swiped', {form: 'ipad'})}13~${ksn}|14~${hex(block)}|`,
  ],
  idtech: [
    (block, ksn) =>
      base('idtech', 'emv', {}).slice(28, -4) +
      hex(tlv('99', Buffer.concat([block, Buffer.from(ksn, 'hex')]))),
  ],
  'ingenico-rba': [
    (block, ksn) => {
      const value = hex(block) + ksn;
      const length = (value.length / 2).toString(16).padStart(2, '0').toUpperCase();
      const message = base('ingenico-rba', 'emv', {});
      return message.replace('\x1cT9F39', `\x1cT99:${length}:h${value}\x1cT9F39`).slice(1, -2);
    },
  ],
  nexo: [nexoCarrier],
  dspread: [
    (block, ksn) => base('dspread', 'emv', {}) + hex(tlv('C1', ksn), tlv('C7', block)),
    (block, ksn) => {
      const members = JSON.parse(base('dspread', 'swiped', {form: 'json'}));
      return JSON.stringify({...members, pinBlock: hex(block), pinKsn: ksn});
    },
  ],
  newland: [forwardedCarrier('newland')],
  bbpos: [forwardedCarrier('bbpos')],
  poynt: [forwardedCarrier('poynt')],
  spire: [
    forwardedCarrier('spire', 'emv'),
    (block, ksn) => {
      const verificationData = {pinData: hex(block), pinEncryptionParams: {ksn, format: 'iso-0'}};
      return JSON.stringify({...JSON.parse(base('spire', 'emv', {})), verificationData});
    },
  ],
  ifsf: [ifsfCarrier],
};
