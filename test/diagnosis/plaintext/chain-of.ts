import {createCipheriv, createDecipheriv} from 'node:crypto';
import type {Chain} from '../../../src/diagnosis/plaintext/chain.js';
import type {IvCandidate} from '../../../src/input/interpretation.js';
import type {Draw} from '../draw.js';

export interface Way {
  readonly mode?: 'cbc' | 'ecb';
  readonly algorithm?: 'tdes' | 'aes';
  /** The IV used; default zeros. */
  readonly iv?: Buffer;
  /** The IVs that are tried; default the zero one. */
  readonly ivs?: readonly IvCandidate[];
}

export const ZERO: IvCandidate = {bytes: new Uint8Array(16), source: 'zero'};

/** `plain`, padded with zeros, as encrypted under a random key by node:crypto, ready to be read under that key. */
export function chainOf(draw: Draw, plain: string | Uint8Array, way: Way = {}): Chain {
  const {mode = 'cbc', algorithm = 'tdes', ivs = [ZERO]} = way;
  const blockSize = algorithm === 'aes' ? 16 : 8;
  const whole = padded(plain, blockSize);
  const key = draw.bytes(algorithm === 'aes' ? 16 : 24);
  const {iv = Buffer.alloc(blockSize)} = way;
  const names = algorithm === 'aes' ? ['aes-128-cbc', 'aes-128-ecb'] : ['des-ede3-cbc', 'des-ede3'];
  const [cbc = '', ecb = ''] = names;
  const cipher = createCipheriv(mode === 'cbc' ? cbc : ecb, key, mode === 'cbc' ? iv : null);
  cipher.setAutoPadding(false);
  const ciphertext = Buffer.concat([cipher.update(whole), cipher.final()]);
  return decipher(ecb, key, ciphertext, {blockSize, ivs});
}

/** Chains one after the other, each from a zero IV, under one key. */
export function chainsOf(draw: Draw, plains: readonly (string | Uint8Array)[]): Chain {
  const key = draw.bytes(24);
  const ciphertext = Buffer.concat(
    plains.map((plain) => {
      const cipher = createCipheriv('des-ede3-cbc', key, Buffer.alloc(8)).setAutoPadding(false);
      return Buffer.concat([cipher.update(padded(plain, 8)), cipher.final()]);
    }),
  );
  return decipher('des-ede3', key, ciphertext, {blockSize: 8, ivs: [ZERO]});
}

/** The chain with these bytes of its ciphertext changed, decrypted anew. */
export function withCiphertext(
  draw: Draw,
  plain: string | Uint8Array,
  change: (ciphertext: Buffer) => Buffer,
): Chain {
  const key = draw.bytes(24);
  const cipher = createCipheriv('des-ede3-cbc', key, Buffer.alloc(8)).setAutoPadding(false);
  const ciphertext = Buffer.concat([cipher.update(padded(plain, 8)), cipher.final()]);
  return decipher('des-ede3', key, change(ciphertext), {blockSize: 8, ivs: [ZERO]});
}

function decipher(
  name: string,
  key: Buffer,
  ciphertext: Buffer,
  rest: Pick<Chain, 'blockSize' | 'ivs'>,
): Chain {
  const ecb = createDecipheriv(name, key, null).setAutoPadding(false);
  const blocks = Buffer.concat([ecb.update(ciphertext), ecb.final()]);
  return {ciphertext: new Uint8Array(ciphertext), blocks: new Uint8Array(blocks), ...rest};
}

export function padded(plain: string | Uint8Array, blockSize: number): Buffer {
  const bytes = typeof plain === 'string' ? Buffer.from(plain, 'latin1') : Buffer.from(plain);
  const missing = (blockSize - (bytes.length % blockSize)) % blockSize;
  return Buffer.concat([bytes, Buffer.alloc(missing)]);
}
