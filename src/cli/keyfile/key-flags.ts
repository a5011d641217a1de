import {boolean, string} from '@oclif/core/flags';

/** Names the keyfiles and says how to open them: for commands that need keys. */
export const keyfileFlags = {
  keyfile: string({
    description:
      'keyfile (repeatable); default: PAYLENS_KEYFILE, then ' + '~/.config/paylens/keyfile.age',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'passphrase-file': string({
    description:
      'read the passphrase from this file (a trailing newline is ignored); default: PAYLENS_PASSPHRASE, then a prompt',
    helpValue: 'FILE',
  }),
  identity: string({
    description: 'age identity file used to decrypt the keyfile; default: PAYLENS_IDENTITY_FILE',
    helpValue: 'FILE',
  }),
};

/** Chooses the key that protects key blocks. */
export const kbpkFlag = {
  kbpk: string({
    description: 'name of the KBPK; may be omitted if the keyfile has only one',
    helpValue: 'NAME',
  }),
};

/** Takes the published test keys in place of a keyfile. */
export const testKeysFlag = {
  'test-keys': boolean({
    description: 'use the published test keys instead of a keyfile',
    exclusive: ['keyfile', 'passphrase-file', 'identity'],
  }),
};
