import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type {Stanza as AgeStanza, Recipient} from 'age-encryption';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Stanza} from './age-file.js';
import {decodeBech32} from './bech32.js';
import {openFileKey, STANZA_BODY, sealFileKey, unpadded} from './file-key.js';
import {hkdfSha256} from './hkdf-sha256.js';

const LABEL = 'age-encryption.org/v1/X25519';
const KEY_BYTES = 32;
/** A PKCS #8 private key of X25519 up to its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The file key out of the stanza of one of the identities; null when there is none. Throws 9011, 9012. */
export function unwrapWithIdentities(
  stanzas: readonly Stanza[],
  identities: readonly string[],
): Uint8Array | null {
  const own = stanzas.filter(({args}) => args[0] === 'X25519');
  for (const identity of identities.map(readIdentity)) {
    for (const stanza of own) {
      const fileKey = unwrapped(stanza, identity);
      if (fileKey) return fileKey;
    }
  }
  return null;
}

interface Identity {
  readonly privateKey: KeyObject;
  /** The public key of the same. */
  readonly recipient: Uint8Array;
}

/**
 * An X25519 identity (c2sp.org/age, "X25519 recipient stanza"). It works by node:crypto: a file has
 * thousands of stanzas where a team is large, and each has to be tried.
 */
function readIdentity(text: string): Identity {
  const scalar = decodeBech32(text, 'AGE-SECRET-KEY-');
  if (scalar?.length !== KEY_BYTES || !text.startsWith('AGE-SECRET-KEY-1'))
    throw new PaylensError(9011, 'an identity is malformed: its checksum differs');
  const der = Buffer.concat([PKCS8, scalar]);
  const privateKey = createPrivateKey({key: der, format: 'der', type: 'pkcs8'});
  der.fill(0);
  scalar.fill(0);
  return {privateKey, recipient: bytesOf(createPublicKey(privateKey))};
}

/** An X25519 recipient, `age1...`; undefined for a text that is none. */
export function x25519Recipient(
  text: string,
  newStanza: (args: string[], body: Uint8Array) => AgeStanza,
): Recipient | undefined {
  const recipient = decodeBech32(text, 'age');
  if (recipient?.length !== KEY_BYTES) return undefined;
  const theirs = publicKeyOf(recipient);
  return {
    wrapFileKey: (fileKey) => {
      const {privateKey, publicKey} = generateKeyPairSync('x25519');
      const share = bytesOf(publicKey);
      const key = wrappingKey(privateKey, theirs, share, recipient);
      const sealed = sealFileKey(fileKey, key);
      key.fill(0);
      return [newStanza(['X25519', unpadded(share)], sealed)];
    },
  };
}

function unwrapped({args, body}: Stanza, identity: Identity): Uint8Array | null {
  const share = Buffer.from(args[1] ?? '', 'base64');
  const wellFormed = args.length === 2 && unpadded(share) === args[1];
  if (!wellFormed || share.length !== KEY_BYTES || body.length !== STANZA_BODY) throw malformed();
  const key = sharedKey(share, identity);
  const fileKey = openFileKey(body, key);
  key.fill(0);
  return fileKey;
}

/** Throws 9012 for a share of low order, which gives everybody the same secret. */
function sharedKey(share: Uint8Array, {privateKey, recipient}: Identity): Uint8Array {
  try {
    return wrappingKey(privateKey, publicKeyOf(share), share, recipient);
  } catch {
    throw malformed();
  }
}

function malformed(): PaylensError {
  return new PaylensError(9012, 'an X25519 stanza of its header is malformed');
}

function wrappingKey(
  privateKey: KeyObject,
  publicKey: KeyObject,
  share: Uint8Array,
  recipient: Uint8Array,
): Uint8Array {
  const secret = diffieHellman({privateKey, publicKey});
  const key = hkdfSha256(secret, Buffer.concat([share, recipient]), LABEL);
  secret.fill(0);
  return key;
}

/** From JWK: Node reads that twenty times as fast as DER. */
function publicKeyOf(bytes: Uint8Array): KeyObject {
  const x = Buffer.from(bytes).toString('base64url');
  return createPublicKey({key: {kty: 'OKP', crv: 'X25519', x}, format: 'jwk'});
}

function bytesOf(publicKey: KeyObject): Uint8Array {
  return Buffer.from(publicKey.export({format: 'jwk'}).x ?? '', 'base64url');
}
