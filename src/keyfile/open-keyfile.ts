import type {Decrypter, Identity, Stanza} from 'age-encryption';
import {PaylensError} from '../contract/paylens-error.js';
import type {Secret} from '../contract/secret.js';
import {unwrapWithPassphrase, workFactorOf} from './age/passphrase-stanza.js';
import {x25519Identity} from './age/x25519-stanza.js';
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

const MAGIC = 'age-encryption.org/v1\n';
const ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----';

/**
 * Opens the bytes of a keyfile: an age v1 file (c2sp.org/age), binary or armored.
 *
 * Throws 9011 when neither passphrase nor identity fits, 9012 for a damaged file, 9013 for a newer
 * version inside, 9015 for a key inside that is not usable.
 */
export async function openKeyfile(bytes: Uint8Array, unlock: Unlock): Promise<OpenedKeyfile> {
  const age = await import('age-encryption');
  const binary = dearmored(bytes, age.armor.decode);
  const decrypter = new age.Decrypter();
  const header = new Header(unlock);
  decrypter.addIdentity(header);
  for (const identity of unlock.identities) decrypter.addIdentity(x25519Identity(identity));
  const plaintext = await decrypted(decrypter, binary, header);
  try {
    const keyfile = await parseKeyfile(plaintext);
    return {keyfile, seal: await header.seal(keyfile, age.identityToRecipient)};
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

function dearmored(bytes: Uint8Array, decode: (text: string) => Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  if (text.startsWith(MAGIC)) return bytes;
  if (!text.startsWith(ARMOR)) throw notAge(bytes);
  try {
    return decode(text);
  } catch (cause) {
    throw new PaylensError(9012, 'its armor (base64 lines) is malformed', {cause});
  }
}

function notAge(bytes: Uint8Array): PaylensError {
  const found = bytes.length === 0 ? 'an empty file' : 'other content';
  return new PaylensError(9012, `expected age-encryption.org/v1 at byte 0, found ${found}`);
}

async function decrypted(
  decrypter: Decrypter,
  bytes: Uint8Array,
  header: Header,
): Promise<Uint8Array> {
  try {
    return await decrypter.decrypt(bytes);
  } catch (error) {
    if (error instanceof PaylensError) throw error;
    // age-encryption throws plain errors: a text is all that tells "no match" from "damaged".
    if (String(error).includes('no identity matched')) throw header.noMatch();
    throw new PaylensError(9012, 'its header or content fails authentication', {cause: error});
  }
}

/** Sees the stanzas of the header first: opens the scrypt one, and notes what the file is. */
class Header implements Identity {
  readonly #unlock: Unlock;
  #stanzas: readonly Stanza[] = [];
  #passphrase: Secret | undefined;

  constructor(unlock: Unlock) {
    this.#unlock = unlock;
  }

  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array | null> {
    this.#stanzas = stanzas;
    const scrypt = stanzas.find(({args}) => args[0] === 'scrypt');
    if (!scrypt) return null;
    if (stanzas.length > 1) {
      throw new PaylensError(9012, 'expected the scrypt stanza to be the only one in its header');
    }
    workFactorOf(scrypt);
    this.#passphrase = await this.#unlock.passphrase();
    return unwrapWithPassphrase(scrypt, this.#passphrase);
  }

  noMatch(): PaylensError {
    if (this.#passphrase) return new PaylensError(9011, 'the passphrase does not decrypt it');
    const count = this.#unlock.identities.length;
    if (count > 0) return new PaylensError(9011, `none of the identities given decrypts it`);
    return new PaylensError(9011, 'it is encrypted to recipients, and no identity was given', {
      hint: 'Pass the identity file with --identity or PAYLENS_IDENTITY_FILE.',
    });
  }

  async seal(keyfile: Keyfile, recipientOf: (identity: string) => Promise<string>): Promise<Seal> {
    const [first] = this.#stanzas;
    if (first && this.#passphrase) {
      const workFactor = workFactorOf(first);
      return {kind: 'passphrase', passphrase: this.#passphrase, workFactor};
    }
    const count = this.#stanzas.length;
    if (keyfile.recipients.length === count) {
      return {kind: 'recipients', recipients: keyfile.recipients};
    }
    // Encrypted by the age tool for one recipient: the identity that decrypted it is that
    // recipient.
    const [identity] = this.#unlock.identities;
    const own = count === 1 && this.#unlock.identities.length === 1 && identity !== undefined;
    return {kind: 'recipients', recipients: own ? [await recipientOf(identity)] : []};
  }
}
