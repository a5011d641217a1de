import {PaylensError} from '../../contract/paylens-error.js';

/** Throws 2102 unless `data` is a whole number of cipher blocks. */
export function checkBlocks(data: Uint8Array, blockSize: number): void {
  if (data.length % blockSize === 0) return;
  throw new PaylensError(
    2102,
    `ciphertext: expected a multiple of ${blockSize} bytes, found ${data.length}`,
  );
}

/** Throws 2602 unless `iv` is absent or exactly one cipher block. */
export function checkIv(iv: Uint8Array | undefined, blockSize: number): void {
  if (iv === undefined || iv.length === blockSize) return;
  throw new PaylensError(2602, `expected ${blockSize} bytes, found ${iv.length}`);
}
