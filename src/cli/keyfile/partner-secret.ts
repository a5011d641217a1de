import {randomBytes} from 'node:crypto';
import type {SharedKeyEncoding} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {type FlagValues, flag} from '../flags/flag.js';
import {passphraseOf} from './passphrase.js';

/** The two secrets of a partner, as the flags name them. */
export type PartnerSecretName = 'partner-key' | 'shared-key';

/** Source of the secrets of a partner; without these flags they are generated. */
export const partnerSecretFlags = {
  'partner-key-file': fileFlag('partnerKey'),
  'shared-key-file': fileFlag('shared key'),
};

/** The values of `partnerSecretFlags`. */
export type PartnerSecretFlags = FlagValues<typeof partnerSecretFlags>;

/** A secret, and its text if it was generated: only then it is shown. */
export interface NewSecret {
  readonly secret: Secret;
  readonly generated?: string;
}

/** The partnerKey of the flags, else a new one: 32 hex digits. Throws 9002 and 9015. */
export function newPartnerKey(flags: PartnerSecretFlags): Promise<NewSecret> {
  return newSecret(flags, 'partner-key-file', () => randomBytes(16).toString('hex'));
}

/** The shared key of the flags, else a new one of 32 bytes. Throws as `newPartnerKey` does. */
export function newSharedKey(
  flags: PartnerSecretFlags,
  encoding: SharedKeyEncoding,
): Promise<NewSecret> {
  const form = encoding === 'base64' ? 'base64' : 'hex';
  return newSecret(flags, 'shared-key-file', () => randomBytes(32).toString(form));
}

async function newSecret(
  flags: PartnerSecretFlags,
  name: `${PartnerSecretName}-file`,
  generate: () => string,
): Promise<NewSecret> {
  const file = flags[name];
  if (file !== undefined)
    return {secret: assertOneLine(await passphraseOf(file, `--${name}`), `--${name}`)};
  const generated = generate();
  return {secret: new Secret(Buffer.from(generated)), generated};
}

/** Keys travel in JSON and in headers: a stray line ending or byte would never match. */
function assertOneLine(secret: Secret, where: string): Secret {
  const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(secret.reveal());
  if (/^[^\p{Cc}\uFFFD]+$/u.test(text)) return secret;
  throw new PaylensError(9015, `${where}: expected a single line of printable text`);
}

function fileFlag(what: string) {
  return flag.text('FILE', `read the ${what} from this file (a trailing newline is ignored)`);
}
