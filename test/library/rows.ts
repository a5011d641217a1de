import {generateKeyPairSync} from 'node:crypto';
import * as library from '../../src/index.js';

/** A function of the library and arguments that it accepts. */
export interface Row {
  readonly call: (...given: never[]) => unknown;
  /** Made anew for every call. */
  readonly given: () => unknown[];
  /** What of the result is the same in every call; absent: all of it. */
  readonly same?: (result: never) => unknown;
}

const KSN = 'FFFF9876543210E00001';
const KBPK = '88E1AB2A2E3DD38C1FA039A536500CC8A87AB9D62DC92C01058FA79F44657DE6';
const HEADER = {
  version: 'D',
  usage: 'B1',
  algorithm: 'T',
  mode: 'X',
  keyVersion: '00',
  exportability: 'E',
  optional: [{id: 'KS', data: KSN}],
} as const;
const IK = '6AC292FAA1315B4D858AB3A3D7D5933A';
const PARTNER = {partnerId: 'acme', sharedKey: 'a shared key', encoding: 'utf8'} as const;
const REQUEST = {method: 'POST', url: '/api/v1/process-payload', body: '{}'};
const SIGNED = {...PARTNER, nonce: '0011223344556677', timestamp: 1_700_000_000};
const {publicKey} = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: {type: 'spki', format: 'pem'},
  privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
});

const {devicePayload} = await library.simulate({deviceType: 'idtech', testKeys: true});
const block = library.wrapKeyBlock({header: HEADER, key: IK}, {kbpk: KBPK});
const {headers} = await library.signRequest(REQUEST, {...SIGNED, method: 'hmac'});

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

function keys() {
  return [
    {bdk: bytes('0123456789ABCDEFFEDCBA9876543210'), ksnPrefix: 'FFFF98', name: 'lab'},
    {ik: IK, ksnPrefix: '62994901190000', algorithm: 'tdes', compatibility: false},
    {working: IK, ksnPrefix: '6299490119'},
  ];
}

/** Every exported function; constants have none. A new export needs a row. */
export const FUNCTIONS: Readonly<Record<string, Row>> = {
  decrypt: {
    call: library.decrypt,
    given: () => [
      new TextEncoder().encode(devicePayload),
      {
        ...{keys: keys(), testKeys: false, deviceType: 'idtech', ksn: '', iv: '', explain: true},
        ...{deviceSerial: '', terminals: []},
      },
    ],
  },
  inspect: {
    call: library.inspect,
    given: () => [devicePayload, {deviceType: 'idtech', reveal: false, terminals: []}],
  },
  recognise: {call: library.recognise, given: () => [devicePayload, {terminals: []}]},
  parseKsn: {call: library.parseKsn, given: () => [KSN]},
  deriveKeys: {
    call: library.deriveKeys,
    given: () => [KSN, {keys: keys().slice(0, 2), testKeys: false, keyType: 'aes128'}],
  },
  diagnose: {
    call: library.diagnose,
    given: () => [
      {
        ...{payload: devicePayload, ciphertexts: [{name: 'a', hex: new Uint8Array(8)}]},
        ...{deviceType: 'idtech', ksn: KSN, iv: '', pan: '4111111111111111', expected: ['%B4111']},
        keys: [{kind: 'bdk', hex: bytes('0123456789ABCDEFFEDCBA9876543210')}],
      },
      {signal: new AbortController().signal, budgetMs: 1, onProgress: () => {}},
    ],
    same: () => 'it ends by the clock',
  },
  explain: {
    call: library.explain,
    given: () => [new library.PaylensError(2601), {signal: new AbortController().signal}],
  },
  simulate: {
    call: library.simulate,
    given: () => [
      {
        ...{deviceType: 'idtech', mode: 'swiped', card: {id: 'visa', name: 'TEST/CARD'}},
        ...{ksn: KSN, counter: 2, serial: '1234567890', keys: keys(), testKeys: false},
        ...{options: {}, damage: undefined, iv: undefined, terminals: []},
      },
    ],
  },
  signRequest: {
    call: library.signRequest,
    given: () => [
      {...REQUEST, body: new TextEncoder().encode(REQUEST.body)},
      {...SIGNED, method: 'hmac', partnerKey: 'k', challenge: [], count: 1},
    ],
  },
  verifyRequest: {
    call: library.verifyRequest,
    given: () => [
      {...REQUEST, body: new TextEncoder().encode(REQUEST.body), headers},
      {
        partners: [{...PARTNER, partnerKey: 'k', rsaPublicKey: publicKey, methods: ['hmac']}],
        now: () => 1_700_000_000_000,
        claimNonce: () => true,
        digestSecret: new Uint8Array(32),
      },
    ],
  },
  unwrapKeyBlock: {call: library.unwrapKeyBlock, given: () => [block, {kbpk: bytes(KBPK)}]},
  wrapKeyBlock: {
    call: library.wrapKeyBlock,
    given: () => [
      {header: HEADER, key: bytes(IK)},
      {kbpk: KBPK, keyField: 24},
    ],
    // The padding is random.
    same: (made: string) => library.unwrapKeyBlock(made, {kbpk: KBPK}),
  },
  isDeviceType: {call: library.isDeviceType, given: () => ['idtech']},
  errorObjectOf: {
    call: library.errorObjectOf,
    given: () => [new library.PaylensError(2005, 'x')],
  },
  PaylensError: {
    call: (code: never, detail: never) => new library.PaylensError(code, detail).message,
    given: () => [2005, 'detail'],
  },
};
