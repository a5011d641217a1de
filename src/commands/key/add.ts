import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {keyfileFlags, keySourceFlags} from '../../cli/keyfile/key-flags.js';
import {kcvText, keyDetails} from '../../cli/keyfile/key-table.js';
import {writableKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {asksForKey, readKey} from '../../cli/keyfile/read-key.js';
import {note, printJson, printResult} from '../../cli/output/output.js';
import type {Secret} from '../../contract/secret.js';
import {addKeys} from '../../keyfile/add-keys.js';
import {describeKey, type KeyDescription} from '../../keyfile/keys/describe-key.js';
import {
  KEY_ALGORITHMS,
  KEY_KINDS,
  type KeyEntry,
  keyEntryFrom,
  normaliseKsnPrefix,
} from '../../keyfile/keys/key-entry.js';

/** Adds one key to a keyfile. */
export default class KeyAdd extends BaseCommand {
  static override description =
    'Add a key to the keyfile and show its KCV.\n\n' +
    'The key is entered in hex at a hidden prompt or read from a file. XOR key components are ' +
    'entered one at a time, and the KCV of each is shown. Without --algorithm, a 16-byte key ' +
    'is used for TDES DUKPT with 10-byte KSNs and for AES DUKPT with 12-byte KSNs.';
  static override args = {
    name: arg.optional('name of the key'),
  };
  static override flags = {
    ...keyfileFlags,
    kind: flag.chosen(
      KEY_KINDS,
      'bdk',
      'bdk: base derivation key; ik: initial key of one device; working: the cipher key itself, ' +
        'no DUKPT; kbpk: key block protection key',
    ),
    algorithm: flag.choice(KEY_ALGORITHMS, 'algorithm of the key'),
    'ksn-prefix': flag.text(
      'HEX',
      'KSN prefix this key is used for; for an ik, its initial KSN is also accepted, for a working ' +
        'key the KSN of its transaction',
    ),
    compatibility: flag.on(
      'an AES key that may also be used with 10-byte KSNs (KSN compatibility mode of X9.24-3); ' +
        'if the terminal format uses TDES, its data is decrypted with a 2TDEA working key',
    ),
    ...keySourceFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> lab --ksn-prefix FFFF987654',
    '<%= config.bin %> <%= command.id %> prod --algorithm tdes --components 3',
    '<%= config.bin %> <%= command.id %> session --kind working --key-file key.hex',
    '<%= config.bin %> <%= command.id %> --kind ik --ksn-prefix FFFF9876543210E00000 --key-file ik.hex',
  ];

  async run(): Promise<void> {
    const {args, flags: given} = await this.parse(KeyAdd);
    const flags = {...given, name: args.name};
    const file = await writableKeyfile(flags);
    normaliseKsnPrefix(flags.kind, flags['ksn-prefix'], 'the key');
    // Report a wrong passphrase before prompting for a key.
    if (asksForKey(flags)) await file.load();
    const components: KeyDescription[] = [];
    const secret = await readKey(flags, {
      check: (typed) => entryOf(flags, typed, 'the key entered'),
      onComponent: (component, number) => {
        const shown = describeKey(entryOf(flags, component, `component ${number}`));
        components.push(shown);
        note(`Component ${number}: KCV ${kcvText(shown.kcv)}`);
      },
    });
    const key = entryOf(flags, secret, 'the key');
    await file.update(({keyfile}) => ({keyfile: addKeys(keyfile, [key])}));
    const shown = describeKey(key);
    if (flags.json) {
      const kcvs = components.map(({kcv}) => kcv);
      return printJson({path: file.path, ...shown, ...(kcvs.length > 0 && {components: kcvs})});
    }
    note(`Added to ${file.path}:`);
    printResult(keyDetails(shown));
  }
}

type AddFlags = InferredFlags<typeof KeyAdd.flags> & {readonly name?: string | undefined};

function entryOf(flags: AddFlags, secret: Secret, where: string): KeyEntry {
  const {name, kind, algorithm, 'ksn-prefix': ksnPrefix} = flags;
  const hex = Buffer.from(secret.reveal()).toString('hex');
  const compatibility = flags.compatibility || undefined;
  return keyEntryFrom({name, kind, algorithm, hex, ksnPrefix, compatibility}, where);
}
