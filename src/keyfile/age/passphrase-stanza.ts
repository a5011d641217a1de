import {randomBytes, scrypt} from 'node:crypto';
import type {Stanza as AgeStanza, Recipient} from 'age-encryption';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import {holdingThread} from '../../files/held-thread.js';
import type {Stanza} from './age-file.js';
import {openFileKey, STANZA_BODY, sealFileKey, unpadded} from './file-key.js';
import {MAX_WORK_FACTOR} from './work-factor.js';

const LABEL = 'age-encryption.org/v1/scrypt';
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;

/**
 * The scrypt recipient of an age file (c2sp.org/age, "scrypt recipient stanza"). The key derivation
 * runs on node:crypto's thread pool, not on the main thread.
 */
export function passphraseRecipient(
  passphrase: Secret,
  workFactor: number,
  newStanza: (args: string[], body: Uint8Array) => AgeStanza,
): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(16);
      const key = await wrappingKey(passphrase, salt, workFactor);
      const sealed = sealFileKey(fileKey, key);
      key.fill(0);
      return [newStanza(['scrypt', unpadded(salt), String(workFactor)], sealed)];
    },
  };
}

/** The work factor that a scrypt stanza names. Throws 9012 for one malformed or above 22. */
export function workFactorOf(stanza: Stanza): number {
  const [, salt = '', factor = '', ...more] = stanza.args;
  const wellFormed = /^[A-Za-z0-9+/]{22}$/.test(salt) && /^[1-9][0-9]{0,3}$/.test(factor);
  if (!wellFormed || more.length > 0 || stanza.body.length !== STANZA_BODY) {
    throw new PaylensError(9012, 'the scrypt stanza of its header is malformed');
  }
  if (Number(factor) <= MAX_WORK_FACTOR) return Number(factor);
  throw new PaylensError(
    9012,
    `expected a scrypt work factor of at most ${MAX_WORK_FACTOR}, found ${factor}`,
  );
}

/** The file key out of a scrypt stanza; null when the passphrase is another. Throws 9012. */
export async function unwrapWithPassphrase(
  stanza: Stanza,
  passphrase: Secret,
): Promise<Uint8Array | null> {
  const workFactor = workFactorOf(stanza);
  const salt = Buffer.from(stanza.args[1] ?? '', 'base64');
  const key = await wrappingKey(passphrase, salt, workFactor);
  try {
    return openFileKey(stanza.body, key);
  } finally {
    key.fill(0);
  }
}

function wrappingKey(passphrase: Secret, salt: Uint8Array, workFactor: number): Promise<Buffer> {
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
  return holdingThread(() => derived);
}
