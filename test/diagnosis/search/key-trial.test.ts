import {createCipheriv} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {
  loadTdesKey,
  makeProbe,
  type Probe,
  passesAesFilter,
  passesFilter,
  shareOfFresh,
} from '../../../src/diagnosis/search/key-trial.js';
import {TDES_SETTINGS, USUAL_SETTINGS} from '../../../src/diagnosis/search/working-keys.js';
import type {Interpretation, Target} from '../../../src/input/interpretation.js';
import {Draw} from '../draw.js';

const draw = new Draw('key trial');
const NONE = {ivs: [], pans: [], expected: []};

function probeOf(ciphertext: Uint8Array, target: Partial<Target> = {}): Probe {
  const whole: Target = {name: 'data', ciphertext, ...target};
  const interpretation: Interpretation = {
    kind: 'bare',
    form: 'bare',
    targets: [whole],
    findings: [],
  };
  return makeProbe(interpretation, whole, NONE);
}

function tdes(key: Buffer, plain: Buffer, iv: Buffer | null): Buffer {
  const name = iv ? 'des-ede3-cbc' : 'des-ede3';
  const cipher = createCipheriv(name, Buffer.concat([key, key.subarray(0, 8)]), iv);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(plain), cipher.final()]);
}

describe('the settings', () => {
  it('tried first are those that terminals use, and the response by mistake', () => {
    const names = USUAL_SETTINGS.map(({variant, selfEncrypted}) => [variant, selfEncrypted]);
    expect(names).toEqual([
      ['data', true],
      ['data', false],
      ['pin', false],
      ['none', false],
      ['data-response', true],
    ]);
  });

  it('are every variant with and without self-encryption', () => {
    const names = TDES_SETTINGS.map((one) => `${one.variant} ${one.selfEncrypted}`);
    expect(new Set(names).size).toBe(12);
  });
});

describe('a probe', () => {
  const repeated = Buffer.concat([Buffer.alloc(24, 7), Buffer.alloc(8, 9)]);

  it('knows the share of blocks that prove something new', () => {
    expect(shareOfFresh(probeOf(repeated).target)).toBe(0.5);
    expect(shareOfFresh(probeOf(draw.bytes(32)).target)).toBe(1);
    expect(shareOfFresh(probeOf(Buffer.alloc(8)).target)).toBe(1);
  });

  it('does not count the zeros in the place of missing digits as repeated', () => {
    expect(shareOfFresh(probeOf(repeated, {gaps: [{from: 0, to: 16}]}).target)).toBe(1);
  });
});

describe('the filter of the first blocks', () => {
  const cases = Array.from({length: 60}, () => ({key: draw.bytes(16), iv: draw.bytes(8)}));

  it.each(['ABCDEFGHIJKLMNOPQRSTUVWX', '411111111111111127122011'])(
    'passes a chain whose IV is not known: %s',
    (text) => {
      for (const {key, iv} of cases) {
        loadTdesKey(key);
        expect(passesFilter(probeOf(tdes(key, Buffer.from(text), iv)))).toBe(true);
      }
    },
  );

  it('refuses nearly every wrong key', () => {
    const probe = probeOf(draw.bytes(24));
    const passed = Array.from({length: 2000}, () => draw.bytes(16)).filter((key) => {
      loadTdesKey(key);
      return passesFilter(probe);
    });
    expect(passed.length).toBeLessThan(2000 / 30);
  });

  /** A block that only looks like a PIN block by its first byte. */
  const pinLike = (first: number) => Buffer.from([first, 0xa3, 0xc7, 0xe9, 0x8b, 0xd2, 0xbc, 0xee]);
  it.each([
    [0x04, true],
    [0x0c, true],
    [0x14, true],
    [0x34, true],
    [0x03, false],
    [0x0d, false],
    [0x24, false],
    [0x44, false],
  ])('takes a block that begins with %i for a PIN block: %s', (first, expected) => {
    for (const {key} of cases) {
      loadTdesKey(key);
      expect(passesFilter(probeOf(tdes(key, pinLike(first), null)))).toBe(expected);
    }
  });

  it('takes no PIN block of two blocks', () => {
    const plain = Buffer.concat([pinLike(0x04), pinLike(0xe1)]);
    for (const {key} of cases) {
      loadTdesKey(key);
      expect(passesFilter(probeOf(tdes(key, plain, null)))).toBe(false);
    }
  });
});

describe('the filter of AES keys', () => {
  /** ISO 9564-1 format 4: two encryptions, the PAN field XORed between them. */
  function format4(key: Buffer, pan: string): Buffer {
    const ecb = (block: Buffer) => {
      const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]);
    };
    const pin = ecb(Buffer.concat([Buffer.from('441234AAAAAAAAAA', 'hex'), draw.bytes(8)]));
    const field = Buffer.from(`${(pan.length - 12).toString(16)}${pan}`.padEnd(32, '0'), 'hex');
    return ecb(Buffer.from(pin.map((byte, i) => byte ^ (field[i] ?? 0))));
  }

  it('passes a PIN block of format 4, with its PAN only', () => {
    const pan = '4111111111111111';
    const wrong: boolean[] = [];
    for (let i = 0; i < 60; i++) {
      const key = draw.bytes(16);
      const probe = probeOf(format4(key, pan));
      expect(passesAesFilter({...probe, pans: [pan]}, key)).toBe(true);
      wrong.push(passesAesFilter(probe, key));
    }
    expect(wrong.filter(Boolean).length).toBeLessThan(6);
  });

  it('refuses what is not whole blocks', () => {
    const key = draw.bytes(16);
    const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
    const text = '%B4111111111111111^TEST CARD/PAYLENS^27122011234';
    const whole = Buffer.concat([cipher.update(text), cipher.final()]);
    expect(passesAesFilter(probeOf(whole), key)).toBe(true);
    expect(passesAesFilter(probeOf(whole.subarray(0, 24)), key)).toBe(false);
    expect(passesAesFilter(probeOf(whole.subarray(0, 8)), key)).toBe(false);
  });
});
