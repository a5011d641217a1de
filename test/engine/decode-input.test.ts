import {describe, expect, it} from 'vitest';
import {decodeInput} from '../../src/engine/decode-input.js';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);

describe('decodeInput', () => {
  it.each([
    ['UTF-8', bytes('Käse€'), 'Käse€'],
    ['tab, CR and LF', bytes('a\tb\r\n'), 'a\tb\r\n'],
    ['nothing', bytes(''), ''],
    ['one byte', bytes('2'), '2'],
  ])('reads %s as text', (_, input, text) => {
    expect(decodeInput(input)).toBe(text);
  });

  it('skips a byte order mark', () => {
    expect(decodeInput(bytes('efbbbf3032', 'hex'))).toBe('02');
  });

  it.each([
    ['bytes that are no UTF-8', '02ff80c3'],
    ['UTF-8 with control characters', '02c3a403'],
    ['a frame with zero bytes', '0200413f0003'],
    ['zeros alone', '00000000'],
  ])('reads %s one character a byte', (_, hex) => {
    expect(bytes(decodeInput(bytes(hex, 'hex')), 'latin1').toString('hex')).toBe(hex);
  });

  it.each([
    ['little-endian with a mark', 'fffe30003200'],
    ['big-endian with a mark', 'feff00300032'],
    ['little-endian without a mark', '30003200'],
    ['big-endian without a mark', '00300032'],
  ])('refuses UTF-16, %s, by its name', (_, hex) => {
    expect(() => decodeInput(bytes(hex, 'hex'))).toThrow('Cannot read input: the file is UTF-16');
  });
});
