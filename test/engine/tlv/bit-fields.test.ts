import {describe, expect, it} from 'vitest';
import {bitFieldsOf, serviceCodeInWords} from '../../../src/engine/tlv/bit-fields.js';
import {bytesOfHex} from '../../../src/platform/bytes.js';

/** The meanings of the bits that are set, or of the codes. */
function set(tag: string, hex: string): string[] | undefined {
  return bitFieldsOf(tag, bytesOfHex(hex))
    ?.filter(({isSet}) => isSet !== false)
    .map(({meaning}) => meaning);
}

describe('bits of EMV tags', () => {
  it.each([
    ['95', '8000000000', 'offline data authentication was not performed'],
    ['95', '0400000000', 'CDA failed'],
    ['95', '0040000000', 'expired application'],
    ['95', '0000200000', 'PIN try limit exceeded'],
    ['95', '0000040000', 'online PIN entered'],
    ['95', '0000008000', 'transaction exceeds the floor limit'],
    ['95', '0000000040', 'issuer authentication failed'],
    ['9B', '8000', 'offline data authentication was performed'],
    ['9B', '0400', 'script processing was performed'],
    ['9F33', '200000', 'IC with contacts'],
    ['9F33', '004000', 'enciphered PIN for online verification'],
    ['9F33', '000008', 'CDA'],
    ['82', '2000', 'DDA supported'],
    ['82', '0100', 'CDA supported'],
  ])('%s %s: %s', (tag, hex, meaning) => {
    expect(set(tag, hex)).toEqual([meaning]);
  });

  it('says CVM results by their codes', () => {
    expect(set('9F34', '1F0302')).toEqual([
      'no CVM required',
      'if the terminal supports the CVM',
      'successful',
    ]);
    expect(set('9F34', '420300')?.[0]).toBe(
      'enciphered PIN verified online, if it fails the next one',
    );
    expect(set('9F34', '3F0000')?.[0]).toBe('no CVM performed');
  });

  it('says reserved bits only where they are set', () => {
    expect(set('95', '0100000000')).toEqual(['reserved']);
    expect(bitFieldsOf('95', bytesOfHex('0000000000'))?.map(({meaning}) => meaning)).not.toContain(
      'reserved',
    );
  });

  it('has nothing to say of other tags and lengths', () => {
    expect(bitFieldsOf('95', bytesOfHex('80'))).toBeUndefined();
    expect(bitFieldsOf('5A', bytesOfHex('80'))).toBeUndefined();
    expect(bitFieldsOf('constructor', bytesOfHex('80'))).toBeUndefined();
  });
});

describe('a service code', () => {
  it.each([
    ['101', ['international interchange', 'normal authorisation', 'no restrictions']],
    [
      '226',
      [
        'international interchange, use the chip where feasible',
        'authorisation by the issuer, online',
        'no restrictions, PIN where feasible',
      ],
    ],
  ])('%s in words', (code, words) => {
    expect(serviceCodeInWords(code)).toEqual(words);
  });

  it('is three digits', () => {
    expect(serviceCodeInWords('***')).toBeUndefined();
    expect(serviceCodeInWords('1011')).toBeUndefined();
  });
});
