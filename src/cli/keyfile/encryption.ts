import {
  DEFAULT_WORK_FACTOR,
  MAX_WORK_FACTOR,
  MIN_WORK_FACTOR,
} from '../../keyfile/age/work-factor.js';
import type {KeyfileEncryption} from '../../keyfile/encrypt-keyfile.js';
import {flag, shownDefault} from '../flags/flag.js';

/** How a keyfile is encrypted, without secrets. */
export interface EncryptionView {
  readonly passphrase: boolean;
  readonly workFactor?: number;
  readonly recipients: readonly string[];
}

/** Describes an encryption without its passphrase. */
export function encryptionView(encryption: KeyfileEncryption): EncryptionView {
  if (encryption.kind === 'recipients')
    return {passphrase: false, recipients: encryption.recipients};
  return {passphrase: true, workFactor: encryption.workFactor, recipients: []};
}

/** An encryption in words: `with a passphrase (scrypt work factor 18)`. */
export function encryptionText(encryption: KeyfileEncryption): string {
  if (encryption.kind === 'passphrase')
    return `with a passphrase (scrypt work factor ${encryption.workFactor})`;
  if (encryption.recipients.length === 0) return 'for unnamed recipients';
  return `for ${encryption.recipients.join(', ')}`;
}

/** Flags that choose how a command encrypts the keyfile that it writes. */
export const encryptionFlags = {
  recipient: flag.texts('age1...', 'age recipient (X25519) to encrypt for (repeatable)'),
  'work-factor': flag.integer(
    `${MIN_WORK_FACTOR}-${MAX_WORK_FACTOR}`,
    'scrypt work factor for a passphrase, as log2(N)',
    {
      ...shownDefault(String(DEFAULT_WORK_FACTOR)),
      min: MIN_WORK_FACTOR,
      max: MAX_WORK_FACTOR,
      exclusive: ['recipient'],
    },
  ),
};
