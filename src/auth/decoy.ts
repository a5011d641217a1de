import {Secret} from '../contract/secret.js';
import type {AuthMethod} from './method.js';
import {createPartner, type Partner, type PartnerLookup} from './partner.js';

// Nobody has the private key: it was drawn, and thrown away.
const DECOY_RSA = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv8n1PQmoc0al3/E4qju4
kA5TpNuWUjanRzZtlnD887zD2vzy+H37hoUEoZ88WZCaJEx+VSDM6evpXJKeO4qm
uofuYzlfrBrztu0ygqynQNRP8RtYBPVN4Y4cF0HZC0VhfuMIJ4mLChMSSrxbKTWT
S1fcbm2+41BSk/CI2QtWzAE+LMsjMX+OuSIdYR0jSHDVpYR+YIVLRtbYUMpYNk9y
y9xhULDbkUlC1Og6RHZfUo3wkgME50+puogJxojoB2D4fDveFqqp3Ny031eWhJp4
5TFxIS9qnc8EyeJ9NMBwkAJ9QeGn1yFGGfP4qI7LdycKtag6wsfNMhXceXvGpZPS
VwIDAQAB
-----END PUBLIC KEY-----`;

let decoy: Required<Partner> | undefined;

type KeyMember = 'keyHash' | 'digestKey' | 'hmacKey' | 'rsaKey';

/** The key to check credentials with, whose it is, and whether a right answer counts. */
export interface Subject<M extends KeyMember> {
  readonly partner: Partner;
  readonly key: Required<Partner>[M];
  readonly usable: boolean;
}

/**
 * The key of `partnerId` for a method. For an unknown partner, and for one that may not use the
 * method, it is that of a decoy, so that every refusal costs the same work.
 */
export function subjectOf<M extends KeyMember>(
  partners: PartnerLookup,
  partnerId: string,
  method: AuthMethod,
  member: M,
): Subject<M> {
  decoy ??= createDecoy();
  const partner = partners(partnerId);
  const key = partner?.methods.has(method) ? partner[member] : undefined;
  if (!partner || key === undefined) return {partner: decoy, key: decoy[member], usable: false};
  return {partner, key: key as Required<Partner>[M], usable: true};
}

function createDecoy(): Required<Partner> {
  const key = new Secret(new TextEncoder().encode('decoy'));
  const partner = createPartner({
    partnerId: 'decoy',
    partnerKey: key,
    sharedKey: key,
    rsaPublicKey: DECOY_RSA,
    methods: [],
  });
  return partner as Required<Partner>;
}
