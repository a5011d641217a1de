import {createCipheriv, createDecipheriv} from 'node:crypto';

/**
 * Unwraps key blocks of versions B and D with node:crypto alone, written from ANSI X9.143:2021,
 * 7.2, and NIST SP 800-38B. It shares no code with the engine.
 */
export function openIndependently(block: string, kbpkHex: string) {
  const isAes = block.startsWith('D');
  const kbpk = Buffer.from(kbpkHex, 'hex');
  const size = isAes ? 16 : 8;
  const {headerEnd, optional} = cutHeader(block);
  const body = Buffer.from(block.slice(headerEnd), 'hex');
  const [encrypted, mac] = [body.subarray(0, -size), body.subarray(-size)];
  const decipher = createDecipheriv(
    cipherName(isAes, kbpk.length, 'cbc'),
    derive(isAes, kbpk, 0),
    mac,
  );
  decipher.setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(encrypted), decipher.final()]);
  const sealed = Buffer.concat([Buffer.from(block.slice(0, headerEnd), 'ascii'), plain]);
  const length = plain.readUInt16BE(0) / 8;
  return {
    header: block.slice(0, 16),
    optional,
    key: plain
      .subarray(2, 2 + length)
      .toString('hex')
      .toUpperCase(),
    macHolds: cmac(isAes, derive(isAes, kbpk, 1), sealed).equals(mac),
  };
}

function cutHeader(block: string) {
  const optional: Record<string, string> = {};
  let at = 16;
  for (let left = Number(block.slice(12, 14)); left > 0; left--) {
    const length = Number.parseInt(block.slice(at + 2, at + 4), 16);
    optional[block.slice(at, at + 2)] = block.slice(at + 4, at + length);
    at += length;
  }
  return {headerEnd: at, optional};
}

function derive(isAes: boolean, kbpk: Buffer, usage: number): Buffer {
  const algorithm = isAes ? kbpk.length / 8 : kbpk.length / 8 - 2;
  const bits = kbpk.length * 8;
  const blocks = [1, 2, 3, 4].map((counter) =>
    cmac(isAes, kbpk, Buffer.from([counter, 0, usage, 0, 0, algorithm, bits >> 8, bits & 255])),
  );
  return Buffer.concat(blocks).subarray(0, kbpk.length);
}

/** NIST SP 800-38B. */
export function cmac(isAes: boolean, key: Buffer, message: Buffer): Buffer {
  const size = isAes ? 16 : 8;
  const encrypt = (block: Buffer) =>
    createCipheriv(cipherName(isAes, key.length, 'ecb'), key, null)
      .setAutoPadding(false)
      .update(block);
  const first = doubled(encrypt(Buffer.alloc(size)));
  const isWhole = message.length > 0 && message.length % size === 0;
  const padded = isWhole
    ? Buffer.from(message)
    : Buffer.concat([
        message,
        Buffer.from([0x80]),
        Buffer.alloc(size - 1 - (message.length % size)),
      ]);
  const subkey = isWhole ? first : doubled(first);
  subkey.forEach((byte, i) => {
    const at = padded.length - size + i;
    padded[at] = (padded[at] ?? 0) ^ byte;
  });
  let state = Buffer.alloc(size);
  for (let at = 0; at < padded.length; at += size) {
    state = encrypt(Buffer.from(state.map((byte, i) => byte ^ (padded[at + i] ?? 0))));
  }
  return state;
}

function doubled(block: Buffer): Buffer {
  const bits = BigInt(8 * block.length);
  const value = BigInt(`0x${block.toString('hex')}`);
  const carry = value >> (bits - 1n) === 1n ? (block.length === 16 ? 0x87n : 0x1bn) : 0n;
  const result = ((value << 1n) ^ carry) & ((1n << bits) - 1n);
  return Buffer.from(result.toString(16).padStart(2 * block.length, '0'), 'hex');
}

function cipherName(isAes: boolean, keyLength: number, mode: 'cbc' | 'ecb'): string {
  if (isAes) return `aes-${8 * keyLength}-${mode}`;
  const name = keyLength === 16 ? 'des-ede' : 'des-ede3';
  return mode === 'ecb' ? (keyLength === 16 ? 'des-ede-ecb' : 'des-ede3-ecb') : `${name}-cbc`;
}
