import {describe, expect, it} from 'vitest';
import {tagName} from '../../../src/engine/tlv/tags.js';

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
});
