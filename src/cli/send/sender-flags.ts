import {option, string} from '@oclif/core/flags';
import {keyfileFlags} from '../keyfile/key-flags.js';

/** The partner that sends a request, and the source of its keys; no flag accepts a key itself. */
export const senderFlags = {
  partner: string({
    char: 'p',
    description: 'partner ID; may be omitted if there is only one',
    helpValue: 'ID',
  }),
  'partner-key-file': string({
    description: 'file containing the partnerKey',
    helpValue: 'FILE',
    helpGroup: 'KEYS',
  }),
  'shared-key-file': string({
    description: 'file containing the shared key',
    helpValue: 'FILE',
    helpGroup: 'KEYS',
  }),
  'key-encoding': option({
    description: 'encoding of the shared key',
    options: ['utf8', 'hex', 'base64'] as const,
    helpGroup: 'KEYS',
  })(),
  'rsa-private-key': string({
    aliases: ['private-key'],
    description: 'RSA private key (PEM)',
    helpValue: 'FILE',
    helpGroup: 'KEYS',
  }),
  ...keyfileFlags,
};
