import {boolean, option, string} from '@oclif/core/flags';
import {RING_KEY_KINDS, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {shownDefault} from '../flags/shown-default.js';

/** Names the keyfiles and says how to open them: for commands that need keys. */
export const keyfileFlags = {
  keyfile: string({
    char: 'k',
    description:
      'keyfile (repeatable); default: PAYLENS_KEYFILE, then paylens/keyfile.age in ~/.config ' +
      '(Windows: %APPDATA%)',
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

const KEYFILE_FLAGS = Object.keys(keyfileFlags);

interface OnceOptions {
  /** Further flags of the command that give a key. */
  readonly others?: readonly string[];
  /** Older names, which still work. */
  readonly aliases?: Readonly<Record<'file' | 'prompt' | 'kind', string>>;
  /** The kinds of key that the command can use. */
  readonly kinds?: readonly RingKeyKind[];
}

/** What the length of a key leaves open: `diagnose` finds it, and `derive` has it of the KSN. */
export const keyAlgorithmFlag = {
  'key-algorithm': option({
    description:
      'cipher of the key that is read or typed, where its length leaves that open; default: that of the format and KSN',
    options: ['tdes', 'aes'] as const,
    exclusive: ['test-keys'],
  })(),
};

/** Where a command finds its keys: keyfiles, the published test keys, or one key for once. */
export function keyFlags({others = [], aliases, kinds = RING_KEY_KINDS}: OnceOptions = {}) {
  const elsewhere = [...KEYFILE_FLAGS, 'test-keys', ...others];
  return {
    ...keyfileFlags,
    'test-keys': boolean({
      char: 't',
      description: 'use the published test keys instead of a keyfile',
      exclusive: [...KEYFILE_FLAGS, ...others],
    }),
    'key-file': string({
      description: 'file with one key in hex, used for every KSN instead of a keyfile',
      helpValue: 'FILE',
      exclusive: [...elsewhere, 'key-prompt'],
      ...(aliases && {aliases: [aliases.file]}),
    }),
    'key-prompt': boolean({
      description: 'prompt for one key in hex, used for every KSN instead of a keyfile',
      exclusive: [...elsewhere, 'key-file'],
      ...(aliases && {aliases: [aliases.prompt]}),
    }),
    'key-kind': option({
      description: kinds.includes('working')
        ? 'kind of the key that is read or typed; working: the cipher key itself, no DUKPT'
        : 'kind of the key that is read or typed',
      ...shownDefault('bdk'),
      options: kinds,
      exclusive: ['test-keys'],
      ...(aliases && {aliases: [aliases.kind]}),
    })(),
  };
}
