import type {RsaPublicKey} from '#platform';
import {
  AUTH_METHODS,
  type AuthMethod,
  isAuthMethod,
  type SharedKeyEncoding,
} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Secret} from '../../contract/secret.js';
import {sha256} from '../../platform/hash.js';
import {DigestKey} from './digest-key.js';
import {HmacKey} from './hmac-key.js';
import {partnerRsaKey} from './rsa-public-key.js';
import {decodeSharedKey} from './shared-key.js';
import {passwordsOf, signingKeysOf} from './signing-keys.js';
import type {Variant} from './variant.js';

/** A partner as authentication sees it: what each method compares with, made ready. */
export interface Partner {
  readonly partnerId: string;
  /** What it was made of. */
  readonly record: PartnerRecord;
  /** The methods enabled for it; none for a partner that is disabled. */
  readonly methods: ReadonlySet<AuthMethod>;
  /** SHA-256 of the partnerKey: transparent and Basic. */
  readonly keyHash?: Uint8Array;
  readonly digestKey?: DigestKey;
  readonly hmacKey?: HmacKey;
  readonly rsaKey?: RsaPublicKey;
  /** The HMAC key, then keys that callers use by mistake; only for explaining an error. */
  readonly signingKeys: () => readonly Variant<Uint8Array>[];
  /** The partnerKey, then what callers use in its place by mistake; only for explaining an error. */
  readonly passwords: () => readonly Variant<Uint8Array>[];
}

/** Finds a partner by its id, exactly as it is written. */
export type PartnerLookup = (partnerId: string) => Partner | undefined;

/** The record of a partner. */
export interface PartnerRecord {
  readonly partnerId: string;
  /** UTF-8. */
  readonly partnerKey?: Secret | undefined;
  /** The shared key as it was issued: its text as UTF-8. */
  readonly sharedKey?: Secret | undefined;
  readonly encoding?: SharedKeyEncoding | undefined;
  /** SPKI in PEM form. */
  readonly rsaPublicKey?: string | undefined;
  readonly methods: readonly string[];
}

/**
 * Makes a partner ready for authentication. Throws 9015 for an id that cannot be sent, an unknown
 * method, a method without its key, a shared key not in its encoding, and an RSA key that is not
 * one of 2048 to 8192 bits with exponent 65537.
 */
export function createPartner(record: PartnerRecord): Partner {
  const {partnerId, partnerKey, sharedKey, rsaPublicKey} = record;
  if (!/^[^\p{Cc}]{1,128}$/u.test(partnerId))
    throw new PaylensError(9015, 'partnerId: expected 1 to 128 printable characters');
  const key = partnerKey?.reveal();
  const partner = {
    ...{partnerId, record},
    methods: new Set(record.methods.map((name) => knownMethod(name, partnerId))),
    ...(key && {keyHash: sha256(key), digestKey: new DigestKey(partnerId, key)}),
    ...(sharedKey && {hmacKey: hmacKeyOf(sharedKey, record)}),
    ...(rsaPublicKey !== undefined && {rsaKey: partnerRsaKey(rsaPublicKey, partnerId)}),
    signingKeys: () => signingKeysOf(record),
    passwords: () => passwordsOf(record),
  };
  for (const method of partner.methods) {
    const [member, name] = KEY_OF[method];
    if (!(member in partner))
      throw unusable(partnerId, `${method} is enabled, but ${name} is missing`);
  }
  return partner;
}

const KEY_OF: Readonly<
  Record<AuthMethod, readonly [keyof Partner, 'partnerKey' | 'sharedKey' | 'rsaPublicKey']>
> = {
  transparent: ['keyHash', 'partnerKey'],
  basic: ['keyHash', 'partnerKey'],
  digest: ['digestKey', 'partnerKey'],
  'digest-preemptive': ['digestKey', 'partnerKey'],
  hmac: ['hmacKey', 'sharedKey'],
  rsa: ['rsaKey', 'rsaPublicKey'],
};

/** The methods that the keys of a record allow. */
export function methodsWithKey(record: Omit<PartnerRecord, 'partnerId' | 'methods'>): AuthMethod[] {
  return AUTH_METHODS.filter((method) => record[KEY_OF[method][1]]);
}

function knownMethod(name: string, partnerId: string): AuthMethod {
  if (isAuthMethod(name)) return name;
  throw unusable(partnerId, `methods: expected ${AUTH_METHODS.join(', ')}`);
}

function hmacKeyOf(sharedKey: Secret, {partnerId, encoding = 'utf8'}: PartnerRecord): HmacKey {
  const bytes = decodeSharedKey(sharedKey.reveal(), encoding);
  if (bytes) return new HmacKey(bytes);
  throw unusable(partnerId, `sharedKey: expected ${encoding}, found other text`);
}

function unusable(partnerId: string, what: string): PaylensError {
  return new PaylensError(9015, `partner ${partnerId}: ${what}`);
}
