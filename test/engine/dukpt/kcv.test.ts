import {describe, expect, it} from 'vitest';
import {aesKcv, tdesKcv} from '../../../src/engine/dukpt/kcv.js';
import {errorOf} from '../error-of.js';
import {fromHex} from '../hex.js';
import {readKcvVectors} from '../read-vectors.js';

const VECTORS = readKcvVectors();

describe('key check values', () => {
  it.each(
    VECTORS.filter(({method}) => method === 'ecb-zeros').filter(
      ({algorithm}) => algorithm === 'tdes',
    ),
  )('TDES key $key: $kcv', ({key, kcv}) => {
    expect(tdesKcv(fromHex(key))).toBe(kcv);
  });

  it.each(VECTORS.filter(({method}) => method === 'cmac-zeros'))(
    'AES key $key: $kcv',
    ({key, kcv}) => {
      expect(aesKcv(fromHex(key), kcv.length === 6 ? 3 : 5)).toBe(kcv);
    },
  );

  it('do not tell a key from the same key with parity adjusted', () => {
    const adjusted = tdesKcv(fromHex('6BC292FBA1315B4C858AB3A2D6D5923B'));
    expect(adjusted).toBe(tdesKcv(fromHex('6AC292FAA1315B4D858AB3A3D7D5933A')));
  });

  it('refuse a TDES key of 8 bytes with 9015', () => {
    expect(errorOf(() => tdesKcv(new Uint8Array(8))).detail).toBe(
      'TDES key: expected 16 or 24 bytes, found 8',
    );
  });
});
