import {boolean, string} from '@oclif/core/flags';

/** Names the keyfiles and says how to open them: for commands that need keys. */
export const keyfileFlags = {
  keyfile: string({
    description: 'a keyfile; may be given several times',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'passphrase-file': string({
    description: 'read the passphrase from this file, less one line end',
    helpValue: 'FILE',
  }),
  identity: string({description: 'open the keyfile with this age identity', helpValue: 'FILE'}),
};

/** Chooses the key that protects key blocks. */
export const kbpkFlag = {
  kbpk: string({
    description: 'the kbpk of key blocks; not needed where there is only one',
    helpValue: 'NAME',
  }),
};

/** Takes the published test keys in place of a keyfile. */
export const testKeysFlag = {
  'test-keys': boolean({
    description: 'use the published test keys in place of a keyfile',
    exclusive: ['keyfile', 'passphrase-file', 'identity'],
  }),
};
