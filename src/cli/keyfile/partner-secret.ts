import {randomBytes} from 'node:crypto';
import type {SharedKeyEncoding} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {type FlagValues, flag} from '../flags/flag.js';
import {passphraseOf} from './passphrase.js';

/** The two secrets of a partner, as the flags name them and as the interface does. */
export const PARTNER_SECRETS = {'partner-key': 'partnerKey', 'shared-key': 'sharedKey'} as const;
type PartnerSecretName = keyof typeof PARTNER_SECRETS;
/** Their names. */
export const PARTNER_SECRET_NAMES = Object.keys(PARTNER_SECRETS) as PartnerSecretName[];

/** Source of the secrets of a partner; without these flags they are generated. */
export const partnerSecretFlags = {
  'partner-key-file': fileFlag('partnerKey'),
  'shared-key-file': fileFlag('shared key'),
};

/** The values of `partnerSecretFlags`. */
export type PartnerSecretFlags = FlagValues<typeof partnerSecretFlags>;

/**
 * The `needed` secrets: of the files that the flags name, else new ones, a partnerKey of 16 bytes in hex
 * and a shared key of 32. `generated` has the texts of new ones: only these are shown. Throws 9002 and
 * 9015.
 */
export async function newSecrets(
  needed: readonly PartnerSecretName[],
  flags: PartnerSecretFlags,
  encoding: SharedKeyEncoding,
) {
  const secretOf = async (name: PartnerSecretName, generate: () => string) => {
    if (!needed.includes(name)) return {};
    const [file, flagName] = [flags[`${name}-file`], `--${name}-file`];
    if (file !== undefined)
      return {secret: assertOneLine(await passphraseOf(file, flagName), flagName)};
    const generated = generate();
    return {secret: Secret.ofText(generated), generated};
  };
  const form = encoding === 'base64' ? 'base64' : 'hex';
  const partnerKey = await secretOf('partner-key', () => randomBytes(16).toString('hex'));
  const sharedKey = await secretOf('shared-key', () => randomBytes(32).toString(form));
  return {
    secrets: {
      ...(partnerKey.secret && {partnerKey: partnerKey.secret}),
      ...(sharedKey.secret && {sharedKey: sharedKey.secret, encoding}),
    },
    generated: {partnerKey: partnerKey.generated, sharedKey: sharedKey.generated},
  };
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
