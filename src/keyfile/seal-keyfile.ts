import {PaylensError} from '../contract/paylens-error.js';
import type {Secret} from '../contract/secret.js';
import {passphraseRecipient} from './age/passphrase-stanza.js';
import {x25519Recipient} from './age/x25519-stanza.js';
import type {Keyfile} from './keyfile.js';
import {serialiseKeyfile} from './parse-keyfile.js';

/**
 * How a keyfile is encrypted: with a passphrase, or for X25519 recipients, any one of whom can
 * decrypt it.
 */
export type Seal =
  | {readonly kind: 'passphrase'; readonly passphrase: Secret; readonly workFactor: number}
  | {readonly kind: 'recipients'; readonly recipients: readonly string[]};

/**
 * Encrypts a keyfile as a binary age v1 file (c2sp.org/age) under a new file key. Its recipients are
 * noted inside, so that a later save keeps them. Throws 9001 for a recipient that is not an X25519
 * one, or when it is not known who the file is written to.
 */
export async function sealKeyfile(keyfile: Keyfile, seal: Seal): Promise<Uint8Array> {
  const {Encrypter, Stanza} = await import('age-encryption');
  const encrypter = new Encrypter();
  const newStanza = (args: string[], body: Uint8Array) => new Stanza(args, body);
  if (seal.kind === 'passphrase') {
    encrypter.addRecipient(passphraseRecipient(seal.passphrase, seal.workFactor, newStanza));
  }
  const recipients = seal.kind === 'recipients' ? seal.recipients : [];
  if (seal.kind === 'recipients') checkRecipients(recipients);
  for (const recipient of recipients) {
    encrypter.addRecipient(x25519Recipient(recipient, newStanza) ?? refuseRecipient(recipient));
  }
  const plaintext = serialiseKeyfile({...keyfile, recipients});
  try {
    return await encrypter.encrypt(plaintext);
  } finally {
    plaintext.fill(0);
  }
}

function checkRecipients(recipients: readonly string[]): void {
  if (recipients.length > 0) return;
  throw new PaylensError(9001, 'the keyfile does not list its recipients', {
    hint: 'Pass all of them once: `paylens keyfile rekey --recipient RECIPIENT ...`.',
  });
}

function refuseRecipient(recipient: string): never {
  const found = recipient.startsWith('AGE-SECRET-KEY') ? 'an identity' : 'other text';
  throw new PaylensError(
    9001,
    `expected an X25519 recipient (age1 and 58 characters), found ${found}`,
    {hint: 'Use the public key that `age-keygen` prints.'},
  );
}
