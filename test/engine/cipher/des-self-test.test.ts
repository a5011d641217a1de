import {describe, expect, it, vi} from 'vitest';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {errorOf} from '../error-of.js';

vi.mock('../../../src/engine/cipher/des.js', () => ({
  processTwoBlocks: () => undefined,
  processFiveBlocks: () => undefined,
}));

describe('the self-test of the DES kernel', () => {
  it('refuses to make a cipher when the kernel gives wrong blocks', () => {
    expect(errorOf(() => prepareCipher('tdes', new Uint8Array(16))).code).toBe(1);
  });

  it('refuses again at the next use', () => {
    expect(errorOf(() => prepareCipher('tdes', new Uint8Array(24))).message).toBe(
      'Internal server error: the DES kernel failed its self-test',
    );
  });
});
