import {createCipheriv, createDecipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {openPinBlock, openPinBlock4, panFields} from '../../../src/diagnosis/plaintext/open-pin.js';
import {Draw} from '../draw.js';

const draw = new Draw('open pin');
const PAN = '4111111111111111';
/** ISO 9564-1, 9.3: four zeros and the 12 digits before the check digit. */
const FIELD = `0000${PAN.slice(3, 15)}`;

const hex = (text: string) => Buffer.from(text, 'hex');
const xor = (a: Buffer, b: Buffer) => Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
const block = (format: string, pin: string, fill: string) =>
  hex(`${format}${pin.length.toString(16)}${pin}`.padEnd(16, fill));

describe('a PIN block', () => {
  const pins = ['1234', '98765', '123456789012'];

  it.each(pins)('of format 0 is read with its PAN: %s', (pin) => {
    const plain = xor(block('0', pin, 'F'), hex(FIELD));
    const found = openPinBlock(plain, panFields([PAN]));
    expect(found).toMatchObject({packing: 'pin-block-0', text: pin, panForm: {kind: 'right'}});
  });

  it.each(pins)('of format 3 is read with its PAN: %s', (pin) => {
    const plain = xor(block('3', pin, 'C'), hex(FIELD));
    const found = openPinBlock(plain, panFields([PAN]));
    expect(found).toMatchObject({packing: 'pin-block-3', text: pin, panForm: {kind: 'right'}});
  });

  it.each(pins)('of format 1 needs no PAN: %s', (pin) => {
    const found = openPinBlock(block('1', pin, 'A'), []);
    expect(found).toMatchObject({packing: 'pin-block-1', text: pin});
    expect(found?.panForm).toBeUndefined();
  });

  it.each([
    ['three digits', block('0', '123', 'F')],
    ['thirteen digits', block('0', '1234567890123', 'F')],
    ['another format', block('2', '1234', 'F')],
    ['another filler', block('0', '1234', 'A')],
    ['a digit that is none', block('1', '12A4', 'F')],
    ['nine bytes', Buffer.concat([block('0', '1234', 'F'), hex('00')])],
    ['nothing', Buffer.alloc(0)],
  ])('is not %s', (_, plain) => {
    expect(openPinBlock(plain, panFields([]).slice(0, 1))).toBeUndefined();
  });

  it('is read with every form of the PAN that people use by mistake', () => {
    const fields = panFields([PAN]);
    expect(fields[0]).toMatchObject({kind: 'right', field: FIELD});
    expect(fields.at(-1)).toMatchObject({kind: 'none', field: '0'.repeat(16)});
    // The others change the control nibbles: their blocks are of no format.
    const apart = fields.filter(({field}) => field.startsWith('00'));
    expect(apart.length).toBeGreaterThan(2);
    for (const one of apart) {
      const {field, kind, form} = one;
      const found = openPinBlock(xor(block('0', '1234', 'F'), hex(field)), [one]);
      expect(found?.panForm).toEqual({kind, form});
    }
  });

  it('is read with the right form first, also with a number of few different digits', () => {
    for (const pan of [PAN, '4444333322221111', '4000000000000002']) {
      const [right] = panFields([pan]);
      expect(right).toMatchObject({kind: 'right', field: `0000${pan.slice(3, 15)}`});
    }
  });

  it('has fields from numbers of twelve digits on', () => {
    expect(panFields(['123456789012'])[0]).toMatchObject({field: '0000012345678901'});
    expect(panFields(['12345678901']).map(({kind}) => kind)).toEqual(['none']);
  });

  it.each([PAN, undefined])('of format 4 is read with PAN %s', (pan) => {
    const key = draw.bytes(16);
    const ecb = (cipher: ReturnType<typeof createCipheriv>, bytes: Uint8Array) => {
      cipher.setAutoPadding(false);
      return Buffer.concat([cipher.update(bytes), cipher.final()]);
    };
    const encipher = (bytes: Uint8Array) => ecb(createCipheriv('aes-128-ecb', key, null), bytes);
    const decipher = (bytes: Uint8Array) => ecb(createDecipheriv('aes-128-ecb', key, null), bytes);
    const inner = encipher(Buffer.concat([hex('441234AAAAAAAAAA'), draw.bytes(8)]));
    const field = pan === undefined ? '' : `${(pan.length - 12).toString(16)}${pan}`;
    const outer = encipher(xor(inner, hex(field.padEnd(32, '0'))));
    const found = openPinBlock4(decipher(outer), pan === undefined ? [] : [pan], decipher);
    const kind = pan === undefined ? 'none' : 'right';
    expect(found).toMatchObject({packing: 'pin-block-4', text: '1234', panForm: {kind}});
    expect(openPinBlock4(hex('44'), [], decipher)).toBeUndefined();
  });
});
