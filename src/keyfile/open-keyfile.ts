import type {Decrypter} from 'age-encryption';
import {PaylensError} from '../contract/paylens-error.js';
import type {Secret} from '../contract/secret.js';
import {type AgeHeader, damagedFile, readAgeHeader} from './age/age-header.js';
import {passphraseIdentity} from './age/passphrase-stanza.js';
import type {KeyfileEncryption} from './encrypt-keyfile.js';
import type {Keyfile} from './keyfile.js';
import {parseKeyfile} from './parse-keyfile.js';

/** Secrets that can decrypt a keyfile; the passphrase is requested only if the file needs one. */
export interface Unlock {
  /** X25519 identities, `AGE-SECRET-KEY-1...`. */
  readonly identities: readonly string[];
  readonly passphrase: () => Promise<Secret>;
}

/** A keyfile's content, and how to encrypt it again so that the same people can decrypt it. */
export interface OpenedKeyfile {
  readonly keyfile: Keyfile;
  readonly encryption: KeyfileEncryption;
}

const ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----';

/**
 * Opens the bytes of a keyfile: an age v1 file (c2sp.org/age), binary or armored.
 *
 * Throws 9011 when neither passphrase nor identity fits, 9012 for a damaged file, 9013 for a newer
 * version inside, 9015 for a key inside that is not usable.
 */
export async function openKeyfile(bytes: Uint8Array, unlock: Unlock): Promise<OpenedKeyfile> {
  const file = await binaryFile(bytes);
  const header = readAgeHeader(file);
  const {scrypt} = header;
  const passphrase = scrypt && (await unlock.passphrase());
  const own = passphrase && passphraseIdentity(passphrase, scrypt);
  const age = await import('age-encryption');
  const decrypter = new age.Decrypter();
  if (own) decrypter.addIdentity(own);
  else for (const identity of unlock.identities) addIdentity(decrypter, identity);
  addLastIdentity(decrypter, unlock, own !== undefined);
  const plaintext = await decrypter.decrypt(file).catch((error: unknown) => {
    throw error instanceof PaylensError ? error : damagedFile(error);
  });
  try {
    const keyfile = await parseKeyfile(plaintext);
    if (passphrase)
      return {keyfile, encryption: {kind: 'passphrase', passphrase, workFactor: scrypt.workFactor}};
    const recipients = await recipientsOf(keyfile, header, unlock, age.identityToRecipient);
    return {keyfile, encryption: {kind: 'recipients', recipients}};
  } finally {
    plaintext.fill(0);
  }
}

/** Whether a passphrase opens these bytes; false also if they are not an age file. */
export function needsPassphrase(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (start.startsWith(ARMOR)) {
    const body = Buffer.from(bytes.subarray(ARMOR.length, ARMOR.length + 66)).toString('latin1');
    return needsPassphrase(Buffer.from(body, 'base64'));
  }
  return start.startsWith('age-encryption.org/v1\n-> scrypt ');
}

async function binaryFile(bytes: Uint8Array): Promise<Uint8Array> {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.startsWith(ARMOR)) return bytes;
  const {armor} = await import('age-encryption');
  try {
    return armor.decode(text);
  } catch (cause) {
    throw new PaylensError(9012, 'its armor (base64 lines) is malformed', {cause});
  }
}

/** Adds an identity that is asked when all others have failed, and throws. */
function addLastIdentity(decrypter: Decrypter, {identities}: Unlock, hadPassphrase: boolean): void {
  decrypter.addIdentity({
    unwrapFileKey: () => {
      throw notDecrypted(identities, hadPassphrase);
    },
  });
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    if (!identity.startsWith('AGE-SECRET-KEY-1')) throw new TypeError('another type');
    decrypter.addIdentity(identity);
  } catch {
    throw new PaylensError(9011, 'an identity is malformed: its checksum differs');
  }
}

function notDecrypted(identities: readonly string[], hadPassphrase: boolean) {
  if (hadPassphrase) return new PaylensError(9011, 'the passphrase does not decrypt it');
  if (identities.length > 0)
    return new PaylensError(9011, 'none of the identities given decrypts it');
  return new PaylensError(9011, 'it is encrypted to recipients, and no identity was given', {
    hint: 'Pass the identity file with --identity or PAYLENS_IDENTITY_FILE.',
  });
}

/** The recipients to encrypt for again; none if the file does not list them. */
async function recipientsOf(
  {recipients}: Keyfile,
  header: AgeHeader,
  {identities}: Unlock,
  recipientFor: (identity: string) => Promise<string>,
): Promise<readonly string[]> {
  if (recipients.length === header.recipients) return recipients;
  // Encrypted by the age tool for one recipient: the identity that decrypted it is that recipient.
  const [identity] = identities;
  const isOwn = header.recipients === 1 && identities.length === 1 && identity !== undefined;
  return isOwn ? [await recipientFor(identity)] : [];
}
