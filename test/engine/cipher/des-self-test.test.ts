import {describe, expect, it, vi} from 'vitest';
import {compiledDes} from '../../../src/engine/cipher/des-compiled.js';
import {fillDesTables} from '../../../src/engine/cipher/des-fill.js';
import type {DesKernel} from '../../../src/engine/cipher/des-memory.js';
import {SCALAR_DES} from '../../../src/engine/cipher/des-scalar.js';
import {isRightDes} from '../../../src/engine/cipher/des-self-test.js';
import {prepareCipher} from '../../../src/engine/cipher/modes.js';
import {errorOf} from '../error-of.js';

const BROKEN = vi.hoisted(() => ({two: () => undefined}));

vi.mock('../../../src/engine/cipher/des-scalar.js', async (original) => {
  const {SCALAR_DES: scalar} = (await original()) as {SCALAR_DES: DesKernel};
  return {SCALAR_DES: {...scalar, ...BROKEN}};
});

describe('the self-test of the DES kernel', () => {
  it('refuses to decrypt when the kernel gives wrong blocks', () => {
    const decrypt = () => prepareCipher('tdes', new Uint8Array(16)).decryptEcb(new Uint8Array(8));
    expect(errorOf(decrypt).code).toBe(1);
    expect(errorOf(decrypt).message).toBe(
      'Internal server error: the DES kernel failed its self-test',
    );
  });

  it('sees a fault in each function of a kernel', () => {
    fillDesTables();
    const right = compiledDes() ?? SCALAR_DES;
    expect(isRightDes(right)).toBe(true);
    for (const name of Object.keys(right)) {
      expect(isRightDes({...right, [name]: () => undefined}), name).toBe(false);
    }
  });
});
