import {describe, expect, it} from 'vitest';
import {emvWords, serviceCodeInWords} from '../../../src/engine/tlv/emv-words.js';
import {COUNTRIES, CURRENCIES} from '../../../src/engine/tlv/iso-codes.js';
import {bytesOfHex} from '../../../src/platform/bytes.js';

/** The meanings of the bits that are set, or of the codes. */
function set(tag: string, hex: string, aid?: string): string[] | undefined {
  return emvWords(tag, bytesOfHex(hex), aid)
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
    expect(emvWords('95', bytesOfHex('0000000000'))?.map(({meaning}) => meaning)).not.toContain(
      'reserved',
    );
  });

  it.each([
    ['9F07', '8000', 'valid for domestic cash transactions'],
    ['9F07', '0100', 'valid at terminals other than ATMs'],
    ['9F07', '0040', 'international cashback allowed'],
    ['9F40', '8000000000', 'cash'],
    ['9F40', '0100000000', 'administrative transactions'],
    ['9F40', '0080000000', 'cash deposit'],
    ['9F40', '0000100000', 'function keys'],
    ['9F40', '0000008000', 'print for the attendant'],
    ['9F40', '0000001000', 'display for the cardholder'],
    ['9F40', '0000000200', 'code table 10'],
    ['9F40', '0000000080', 'code table 8'],
    ['9F40', '0000000001', 'code table 1'],
    ['9F40', '0000000400', 'reserved'],
    ['9F66', '80000000', 'magstripe mode supported'],
    ['9F66', '20000000', 'EMV mode supported'],
    ['9F66', '04000000', 'online PIN supported'],
    ['9F66', '00800000', 'online cryptogram required'],
    ['9F66', '00400000', 'CVM required'],
    ['9F66', '00004000', 'consumer device CVM supported'],
  ])('%s %s: %s, by EMV Book 3, C2, Book 4, A3, and Book A, 5.7', (tag, hex, meaning) => {
    expect(set(tag, hex)).toEqual([meaning]);
  });

  // The CVM list of many cards: online PIN, signature, no CVM, each if the terminal supports it.
  it('says a CVM list rule by rule', () => {
    const list = emvWords('8E', bytesOfHex('000186A0000003E842031E031F03'));
    expect(list?.map(({name, meaning}) => `${name}: ${meaning}`)).toEqual([
      'amount X: 100000',
      'amount Y: 1000',
      'rule 1, CVM: enciphered PIN verified online, if it fails the next one',
      'rule 1, condition: if the terminal supports the CVM',
      'rule 2, CVM: signature on paper',
      'rule 2, condition: if the terminal supports the CVM',
      'rule 3, CVM: no CVM required',
      'rule 3, condition: if the terminal supports the CVM',
    ]);
    expect(set('8E', '00000000000000005E015F0A')?.slice(2)).toEqual([
      'signature on paper, if it fails the next one',
      'if unattended cash',
      'no CVM required, if it fails the next one',
      'reserved',
    ]);
    expect(set('8E', '000000000000000042')).toBeUndefined();
  });

  it.each([
    ['9F27', '80', ['ARQC: online authorisation requested', 'not required']],
    ['9F27', '40', ['TC: approved offline', 'not required']],
    ['9F27', '00', ['AAC: declined', 'not required']],
    ['9F27', '0A', ['AAC: declined', 'required', 'PIN try limit exceeded']],
    ['9F27', 'C4', ['reserved', 'not required', 'reserved']],
    ['9F35', '22', ['merchant, attended, offline with online capability']],
    ['9F35', '14', ['financial institution, unattended, online only']],
    ['9F35', '36', ['cardholder, unattended, offline only']],
    ['9F35', '31', ['reserved']],
    ['9C', '00', ['goods and services']],
    ['9C', '09', ['goods and services with cashback']],
    ['9C', '20', ['refund']],
    ['9F39', '05', ['chip']],
    ['9F39', '90', ['magnetic stripe, all of the track']],
    ['8A', '5931', ['approved offline']],
    ['8A', '5A33', ['unable to go online, declined offline']],
    ['8A', '3030', ['approved']],
    ['8A', '3531', ['insufficient funds']],
    ['5F2A', '0840', ['USD US dollar']],
    ['9F42', '0978', ['EUR euro']],
    ['5F2A', '0036', ['AUD Australian dollar']],
    ['5F28', '0276', ['Germany']],
    ['9F1A', '0300', ['Greece']],
    ['84', 'A0000000031010', ['Visa']],
    ['4F', 'A0000000041010', ['Mastercard']],
    ['9F06', 'A00000002501', ['American Express']],
    ['5F30', '0201', ['international interchange, use the chip where feasible']],
  ])('%s %s in words', (tag, hex, words) => {
    expect(set(tag, hex)?.slice(0, words.length)).toEqual(words);
  });

  it('says card transaction qualifiers by the scheme of the AID', () => {
    expect(set('9F6C', '8080', 'A0000000031010')).toEqual([
      'online PIN required',
      'consumer device CVM performed',
    ]);
    expect(set('9F6C', '8080', 'A0000000041010')).toBeUndefined();
    expect(set('9F6C', '8080')).toEqual(['the meaning depends on the scheme, and no AID names it']);
  });

  it('says issuer application data of CCD, and of no other format', () => {
    const ccd = `0FA501${'00'.repeat(13)}0F${'00'.repeat(15)}`;
    expect(set('9F10', ccd)).toEqual(['15', 'CCD', 'TDES', '1']);
    expect(set('9F10', `1F${ccd.slice(2)}`)).toBeUndefined();
    expect(set('9F10', '06010A03A00000')).toBeUndefined();
  });

  it('says no code that an open table does not have', () => {
    expect(set('5F2A', '0999')).toBeUndefined();
    expect(set('84', 'A0000009999999')).toBeUndefined();
    expect(set('8A', '5858')).toBeUndefined();
  });

  it('has 40 currencies and 40 countries, each as Intl names its code', () => {
    const names = new Intl.DisplayNames('en', {type: 'currency', fallback: 'none'});
    const entries = (codes: string) => codes.split(/[;\n]/).map((entry) => entry.trim());
    const currencies = entries(CURRENCIES).map((entry) => entry.split(' ')[1] ?? '');
    expect(currencies.filter((code) => names.of(code))).toHaveLength(40);
    expect(new Set(entries(COUNTRIES).map((entry) => entry.slice(0, 4))).size).toBe(40);
  });

  it('has nothing to say of other tags and lengths', () => {
    expect(emvWords('95', bytesOfHex('80'))).toBeUndefined();
    expect(emvWords('5A', bytesOfHex('80'))).toBeUndefined();
    expect(emvWords('constructor', bytesOfHex('80'))).toBeUndefined();
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
