import {integer, string} from '@oclif/core/flags';
import {
  DEFAULT_WORK_FACTOR,
  MAX_WORK_FACTOR,
  MIN_WORK_FACTOR,
} from '../../keyfile/age/work-factor.js';
import type {Seal} from '../../keyfile/seal-keyfile.js';

/** What may be shown of who opens a keyfile. */
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

/** A seal in words: `a passphrase (scrypt work factor 18)`. */
export function sealText(seal: Seal): string {
  if (seal.kind === 'passphrase') return `a passphrase (scrypt work factor ${seal.workFactor})`;
  if (seal.recipients.length === 0) return 'recipients that it does not name';
  return seal.recipients.join(', ');
}

/** Says who may open the keyfile that a command writes. */
export const sealFlags = {
  to: string({
    description: 'write it to this age recipient (X25519); may be given several times',
    helpValue: 'age1...',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'work-factor': integer({
    description: `log2 of the scrypt work for a passphrase (default ${DEFAULT_WORK_FACTOR})`,
    helpValue: `${MIN_WORK_FACTOR}-${MAX_WORK_FACTOR}`,
    min: MIN_WORK_FACTOR,
    max: MAX_WORK_FACTOR,
    exclusive: ['to'],
  }),
};
