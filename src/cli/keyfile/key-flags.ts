import {boolean, string} from '@oclif/core/flags';

/** Names the keyfiles and says how to open them: for commands that need keys. */
export const keyfileFlags = {
  keyfile: string({
    description:
      'a keyfile; may be given several times; default: PAYLENS_KEYFILE, ' +
      '~/.config/paylens/keyfile.age',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'passphrase-file': string({
    description:
      'read the passphrase from this file, less one line end; default: PAYLENS_PASSPHRASE, a prompt',
    helpValue: 'FILE',
  }),
  identity: string({
    description: 'open the keyfile with this age identity; default: PAYLENS_IDENTITY_FILE',
    helpValue: 'FILE',
  }),
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
