import {describe, expect, it} from 'vitest';
import {
  holdsCardData,
  isConstructed,
  tagName,
  tagSensitivity,
} from '../../../src/engine/tlv/tags.js';

/** EMV 4.3 Book 3, Annex A, table A-1, and EMV Specification Bulletin 167 (9F19, 9F24, 9F25). */
const DATA_OBJECTS = [
  '42 4F 50 57 5A 5F20 5F24 5F25 5F28 5F2A 5F2D 5F30 5F34 5F36 5F50 5F53 5F54 5F55 5F56 5F57',
  '61 6F 70 71 72 73 77 80 81 82 83 84 86 87 88 89 8A 8C 8D 8E 8F 90 91 92 93 94 95 97 98 99',
  '9A 9B 9C 9D 9F01 9F02 9F03 9F04 9F05 9F06 9F07 9F08 9F09 9F0B 9F0D 9F0E 9F0F 9F10 9F11',
  '9F12 9F13 9F14 9F15 9F16 9F17 9F18 9F19 9F1A 9F1B 9F1C 9F1D 9F1E 9F1F 9F20 9F21 9F22 9F23',
  '9F24 9F25 9F26 9F27 9F2D 9F2E 9F2F 9F32 9F33 9F34 9F35 9F36 9F37 9F38 9F39 9F3A 9F3B 9F3C',
  '9F3D 9F40 9F41 9F42 9F43 9F44 9F45 9F46 9F47 9F48 9F49 9F4A 9F4B 9F4C 9F4D 9F4E 9F4F A5 BF0C',
].flatMap((line) => line.split(' '));

describe('the names of tags', () => {
  it('has one for every data object of EMV', () => {
    expect(DATA_OBJECTS.filter((tag) => tagName(tag) === 'unknown tag')).toEqual([]);
  });

  it('says that a tag is unknown', () => {
    expect(tagName('9F7F')).toBe('unknown tag');
  });

  it('come from the own table of a terminal first', () => {
    expect(tagName('5A', {'5A': 'its own'})).toBe('its own');
    expect(tagName('57', {'5A': 'its own'})).toBe('track 2 equivalent data');
  });
});

/** EMV Book 3, Annex A, Book C-2 (9F6B), ISO/IEC 7813 tracks (5F21 to 5F23), and Verifone's own. */
const CARD_DATA = '56 57 5A 5F21 5F22 5F23 9F1F 9F20 9F6B DFDB01 DFDB02 DFDB03 DFDB05 DFDB06'.split(
  ' ',
);

describe('tags of card data', () => {
  it.each(CARD_DATA)('%s is one', (tag) => {
    expect(holdsCardData(tag)).toBe(true);
  });

  it('are no others of EMV', () => {
    const others = DATA_OBJECTS.filter((tag) => !CARD_DATA.includes(tag));
    expect(others.filter(holdsCardData)).toEqual([]);
    expect(others.length).toBeGreaterThan(100);
  });
});

/** By the formats of EMV Book 3, Annex A: ans, b of certificates and cryptograms, and lists. */
const OPAQUE = [
  '4F 50 5F20 5F2D 5F50 71 72 84 86 8C 8D 8E 90 91 92 93 94 97 98 99 9D 9F01 9F06 9F0B 9F10 9F12',
  '9F16 9F1C 9F26 9F2D 9F2F 9F38 9F46 9F48 9F49 9F4B 9F4C 9F4E 9F4F 9F5B',
].flatMap((line) => line.split(' '));

describe('what is known of a value by its tag', () => {
  const digits = Buffer.from('4012888888881881', 'hex');
  const known = ['9F02', '9F03', '9F1E'];

  it.each(OPAQUE)('%s holds no packed digits', (tag) => {
    expect(tagSensitivity(tag, digits)).toBe('opaque');
  });

  it('is nothing of the others of EMV', () => {
    const others = DATA_OBJECTS.filter((tag) => !OPAQUE.includes(tag) && !known.includes(tag));
    expect(others.filter((tag) => tagSensitivity(tag, digits) !== undefined)).toEqual([]);
    expect(others.length).toBeGreaterThan(80);
  });

  it.each([
    ['9F02', 6, 'harmless'],
    ['9F03', 6, 'harmless'],
    ['9F02', 5, undefined],
    ['9F03', 7, undefined],
    ['9F04', 6, undefined],
  ])('%s of %i bytes, an amount: %s', (tag, length, sensitivity) => {
    expect(tagSensitivity(tag, new Uint8Array(length))).toBe(sensitivity);
  });

  it.each([
    ['8T149816', 'harmless'],
    ['\0 ~\0', 'harmless'],
    ['8T\x1f', undefined],
    ['8T\x7f', undefined],
    ['@\x12\x88', undefined],
  ])('9F1E of %j, a serial number where it is text: %s', (text, sensitivity) => {
    const value = Buffer.from(text, 'latin1');
    expect(tagSensitivity('9F1E', value)).toBe(sensitivity);
    expect(tagSensitivity('DF01', value, {serial: new Set(['DF01'])})).toBe(sensitivity);
  });

  it.each([
    [10, 'harmless'],
    [12, 'harmless'],
    [13, undefined],
  ])('a KSN of %i bytes in a tag of the terminal: %s', (length, sensitivity) => {
    const own = {ksn: new Set(['DF01'])};
    expect(tagSensitivity('DF01', new Uint8Array(length), own)).toBe(sensitivity);
    expect(tagSensitivity('DF02', new Uint8Array(length), own)).toBeUndefined();
  });

  it('is what the terminal says of its own tags', () => {
    expect(tagSensitivity('DF01', digits, {opaque: new Set(['DF01'])})).toBe('opaque');
    expect(tagSensitivity('DF01', digits)).toBeUndefined();
  });
});

describe('a constructed tag', () => {
  it('has bit 6 of its first byte', () => {
    for (let byte = 0; byte < 256; byte++) {
      const tag = byte.toString(16).toUpperCase().padStart(2, '0');
      expect([tag, isConstructed(tag)]).toEqual([tag, (byte & 0x20) !== 0]);
      expect(isConstructed(`9F${tag}`)).toBe(false);
    }
  });

  it.each(['FFEE12', 'FFEE13', 'FFEE14', 'FF1D', 'FF1E', 'FF1F', 'FF20', 'FF21'])(
    'is not %s, which terminals send with a plain value',
    (tag) => {
      expect(isConstructed(tag)).toBe(false);
    },
  );

  it.each(['FFEE01', 'FF8105', 'FF22', 'FF1C'])('is %s', (tag) => {
    expect(isConstructed(tag)).toBe(true);
  });
});
