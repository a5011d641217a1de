import {describe, expect, it} from 'vitest';
import {
  AES_KEY_TYPES,
  AES_KEY_USAGES,
  dataAlgorithm,
  dataKeyType,
  VARIANT_MASKS,
} from '../../../src/engine/dukpt/key-usage.js';
import {parseKsn} from '../../../src/engine/dukpt/ksn.js';

describe('the codes of key usages', () => {
  it('of AES DUKPT are those of X9.24-3:2017, 6.3.2, table 2', () => {
    expect(AES_KEY_USAGES).toEqual({
      ...{kek: 0x0002, pin: 0x1000, derivation: 0x8000, 'initial-key': 0x8001},
      ...{'mac-generation': 0x2000, 'mac-verification': 0x2001, mac: 0x2002},
      ...{'data-encryption': 0x3000, 'data-decryption': 0x3001, data: 0x3002},
    });
  });

  it('of AES DUKPT name algorithms as table 3 does: 2TDEA 0, 3TDEA 1, AES 2 to 4, HMAC 5', () => {
    const codes = Object.entries(AES_KEY_TYPES).map(([type, {algorithm}]) => [type, algorithm]);
    expect(Object.fromEntries(codes)).toEqual({
      ...{'2tdea': 0, '3tdea': 1, aes128: 2, aes192: 3, aes256: 4},
      ...{hmac128: 5, hmac192: 5, hmac256: 5},
    });
  });

  it('of AES DUKPT name lengths: 112 and 168 bits of TDEA take 16 and 24 bytes', () => {
    const bytes = Object.entries(AES_KEY_TYPES).map(([type, key]) => [type, key.bytes]);
    expect(Object.fromEntries(bytes)).toEqual({
      ...{'2tdea': 16, '3tdea': 24, aes128: 16, aes192: 24, aes256: 32},
      ...{hmac128: 16, hmac192: 24, hmac256: 32},
    });
  });

  it('of TDES DUKPT are the masks of X9.24-1:2009, A.4.1', () => {
    expect(VARIANT_MASKS).toEqual({
      none: '0000000000000000',
      pin: '00000000000000FF',
      mac: '000000000000FF00',
      'mac-response': '00000000FF000000',
      data: '0000000000FF0000',
      'data-response': '000000FF00000000',
    });
  });
});

describe('card data is enciphered', () => {
  it.each([
    ['FFFF9876543210E00001', 'tdes', 'tdes'],
    ['FFFF9876543210E00001', 'aes', 'aes'],
    ['123456789012345600000001', 'tdes', 'aes'],
    ['123456789012345600000001', 'aes', 'aes'],
  ] as const)('under KSN %s in a format of %s: by %s', (ksn, format, algorithm) => {
    expect(dataAlgorithm(parseKsn(ksn), format)).toBe(algorithm);
  });

  it.each([
    ['tdes', 32, '2tdea'],
    ['aes', 16, 'aes128'],
    ['aes', 24, 'aes192'],
    ['aes', 32, 'aes256'],
  ] as const)('by %s under a base key of %i bytes: with a key of type %s', (algorithm, n, type) => {
    expect(dataKeyType(algorithm, n)).toBe(type);
  });
});
