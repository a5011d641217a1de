import {PaylensError} from '../../../contract/paylens-error.js';

/** Throws 2102 unless `ciphertext` is one or more whole TDES blocks. `name` says where it stands. */
export function demandBlocks(name: string, ciphertext: Uint8Array): void {
  if (ciphertext.length > 0 && ciphertext.length % 8 === 0) return;
  throw new PaylensError(
    2102,
    `${name}: expected whole blocks of 8 bytes, found ${ciphertext.length} bytes`,
  );
}
