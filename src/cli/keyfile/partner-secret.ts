import {randomBytes} from 'node:crypto';
import {boolean} from '@oclif/core/flags';
import type {SharedKeyEncoding} from '../../contract/auth-method.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {Secret} from '../../contract/secret.js';
import {type FlagValues, valueFlag} from '../flags/value-flags.js';
import {askSecret, askUntil} from '../input/prompt.js';
import {passphraseOf} from './passphrase.js';

/** The two secrets of a partner, as the flags name them. */
export type PartnerSecretName = 'partner-key' | 'shared-key';

/** Source of the secrets of a partner; without any flag they are generated. */
export const partnerSecretFlags = {
  'partner-key-file': fileFlag('partner-key', 'partnerKey'),
  'prompt-partner-key': askFlag('partner-key', 'partnerKey'),
  'shared-key-file': fileFlag('shared-key', 'shared key'),
  'prompt-shared-key': askFlag('shared-key', 'shared key'),
};

/** The values of `partnerSecretFlags`. */
export type PartnerSecretFlags = FlagValues<typeof partnerSecretFlags>;

/** A secret, and its text if it was generated: only then it is shown. */
export interface NewSecret {
  readonly secret: Secret;
  readonly generated?: string;
}

const GENERATED: Readonly<Record<SharedKeyEncoding, () => string>> = {
  utf8: () => randomBytes(32).toString('hex'),
  hex: () => randomBytes(32).toString('hex'),
  base64: () => randomBytes(32).toString('base64'),
};

/** Whether these flags give this secret, from a file or a prompt. */
export function givesSecret(flags: PartnerSecretFlags, name: PartnerSecretName): boolean {
  return flags[`${name}-file`] !== undefined || flags[`prompt-${name}`] === true;
}

/** Whether a person is asked for a secret. */
export function asksForSecret(flags: PartnerSecretFlags): boolean {
  return flags['prompt-partner-key'] === true || flags['prompt-shared-key'] === true;
}

/** The partnerKey of the flags, else a new one: 32 hex digits. Throws 9001, 9002 and 9015. */
export function newPartnerKey(flags: PartnerSecretFlags): Promise<NewSecret> {
  return newSecret('partner-key', flags, () => randomBytes(16).toString('hex'));
}

/** The shared key of the flags, else a new one of 32 bytes. Throws as `newPartnerKey` does. */
export function newSharedKey(
  flags: PartnerSecretFlags,
  encoding: SharedKeyEncoding,
): Promise<NewSecret> {
  return newSecret('shared-key', flags, GENERATED[encoding]);
}

async function newSecret(
  name: PartnerSecretName,
  flags: PartnerSecretFlags,
  generate: () => string,
): Promise<NewSecret> {
  const file = flags[`${name}-file`];
  if (file !== undefined) return {secret: checked(await passphraseOf(file), file)};
  if (flags[`prompt-${name}`]) {
    return {
      secret: await askUntil(
        () => askFor(name),
        (typed) => checked(typed, 'the value entered'),
      ),
    };
  }
  const generated = generate();
  return {secret: new Secret(Buffer.from(generated)), generated};
}

function askFor(name: PartnerSecretName): Promise<Secret> {
  const noTerminal = new PaylensError(9001, 'cannot prompt: not running in a terminal', {
    hint: `Provide it with --${name}-file.`,
  });
  return askSecret(name === 'partner-key' ? 'partnerKey:' : 'Shared key:', noTerminal);
}

/** Keys travel in JSON and in headers: a stray line ending or byte would never match. */
function checked(secret: Secret, where: string): Secret {
  const text = utf8(secret.reveal());
  if (text !== undefined && /^[^\p{Cc}]+$/u.test(text)) return secret;
  throw new PaylensError(9015, `${where}: expected a single line of printable text`);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

function fileFlag(name: PartnerSecretName, what: string) {
  return valueFlag('FILE', `read the ${what} from this file (a trailing newline is ignored)`, {
    exclusive: [`prompt-${name}`],
  });
}

function askFlag(name: PartnerSecretName, what: string) {
  return boolean({
    description: `prompt for the ${what} (input hidden)`,
    exclusive: [`${name}-file`],
  });
}
