import {constants, generateKeyPairSync, publicDecrypt, sign} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {isPssBlock} from '../../../src/auth/explain/rsa-proofs.js';

const MESSAGE = Buffer.from('message');
const {RSA_PKCS1_PSS_PADDING: PSS, RSA_NO_PADDING: NONE} = constants;

// 2049 bits leave the first byte of the block out, others some of its bits.
describe.each([2048, 2049, 2050, 2055, 2056])(
  'a PSS block under a key of %i bits',
  (modulusLength) => {
    const {publicKey, privateKey} = generateKeyPairSync('rsa', {modulusLength});
    const modulus = Buffer.from(publicKey.export({format: 'jwk'}).n ?? '', 'base64url');
    const blockOf = (hash: string, saltLength: number) => {
      const signature = sign(hash, MESSAGE, {key: privateKey, padding: PSS, saltLength});
      return publicDecrypt({key: publicKey, padding: NONE}, signature);
    };

    it.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)('of %s is known', (hash) => {
      for (const saltLength of [0, 1, 20, 32, constants.RSA_PSS_SALTLEN_MAX_SIGN]) {
        const block = blockOf(hash, saltLength);
        expect(isPssBlock(block, hash, MESSAGE, modulus)).toBe(true);
        expect(isPssBlock(block, hash, Buffer.from('massage'), modulus)).toBe(false);
        expect(isPssBlock(block, hash === 'sha1' ? 'sha256' : 'sha1', MESSAGE, modulus)).toBe(
          false,
        );
      }
    });

    it('is none with any bit changed', () => {
      const block = blockOf('sha256', 32);
      for (let bit = 0; bit < 8 * block.length; bit += bit < 32 ? 1 : 13) {
        const wrong = Buffer.from(block);
        wrong[bit >> 3] = (wrong[bit >> 3] as number) ^ (0x80 >> (bit & 7));
        expect([bit, isPssBlock(wrong, 'sha256', MESSAGE, modulus)]).toEqual([bit, false]);
      }
    });
  },
);
