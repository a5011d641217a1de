import {createHash, createPublicKey} from 'node:crypto';
import type {AuthMethod, SharedKeyEncoding} from '../contract/auth-method.js';
import type {PartnerEntry} from './partner-entry.js';

/** What may be shown of a partner: everything but its keys. */
export interface PartnerDescription {
  readonly partnerId: string;
  readonly methods: readonly AuthMethod[];
  readonly hasPartnerKey: boolean;
  readonly hasSharedKey: boolean;
  /** Of the shared key, if it has one. */
  readonly encoding?: SharedKeyEncoding;
  readonly rsaPublicKey?: RsaKeyDescription;
}

/** An RSA public key by its length and the SHA-256 of its SPKI in DER form, lower-case hex. */
export interface RsaKeyDescription {
  readonly bits?: number;
  readonly sha256: string;
}

/** Describes a partner: which keys it has, never the keys. */
export function describePartner(partner: PartnerEntry): PartnerDescription {
  const {partnerId, methods, partnerKey, sharedKey, encoding = 'utf8', rsaPublicKey} = partner;
  return {
    partnerId,
    methods,
    hasPartnerKey: partnerKey !== undefined,
    hasSharedKey: sharedKey !== undefined,
    ...(sharedKey ? {encoding} : {}),
    ...describeRsaKey(rsaPublicKey),
  };
}

/** Undefined if it is not a public key: rejecting it is up to the caller. */
function describeRsaKey(pem: string | undefined): {rsaPublicKey?: RsaKeyDescription} {
  if (pem === undefined) return {};
  try {
    const key = createPublicKey(pem);
    const der = key.export({type: 'spki', format: 'der'});
    const {modulusLength: bits} = key.asymmetricKeyDetails ?? {};
    const sha256 = createHash('sha256').update(der).digest('hex');
    return {rsaPublicKey: {...(bits === undefined ? {} : {bits}), sha256}};
  } catch {
    return {};
  }
}
