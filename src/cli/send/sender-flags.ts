import {option} from '@oclif/core/flags';
import {type FlagValues, valueFlag} from '../flags/value-flags.js';
import {keyfileFlags} from '../keyfile/key-flags.js';

/** The partner that sends a request, and the source of its keys; no flag accepts a key itself. */
export const senderFlags = {
  partner: valueFlag('ID', 'partner ID; may be omitted if there is only one', {char: 'p'}),
  'partner-key-file': valueFlag('FILE', 'file containing the partnerKey', {helpGroup: 'KEYS'}),
  'shared-key-file': valueFlag('FILE', 'file containing the shared key', {helpGroup: 'KEYS'}),
  'key-encoding': option({
    description: 'encoding of the shared key',
    options: ['utf8', 'hex', 'base64'] as const,
    helpGroup: 'KEYS',
  })(),
  'rsa-private-key': valueFlag('FILE', 'RSA private key (PEM)', {helpGroup: 'KEYS'}),
  ...keyfileFlags,
};

/** The values of `senderFlags`. */
export type SenderFlags = FlagValues<typeof senderFlags>;
