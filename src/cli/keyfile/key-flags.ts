import {boolean, integer, option} from '@oclif/core/flags';
import {RING_KEY_KINDS, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {type FlagValues, repeatableFlag, shownDefault, valueFlag} from '../flags/value-flags.js';

/** Names the keyfiles and says how to open them: for commands that need keys. */
export const keyfileFlags = {
  keyfile: repeatableFlag(
    'FILE',
    'keyfile (repeatable); default: PAYLENS_KEYFILE, then paylens/keyfile.age in ~/.config ' +
      '(Windows: %APPDATA%)',
    {char: 'k'},
  ),
  'passphrase-file': valueFlag(
    'FILE',
    'read the passphrase from this file (a trailing newline is ignored); default: PAYLENS_PASSPHRASE, then a prompt',
  ),
  identity: valueFlag(
    'FILE',
    'age identity file used to decrypt the keyfile; default: PAYLENS_IDENTITY_FILE',
  ),
};

/** The values of `keyfileFlags`. */
export type KeyfileFlags = FlagValues<typeof keyfileFlags>;

/** Chooses the key that protects key blocks. */
export const kbpkFlag = {
  kbpk: valueFlag('NAME', 'name of the KBPK; may be omitted if the keyfile has only one'),
};

const KEYFILE_FLAGS = Object.keys(keyfileFlags);

/** Where a key in hex is read from, in place of a hidden prompt. */
const KEY_SOURCES = ['key-file', 'components', 'component-file'];

/** Reads the XOR components of a key; `others` are further flags that give one. */
export function componentFlags(others: readonly string[] = []) {
  const except = (name: string) => [...others, ...KEY_SOURCES].filter((one) => one !== name);
  return {
    components: integer({
      description: 'number of XOR key components to prompt for',
      helpValue: '2-9',
      min: 2,
      max: 9,
      exclusive: except('components'),
    }),
    'component-file': repeatableFlag(
      'FILE',
      'file with one XOR key component in hex (repeatable)',
      {exclusive: except('component-file')},
    ),
  };
}

/** The values of the flags that say where a key in hex is read from. */
export type KeySourceFlags = FlagValues<ReturnType<typeof componentFlags>> & {
  readonly 'key-file'?: string | undefined;
};

interface KeyFlagOptions {
  /** Further flags of the command that give a key. */
  readonly others?: readonly string[];
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

/** Where a command finds its keys: keyfiles, the published test keys, or a one-time key. */
export function keyFlags({others = [], kinds = RING_KEY_KINDS}: KeyFlagOptions = {}) {
  const elsewhere = [...KEYFILE_FLAGS, 'test-keys', ...others];
  return {
    ...keyfileFlags,
    'test-keys': boolean({
      char: 't',
      description: 'use the published test keys instead of a keyfile',
      exclusive: [...KEYFILE_FLAGS, ...others],
    }),
    'key-file': valueFlag(
      'FILE',
      'file with one key in hex, used for every KSN instead of a keyfile',
      {exclusive: [...elsewhere, 'key-prompt']},
    ),
    'key-prompt': boolean({
      description: 'prompt for one key in hex, used for every KSN instead of a keyfile',
      exclusive: [...elsewhere, 'key-file'],
    }),
    'key-kind': option({
      description: kinds.includes('working')
        ? 'kind of the key that is read or typed; working: the cipher key itself, no DUKPT'
        : 'kind of the key that is read or typed',
      ...shownDefault('bdk'),
      options: kinds,
      exclusive: ['test-keys'],
    })(),
  };
}

/** The values of `keyFlags` and `keyAlgorithmFlag`. */
export type KeyFlags = FlagValues<ReturnType<typeof keyFlags> & typeof keyAlgorithmFlag>;
