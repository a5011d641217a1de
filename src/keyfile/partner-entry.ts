import type {AuthMethod, SharedKeyEncoding} from '../contract/auth-method.js';
import {PaylensError} from '../contract/paylens-error.js';
import {Secret} from '../contract/secret.js';

/** A partner in the JSON of a keyfile. */
export interface PartnerForm {
  readonly partnerId: string;
  readonly partnerKey?: string | undefined;
  readonly sharedKey?: string | undefined;
  readonly encoding?: SharedKeyEncoding | undefined;
  readonly rsaPublicKey?: string | undefined;
  readonly methods?: readonly AuthMethod[] | undefined;
  readonly [member: string]: unknown;
}

/** A partner of the keyfile. Its secrets are the UTF-8 of the texts that were issued. */
export interface PartnerEntry {
  readonly partnerId: string;
  readonly partnerKey?: Secret | undefined;
  readonly sharedKey?: Secret | undefined;
  /** Encoding of the shared key; absent: UTF-8. */
  readonly encoding?: SharedKeyEncoding | undefined;
  /** SPKI in PEM form. */
  readonly rsaPublicKey?: string | undefined;
  readonly methods: readonly AuthMethod[];
  /** Members that this version does not know: a save keeps them. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/** Puts the secrets of partners into `Secret`s. Throws 9015 when two have the same id. */
export function partnersFrom(forms: readonly PartnerForm[]): readonly PartnerEntry[] {
  const seen = new Set<string>();
  for (const {partnerId} of forms) {
    if (seen.has(partnerId)) {
      throw new PaylensError(9015, `partner ${partnerId} is in the keyfile twice`);
    }
    seen.add(partnerId);
  }
  return forms.map(entryFrom);
}

/** The JSON form of a partner: its keys are clear. */
export function partnerFormOf({unknown, ...entry}: PartnerEntry): PartnerForm {
  const {partnerKey, sharedKey} = entry;
  return {...entry, partnerKey: textOf(partnerKey), sharedKey: textOf(sharedKey), ...unknown};
}

function entryFrom(form: PartnerForm): PartnerEntry {
  const {partnerId, partnerKey, sharedKey, encoding, rsaPublicKey, methods, ...unknown} = form;
  return {
    partnerId,
    partnerKey: secretOf(partnerKey),
    sharedKey: secretOf(sharedKey),
    encoding,
    rsaPublicKey,
    methods: methods ?? [],
    unknown,
  };
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : Secret.ofText(text);
}

function textOf(secret: Secret | undefined): string | undefined {
  return secret && new TextDecoder().decode(secret.reveal());
}
