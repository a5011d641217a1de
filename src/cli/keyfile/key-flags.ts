import {RING_KEY_KINDS, type RingKeyKind} from '../../engine/dukpt/ring-key.js';
import {type FlagValues, flag, shownDefault} from '../flags/flag.js';

/** Names the keyfiles and says how to open them: for commands that need keys. */
export const keyfileFlags = {
  keyfile: flag.texts(
    'FILE',
    'keyfile (repeatable); default: PAYLENS_KEYFILE, then paylens/keyfile.age in ~/.config ' +
      '(Windows: %APPDATA%)',
    {char: 'k'},
  ),
  'passphrase-file': flag.text(
    'FILE',
    'read the passphrase from this file (a trailing newline is ignored); default: PAYLENS_PASSPHRASE, then a prompt',
  ),
  identity: flag.text(
    'FILE',
    'age identity file used to decrypt the keyfile; default: PAYLENS_IDENTITY_FILE',
  ),
};

/** The values of `keyfileFlags`. */
export type KeyfileFlags = FlagValues<typeof keyfileFlags>;

/** Chooses the key that protects key blocks. */
export const kbpkFlag = {
  kbpk: flag.text('NAME', 'name of the KBPK; may be omitted if the keyfile has only one'),
};

const KEYFILE_FLAGS = Object.keys(keyfileFlags);

/** Reads a key in hex, or its XOR components; without these flags it is prompted for. */
export const keySourceFlags = {
  'key-file': flag.text('FILE', 'file containing the key in hex', {
    exclusive: ['components', 'component-file'],
  }),
  components: flag.integer('2-9', 'number of XOR key components to prompt for', {
    min: 2,
    max: 9,
    exclusive: ['component-file'],
  }),
  'component-file': flag.texts('FILE', 'file with one XOR key component in hex (repeatable)'),
};

/** The values of `keySourceFlags`. */
export type KeySourceFlags = FlagValues<typeof keySourceFlags>;

/** For keys whose length fits both ciphers; `diagnose` tries both, and `derive` uses the KSN's. */
export const keyAlgorithmFlag = {
  'key-algorithm': flag.choice(
    ['tdes', 'aes'] as const,
    'cipher of the key that is read or typed, where its length leaves that open; default: that of the format and KSN',
    {exclusive: ['test-keys']},
  ),
};

/**
 * Where a command finds its keys: keyfiles, the published test keys, or a one-time key of one of the
 * `kinds`.
 */
export function keyFlags(kinds: readonly RingKeyKind[] = RING_KEY_KINDS) {
  const elsewhere = [...KEYFILE_FLAGS, 'test-keys'];
  const working = kinds.includes('working') ? '; working: the cipher key itself, no DUKPT' : '';
  return {
    ...keyfileFlags,
    'test-keys': flag.on('use the published test keys instead of a keyfile', {
      char: 't',
      exclusive: KEYFILE_FLAGS,
    }),
    'key-file': flag.text(
      'FILE',
      'file with one key in hex, used for every KSN instead of a keyfile',
      {exclusive: [...elsewhere, 'key-prompt']},
    ),
    'key-prompt': flag.on('prompt for one key in hex, used for every KSN instead of a keyfile', {
      exclusive: [...elsewhere, 'key-file'],
    }),
    'key-kind': flag.choice(kinds, `kind of the key that is read or typed${working}`, {
      ...shownDefault('bdk'),
      exclusive: ['test-keys'],
    }),
  };
}

/** The values of `keyFlags` and `keyAlgorithmFlag`. */
export type KeyFlags = FlagValues<ReturnType<typeof keyFlags> & typeof keyAlgorithmFlag>;
