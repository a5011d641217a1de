import {createCipheriv, createDecipheriv} from 'node:crypto';

const ALGORITHM = 'chacha20-poly1305';
const FILE_KEY = 16;
/** Length in bytes of a tag, which follows the data that it authenticates. */
export const TAG_BYTES = 16;
const TAG = {authTagLength: TAG_BYTES} as const;
const ZERO_NONCE = new Uint8Array(12);

/** Bytes of the body of a stanza: the file key and its tag. */
export const STANZA_BODY = FILE_KEY + TAG_BYTES;

/** Wraps a file key under a key that is used once (c2sp.org/age, "recipient stanza"). */
export function sealFileKey(fileKey: Uint8Array, key: Uint8Array): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, ZERO_NONCE, TAG);
  return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
}

/** The file key that the body of a stanza wraps; null when it is under another key. */
export function openFileKey(body: Uint8Array, key: Uint8Array): Uint8Array | null {
  return openSealed(body, key, ZERO_NONCE);
}

/** Decrypts data followed by its tag; null if the tag does not match. */
export function openSealed(
  sealed: Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
): Uint8Array | null {
  const end = sealed.length - TAG_BYTES;
  if (end < 0) return null;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, TAG);
  decipher.setAuthTag(sealed.subarray(end));
  const opened = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
    return opened;
  } catch {
    opened.fill(0);
    return null;
  }
}

/** Base64 as age writes it: without padding. */
export function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('base64')
    .replace(/=+$/, '');
}
