import {type RsaPublicKey, randomBytes, rsaKeyOfModulus} from '#platform';
import type {AuthMethod} from '../../contract/auth-method.js';
import {sha256} from '../../platform/hash.js';
import {DigestKey} from './digest-key.js';
import {HmacKey} from './hmac-key.js';
import type {Partner, PartnerLookup} from './partner.js';
import {RSA_BYTES} from './rsa-public-key.js';

/** The key to check credentials with, and its partner: undefined when it is a decoy. */
export interface KeySubject<K> {
  readonly key: K;
  readonly partner: Partner | undefined;
}

type Keys = Required<Pick<Partner, 'keyHash' | 'digestKey' | 'hmacKey'>>;

let decoys: Keys | undefined;
const rsaDecoys = new Map<number, RsaPublicKey>();

/**
 * The key of `partnerId` for a method. For an unknown partner, and for one that may not use the
 * method, it is a decoy, so that every refusal costs the same work.
 */
export function subjectOf<M extends keyof Keys>(
  partners: PartnerLookup,
  partnerId: string,
  method: AuthMethod,
  member: M,
): KeySubject<Keys[M]> {
  decoys ??= drawKeys();
  const partner = partners(partnerId);
  const key = partner?.methods.has(method) ? partner[member] : undefined;
  if (key === undefined) return {key: decoys[member], partner: undefined};
  return {key: key as Keys[M], partner};
}

/**
 * The RSA key of `partnerId` for a signature of `bytes`: a decoy also where the partner's key has
 * another length, since the cost of RSA depends on the length of the key.
 */
export function rsaSubjectOf(
  partners: PartnerLookup,
  partnerId: string,
  bytes: number,
): KeySubject<RsaPublicKey> {
  const decoy = rsaDecoyOf(bytes);
  const partner = partners(partnerId);
  const key = partner?.methods.has('rsa') ? partner.rsaKey : undefined;
  return key?.modulus.length === bytes ? {key, partner} : {key: decoy, partner: undefined};
}

function drawKeys(): Keys {
  const key = randomBytes(32);
  return {keyHash: sha256(key), digestKey: new DigestKey('', key), hmacKey: new HmacKey(key)};
}

/** A decoy as long as the signature, or as near to it as a partner's key can be. */
function rsaDecoyOf(bytes: number): RsaPublicKey {
  const length = Math.min(Math.max(bytes, RSA_BYTES.least), RSA_BYTES.most);
  const known = rsaDecoys.get(length);
  if (known) return known;
  const decoy = rsaKeyOfModulus(drawModulus(length));
  rsaDecoys.set(length, decoy);
  return decoy;
}

// Any odd number will do: it costs as much as a product of two primes, and has no known private
// key.
function drawModulus(length: number): Uint8Array {
  const modulus = randomBytes(length);
  modulus[0] = (modulus[0] as number) | 0x80;
  modulus[length - 1] = (modulus[length - 1] as number) | 0x01;
  return modulus;
}
