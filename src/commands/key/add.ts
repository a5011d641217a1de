import {string as argument} from '@oclif/core/args';
import {boolean, integer, option, string} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {formerFlag} from '../../cli/flags/former-names.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {kcvText, keyDetails} from '../../cli/keyfile/key-table.js';
import {
  changeKeyfile,
  loadKeyfile,
  onlyKeyfile,
  unlockFor,
} from '../../cli/keyfile/open-keyfile.js';
import {asksForKey, readKey} from '../../cli/keyfile/read-key.js';
import {note, printJson, printResult} from '../../cli/output/output.js';
import type {Secret} from '../../contract/secret.js';
import {addKeys} from '../../keyfile/add-keys.js';
import {describeKey, type KeyDescription} from '../../keyfile/keys/describe-key.js';
import {
  KEY_ALGORITHMS,
  KEY_KINDS,
  type KeyAlgorithm,
  type KeyEntry,
  type KeyKind,
  keyEntryFrom,
  normaliseKsnPrefix,
} from '../../keyfile/keys/key-entry.js';

const SOURCES = ['key-file', 'components', 'component-file'];

/** Adds one key to a keyfile. */
export default class KeyAdd extends BaseCommand {
  static override description =
    'Add a key to the keyfile and show its KCV.\n\n' +
    'The key is entered in hex at a hidden prompt or read from a file. XOR key components are ' +
    'entered one at a time, and the KCV of each is shown. Without --algorithm, a 16-byte key ' +
    'is used for TDES DUKPT with 10-byte KSNs and for AES DUKPT with 12-byte KSNs.';
  static override args = {
    name: argument({description: 'name of the key', ignoreStdin: true}),
  };
  static override flags = {
    ...keyfileFlags,
    name: formerFlag('NAME'),
    kind: option({
      options: KEY_KINDS,
      default: 'bdk',
      description:
        'bdk: base derivation key; ik: initial key of one device; working: the cipher key itself, ' +
        'no DUKPT; kbpk: key block protection key',
    })(),
    algorithm: option({options: KEY_ALGORITHMS, description: 'algorithm of the key'})(),
    'ksn-prefix': string({
      description:
        'KSN prefix this key is used for; for an ik, its initial KSN is also accepted, for a working ' +
        'key the KSN of its transaction',
      helpValue: 'HEX',
    }),
    compatibility: boolean({
      description:
        'an AES key that may also be used with 10-byte KSNs (KSN compatibility mode of X9.24-3); ' +
        'if the terminal format uses TDES, its data is decrypted with a 2TDEA working key',
    }),
    'key-file': source('key-file', 'file containing the key in hex', ['from-file']),
    components: integer({
      description: 'number of XOR key components to prompt for',
      helpValue: '2-9',
      min: 2,
      max: 9,
      exclusive: SOURCES.filter((name) => name !== 'components'),
    }),
    'component-file': string({
      description: 'file with one XOR key component in hex (repeatable)',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
      exclusive: SOURCES.filter((name) => name !== 'component-file'),
    }),
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
    const path = onlyKeyfile(flags);
    const unlock = await unlockFor(path, flags);
    checkPrefix(flags);
    // Report a wrong passphrase before prompting for a key.
    if (asksForKey(flags)) await loadKeyfile(path, unlock);
    const components: KeyDescription[] = [];
    const secret = await readKey(flags, {
      check: (typed) => entryOf(flags, typed, 'the key entered'),
      seen: (component, number) => {
        const shown = describeKey(entryOf(flags, component, `component ${number}`));
        components.push(shown);
        note(`Component ${number}: KCV ${kcvText(shown.kcv)}`);
      },
    });
    const key = entryOf(flags, secret, 'the key');
    await changeKeyfile(path, unlock, ({keyfile}) => ({keyfile: addKeys(keyfile, [key])}));
    await report(describeKey(key), path, flags.json ? components : undefined);
  }
}

interface KeyFlags {
  readonly name?: string | undefined;
  readonly kind: KeyKind;
  readonly algorithm?: KeyAlgorithm | undefined;
  readonly 'ksn-prefix'?: string | undefined;
  readonly compatibility?: boolean | undefined;
}

function checkPrefix(flags: KeyFlags): void {
  normaliseKsnPrefix(flags.kind, flags['ksn-prefix'], 'the key');
}

function entryOf(flags: KeyFlags, secret: Secret, where: string): KeyEntry {
  const {name, kind, algorithm, 'ksn-prefix': ksnPrefix} = flags;
  const hex = Buffer.from(secret.reveal()).toString('hex');
  const compatibility = flags.compatibility || undefined;
  return keyEntryFrom({name, kind, algorithm, hex, ksnPrefix, compatibility}, where);
}

/** `components`: print JSON, with the KCVs of the components if there were any. */
async function report(
  key: KeyDescription,
  path: string,
  components: readonly KeyDescription[] | undefined,
): Promise<void> {
  if (!components) {
    note(`Added to ${path}:`);
    return printResult(keyDetails(key));
  }
  const kcvs = components.map(({kcv}) => kcv);
  printJson({path, ...key, ...(kcvs.length > 0 ? {components: kcvs} : {})});
}

function source(name: string, description: string, aliases: string[]) {
  return string({
    aliases,
    description,
    helpValue: 'FILE',
    exclusive: SOURCES.filter((other) => other !== name),
  });
}
