import {option, string} from '@oclif/core/flags';
import {keyfileFlags} from '../keyfile/key-flags.js';

/** Who sends a request, and where the keys are; no flag takes a key itself. */
export const senderFlags = {
  partner: string({description: 'partnerId; default: the only one known', helpValue: 'ID'}),
  'partner-key-file': string({
    description: 'read the partnerKey from this file',
    helpValue: 'FILE',
    helpGroup: 'KEYS',
  }),
  'shared-key-file': string({
    description: 'read the shared key from this file',
    helpValue: 'FILE',
    helpGroup: 'KEYS',
  }),
  'key-encoding': option({
    description: 'what the shared key is written in',
    options: ['utf8', 'hex', 'base64'] as const,
    helpGroup: 'KEYS',
  })(),
  'private-key': string({
    description: 'RSA private key (PEM)',
    helpValue: 'FILE',
    helpGroup: 'KEYS',
  }),
  ...keyfileFlags,
};
