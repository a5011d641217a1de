import type {Encrypter} from 'age-encryption';
import {PaylensError} from '../contract/paylens-error.js';
import type {Secret} from '../contract/secret.js';
import {passphraseRecipient} from './age/passphrase-stanza.js';
import type {Keyfile} from './keyfile.js';
import {serialiseKeyfile} from './parse-keyfile.js';

/**
 * How a keyfile is encrypted: with a passphrase, or for X25519 recipients, any one of whom can
 * decrypt it.
 */
export type KeyfileEncryption =
  | {readonly kind: 'passphrase'; readonly passphrase: Secret; readonly workFactor: number}
  | {readonly kind: 'recipients'; readonly recipients: readonly string[]};

/**
 * Encrypts a keyfile as a binary age v1 file (c2sp.org/age) under a new file key. It lists its
 * recipients inside, so that a later save keeps them. Throws 9001 for a recipient that is not an
 * X25519 one, or when the recipients are not known.
 */
export async function encryptKeyfile(
  keyfile: Keyfile,
  encryption: KeyfileEncryption,
): Promise<Uint8Array> {
  const age = await import('age-encryption');
  const encrypter = new age.Encrypter();
  const recipients = encryption.kind === 'recipients' ? encryption.recipients : [];
  if (encryption.kind === 'passphrase')
    encrypter.addRecipient(passphraseRecipient(encryption.passphrase, encryption.workFactor));
  else addRecipients(encrypter, recipients);
  const plaintext = serialiseKeyfile({...keyfile, recipients});
  try {
    return await encrypter.encrypt(plaintext);
  } finally {
    plaintext.fill(0);
  }
}

function addRecipients(encrypter: Encrypter, recipients: readonly string[]): void {
  if (recipients.length === 0)
    throw new PaylensError(9001, 'the keyfile does not list its recipients', {
      hint: 'Pass all of them once: `paylens keyfile rekey --recipient RECIPIENT`, with one --recipient for each.',
    });
  for (const recipient of recipients) {
    if (!/^age1[0-9a-z]{58}$/.test(recipient)) throw badRecipient(recipient);
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw badRecipient(recipient);
    }
  }
}

function badRecipient(recipient: string): PaylensError {
  const found = recipient.startsWith('AGE-SECRET-KEY') ? 'an identity' : 'other text';
  return new PaylensError(
    9001,
    `expected an X25519 recipient (age1 and 58 characters), found ${found}`,
    {hint: 'Use the public key that `age-keygen` prints.'},
  );
}
