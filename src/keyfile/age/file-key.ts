import {createCipheriv, createDecipheriv} from 'node:crypto';

const ALGORITHM = 'chacha20-poly1305';
const FILE_KEY = 16;
const TAG = {authTagLength: 16} as const;

/** Bytes of the body of a stanza: the file key and its tag. */
export const STANZA_BODY = FILE_KEY + TAG.authTagLength;

/** Wraps a file key under a key that is used once (c2sp.org/age, "recipient stanza"). */
export function sealFileKey(fileKey: Uint8Array, key: Uint8Array): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, zeroNonce(), TAG);
  return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
}

/** The file key that the body of a stanza wraps; null when it is under another key. */
export function openFileKey(body: Uint8Array, key: Uint8Array): Uint8Array | null {
  const decipher = createDecipheriv(ALGORITHM, key, zeroNonce(), TAG);
  decipher.setAuthTag(body.subarray(FILE_KEY));
  const fileKey = decipher.update(body.subarray(0, FILE_KEY));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return new Uint8Array(fileKey);
}

/** Base64 as age writes it: without padding. */
export function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

function zeroNonce(): Uint8Array {
  return new Uint8Array(12);
}
