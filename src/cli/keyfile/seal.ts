import {integer, string} from '@oclif/core/flags';
import {
  DEFAULT_WORK_FACTOR,
  MAX_WORK_FACTOR,
  MIN_WORK_FACTOR,
} from '../../keyfile/age/work-factor.js';
import type {Seal} from '../../keyfile/seal-keyfile.js';
import {shownDefault} from '../flags/shown-default.js';

/** How a keyfile is encrypted, without secrets. */
export interface SealView {
  readonly passphrase: boolean;
  readonly workFactor?: number;
  readonly recipients: readonly string[];
}

/** Describes a seal without its passphrase. */
export function sealView(seal: Seal): SealView {
  if (seal.kind === 'recipients') return {passphrase: false, recipients: seal.recipients};
  return {passphrase: true, workFactor: seal.workFactor, recipients: []};
}

/** A seal in words: `with a passphrase (scrypt work factor 18)`. */
export function sealText(seal: Seal): string {
  if (seal.kind === 'passphrase')
    return `with a passphrase (scrypt work factor ${seal.workFactor})`;
  if (seal.recipients.length === 0) return 'for unnamed recipients';
  return `for ${seal.recipients.join(', ')}`;
}

/** Flags that choose how a command encrypts the keyfile that it writes. */
export const sealFlags = {
  recipient: string({
    aliases: ['to'],
    description: 'age recipient (X25519) to encrypt for (repeatable)',
    helpValue: 'age1...',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'work-factor': integer({
    description: `scrypt work factor for a passphrase, as log2(N)`,
    ...shownDefault(String(DEFAULT_WORK_FACTOR)),
    helpValue: `${MIN_WORK_FACTOR}-${MAX_WORK_FACTOR}`,
    min: MIN_WORK_FACTOR,
    max: MAX_WORK_FACTOR,
    exclusive: ['recipient'],
  }),
};
