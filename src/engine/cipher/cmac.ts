/** CMAC of `message`, one block long (NIST SP 800-38B, 6.2). */
import type {BlockCipher} from './block-cipher.js';
export function cmac(cipher: BlockCipher, message: Uint8Array): Uint8Array {
  const size = cipher.blockSize;
  const k1 = doubleBlock(cipher.encryptEcb(new Uint8Array(size)));
  const whole = message.length > 0 && message.length % size === 0;
  const padded = new Uint8Array(
    whole ? message.length : message.length + size - (message.length % size),
  );
  padded.set(message);
  if (!whole) padded[message.length] = 0x80;
  xorLastBlock(padded, whole ? k1 : doubleBlock(k1));
  return cipher.encryptCbc(padded).slice(-size);
}

/** Multiplies by x in the field of the block size (NIST SP 800-38B, 6.1). */
function doubleBlock(block: Uint8Array): Uint8Array {
  const constant = block.length === 8 ? 0x1b : 0x87;
  const carry = block[0]! >> 7;
  const doubled = block.map((byte, i) => (byte << 1) | ((block[i + 1] ?? 0) >> 7));
  doubled[doubled.length - 1]! ^= carry * constant;
  return doubled;
}

function xorLastBlock(message: Uint8Array, key: Uint8Array): void {
  const start = message.length - key.length;
  for (let i = 0; i < key.length; i++) message[start + i]! ^= key[i]!;
}
