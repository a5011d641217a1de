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
