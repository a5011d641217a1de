import {createCipheriv, createDecipheriv, randomBytes, scrypt} from 'node:crypto';
import type {Identity, Recipient} from 'age-encryption';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import {whileBlocking} from '../../files/blocking.js';
import {withoutEnd} from '../../platform/without-end.js';
import type {ScryptTerms} from './age-header.js';

const LABEL = 'age-encryption.org/v1/scrypt';
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const FILE_KEY_BYTES = 16;
const CIPHER = 'chacha20-poly1305';
const ZERO_NONCE = new Uint8Array(12);
const TAG = {authTagLength: 16} as const;

/**
 * The scrypt recipient of an age file (c2sp.org/age, "scrypt recipient stanza"). The one of
 * age-encryption derives the key in JavaScript and blocks the event loop.
 */
export function passphraseRecipient(passphrase: Secret, workFactor: number): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(SALT_BYTES);
      const key = await deriveKey(passphrase, salt, workFactor);
      const cipher = createCipheriv(CIPHER, key, ZERO_NONCE, TAG);
      key.fill(0);
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
      const unpadded = withoutEnd(salt.toString('base64'), /=/);
      return [{args: ['scrypt', unpadded, String(workFactor)], body}];
    },
  };
}

/**
 * The same for decryption. The key is derived at once: meanwhile the main thread loads
 * age-encryption.
 */
export function passphraseIdentity(passphrase: Secret, terms: ScryptTerms): Identity {
  const derived = deriveKey(passphrase, terms.salt, terms.workFactor);
  // Awaited later; until then a failure must not count as unhandled.
  derived.catch(() => {});
  return {
    async unwrapFileKey([stanza]) {
      const key = await derived;
      const fileKey = openFileKey(stanza?.body ?? ZERO_NONCE, key);
      key.fill(0);
      return fileKey;
    },
  };
}

/** The file key; null if it was encrypted under another key, or damaged. */
function openFileKey(body: Uint8Array, key: Uint8Array): Uint8Array | null {
  const decipher = createDecipheriv(CIPHER, key, ZERO_NONCE, TAG);
  const fileKey = decipher.update(body.subarray(0, FILE_KEY_BYTES));
  try {
    decipher.setAuthTag(body.subarray(FILE_KEY_BYTES)).final();
    return fileKey;
  } catch {
    fileKey.fill(0);
    return null;
  }
}

/** Derives a key on node:crypto's thread pool. */
function deriveKey(passphrase: Secret, salt: Uint8Array, workFactor: number): Promise<Buffer> {
  const cost = 2 ** workFactor;
  const options = {cost, blockSize: BLOCK_SIZE, maxmem: 128 * BLOCK_SIZE * (cost + 1024)};
  const labelled = Buffer.concat([Buffer.from(LABEL), salt]);
  const derived = new Promise<Buffer>((resolve, reject) => {
    scrypt(passphrase.reveal(), labelled, KEY_BYTES, options, (error, key) => {
      if (!error) return resolve(key);
      const need = `${cost / 1024} MiB of memory`;
      reject(new PaylensError(9012, `its scrypt work factor ${workFactor} needs ${need}`));
    });
  });
  return whileBlocking(() => derived);
}
