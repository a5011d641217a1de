import {PaylensError} from '../contract/paylens-error.js';
import type {Secret} from '../contract/secret.js';
import {MAGIC, openAgeFile, readAgeFile, type Stanza} from './age/age-file.js';
import {unwrapWithPassphrase, workFactorOf} from './age/passphrase-stanza.js';
import {unwrapWithIdentities} from './age/x25519-stanza.js';
import type {Keyfile} from './keyfile.js';
import {parseKeyfile} from './parse-keyfile.js';
import type {Seal} from './seal-keyfile.js';

/** Secrets that can decrypt a keyfile; the passphrase is requested only if the file needs one. */
export interface Unlock {
  /** X25519 identities, `AGE-SECRET-KEY-1...`. */
  readonly identities: readonly string[];
  readonly passphrase: () => Promise<Secret>;
}

/** A keyfile's content, and how to seal it again so that the same people open it. */
export interface OpenedKeyfile {
  readonly keyfile: Keyfile;
  readonly seal: Seal;
}

const ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----';

/**
 * Opens the bytes of a keyfile: an age v1 file (c2sp.org/age), binary or armored.
 *
 * Throws 9011 when neither passphrase nor identity fits, 9012 for a damaged file, 9013 for a newer
 * version inside, 9015 for a key inside that is not usable.
 */
export async function openKeyfile(bytes: Uint8Array, unlock: Unlock): Promise<OpenedKeyfile> {
  const file = readAgeFile(await dearmored(bytes));
  const {stanzas} = file;
  const passphrase = await passphraseFor(stanzas, unlock);
  const fileKey = await fileKeyOf(stanzas, unlock, passphrase);
  const plaintext = openAgeFile(file, fileKey);
  fileKey.fill(0);
  try {
    const keyfile = await parseKeyfile(plaintext);
    return {keyfile, seal: await sealOf(keyfile, stanzas, unlock, passphrase)};
  } finally {
    plaintext.fill(0);
  }
}

/** Whether a passphrase opens these bytes; false too when they are no age file. */
export function wantsPassphrase(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (start.startsWith(ARMOR)) {
    const body = Buffer.from(bytes.subarray(ARMOR.length, ARMOR.length + 66)).toString('latin1');
    return wantsPassphrase(Buffer.from(body, 'base64'));
  }
  return start.startsWith(`${MAGIC}-> scrypt `);
}

async function dearmored(bytes: Uint8Array): Promise<Uint8Array> {
  const text = Buffer.from(bytes).toString('latin1');
  if (text.startsWith(MAGIC)) return bytes;
  if (!text.startsWith(ARMOR)) throw notAge(bytes);
  const {armor} = await import('age-encryption');
  try {
    return armor.decode(text);
  } catch (cause) {
    throw new PaylensError(9012, 'its armor (base64 lines) is malformed', {cause});
  }
}

function notAge(bytes: Uint8Array): PaylensError {
  const found = bytes.length === 0 ? 'an empty file' : 'other content';
  return new PaylensError(9012, `expected age-encryption.org/v1 at byte 0, found ${found}`);
}

/** The passphrase that the header wants; undefined when it is for recipients. Throws 9012. */
async function passphraseFor(
  stanzas: readonly Stanza[],
  unlock: Unlock,
): Promise<Secret | undefined> {
  const scrypt = stanzas.find(({args}) => args[0] === 'scrypt');
  if (!scrypt) return undefined;
  if (stanzas.length > 1)
    throw new PaylensError(9012, 'expected the scrypt stanza to be the only one in its header');
  workFactorOf(scrypt);
  return unlock.passphrase();
}

async function fileKeyOf(
  stanzas: readonly Stanza[],
  {identities}: Unlock,
  passphrase: Secret | undefined,
): Promise<Uint8Array> {
  const [first] = stanzas;
  const fileKey =
    passphrase && first
      ? await unwrapWithPassphrase(first, passphrase)
      : unwrapWithIdentities(stanzas, identities);
  if (fileKey) return fileKey;
  if (passphrase) throw new PaylensError(9011, 'the passphrase does not decrypt it');
  if (identities.length > 0)
    throw new PaylensError(9011, 'none of the identities given decrypts it');
  throw new PaylensError(9011, 'it is encrypted to recipients, and no identity was given', {
    hint: 'Pass the identity file with --identity or PAYLENS_IDENTITY_FILE.',
  });
}

async function sealOf(
  keyfile: Keyfile,
  stanzas: readonly Stanza[],
  {identities}: Unlock,
  passphrase: Secret | undefined,
): Promise<Seal> {
  const [first] = stanzas;
  if (first && passphrase) return {kind: 'passphrase', passphrase, workFactor: workFactorOf(first)};
  const {recipients} = keyfile;
  if (recipients.length === stanzas.length) return {kind: 'recipients', recipients};
  // Encrypted by the age tool for one recipient: the identity that decrypted it is that recipient.
  const [identity] = identities;
  const isOwn = stanzas.length === 1 && identities.length === 1 && identity !== undefined;
  return {kind: 'recipients', recipients: isOwn ? [await recipientOf(identity)] : []};
}

async function recipientOf(identity: string): Promise<string> {
  const {identityToRecipient} = await import('age-encryption');
  return identityToRecipient(identity);
}
