import {describe, expect, it} from 'vitest';
import {bytesOf, encrypt} from '../engine/terminal.js';
import {diagnoseJson} from './diagnosing.js';
import {Draw} from './draw.js';

/** A bare ciphertext behind its own length and before foreign bytes loses none of its blocks. */
const PREFIXES: Readonly<Record<string, (length: number) => string>> = {
  'one byte': (length) => Buffer.of(length).toString('hex'),
  'two bytes': (length) => Buffer.of(0, length).toString('hex'),
  'two bytes, low first': (length) => Buffer.of(length, 0).toString('hex'),
  'four bytes': (length) => Buffer.of(0, 0, 0, length).toString('hex'),
  'four bytes, low first': (length) => Buffer.of(length, 0, 0, 0).toString('hex'),
};

describe('a ciphertext behind a length of', () => {
  it.each(Object.entries(PREFIXES))(
    '%s opens whole, with 0 to 9 bytes behind',
    async (name, of) => {
      const draw = new Draw(name);
      const wrong: unknown[] = [];
      for (let behind = 0; behind < 10; behind++) {
        const ksn = draw.ksn();
        const text = draw.track1();
        const sealed = encrypt(text, {ksn});
        const hex = of(sealed.length) + sealed.toString('hex') + draw.hex(behind);
        const found = await diagnoseJson({ciphertexts: [{hex}], ksn}, {usualOnly: true});
        const isWhole = found.plaintexts[0]?.hex.includes(bytesOf(text).toString('hex'));
        if (!isWhole) wrong.push({behind, hex, ksn, found: found.plaintexts[0]?.text});
      }
      expect(wrong).toEqual([]);
    },
  );
});
