import {boolean, integer, option, string} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {kcvText, keyTable} from '../../cli/keyfile/key-table.js';
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

const SOURCES = ['from-file', 'components', 'component-file'];

/** Adds one key to a keyfile. */
export default class KeyAdd extends BaseCommand {
  static override description =
    'Add a key to the keyfile and show its KCV.\n\nThe key is asked for in hex at a hidden prompt, ' +
    'or read from files; as XOR components it is given one component after the other, each shown ' +
    'by its KCV. Without --algorithm a key of 16 bytes follows the KSN that it meets: TDES for 10 ' +
    'bytes, AES for 12.';
  static override flags = {
    ...keyfileFlags,
    name: string({description: 'what to call the key', helpValue: 'NAME'}),
    kind: option({
      options: KEY_KINDS,
      default: 'bdk',
      description: 'base derivation key, initial key of one device, key block protection key',
    })(),
    algorithm: option({options: KEY_ALGORITHMS, description: 'the algorithm of the key'})(),
    'ksn-prefix': string({
      description: 'how the KSNs that it serves begin; for an ik its initial KSN, too',
      helpValue: 'HEX',
    }),
    compatibility: boolean({
      description:
        'an AES key that also serves KSNs of 10 bytes (KSN compatibility mode of X9.24-3): where ' +
        'the format of the terminal is TDES, its data is opened with a 2TDEA working key',
    }),
    'from-file': source('from-file', 'read the key in hex from this file'),
    components: integer({
      description: 'ask for this many XOR components',
      helpValue: '2-9',
      min: 2,
      max: 9,
      exclusive: SOURCES.filter((name) => name !== 'components'),
    }),
    'component-file': string({
      description: 'read an XOR component in hex from this file; give one for each',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
      exclusive: SOURCES.filter((name) => name !== 'component-file'),
    }),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> --name lab --ksn-prefix FFFF987654',
    '<%= config.bin %> <%= command.id %> --name prod --algorithm tdes --components 3',
    '<%= config.bin %> <%= command.id %> --kind ik --ksn-prefix FFFF9876543210E00000 --from-file ik.hex',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyAdd);
    const path = onlyKeyfile(flags);
    const unlock = await unlockFor(path, flags);
    checkPrefix(flags);
    // A wrong passphrase is told before anybody types a key.
    if (asksForKey(flags)) await loadKeyfile(path, unlock);
    const components: KeyDescription[] = [];
    const secret = await readKey(flags, (component, number) => {
      const shown = describeKey(entryOf(flags, component, `component ${number}`));
      components.push(shown);
      note(`Component ${number}: KCV ${kcvText(shown.kcv)}`);
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
    return printResult(keyTable([key]));
  }
  const kcvs = components.map(({kcv}) => kcv);
  printJson({path, ...key, ...(kcvs.length > 0 ? {components: kcvs} : {})});
}

function source(name: string, description: string) {
  return string({
    description,
    helpValue: 'FILE',
    exclusive: SOURCES.filter((other) => other !== name),
  });
}
