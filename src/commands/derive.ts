import {BaseCommand} from '../cli/base-command.js';
import {arg, flag} from '../cli/flags/flag.js';
import {chooseKeys} from '../cli/keyfile/choose-keys.js';
import {keyFlags} from '../cli/keyfile/key-flags.js';
import type {Layout} from '../cli/output/layout/layout.js';
import {table} from '../cli/output/layout/table.js';
import {note, printJson, printResult} from '../cli/output/output.js';
import {
  type DerivedKey,
  derived,
  deriveInitialKey,
  deriveTransactionKeys,
  wipeDerived,
} from '../engine/dukpt/derive-keys.js';
import {KeyRing} from '../engine/dukpt/key-ring.js';
import {AES_KEY_TYPES, type AesKeyType} from '../engine/dukpt/key-usage.js';
import {type Ksn, parseKsn} from '../engine/dukpt/ksn.js';
import {isBaseKey, schemeFor} from '../engine/dukpt/ring-key.js';
import {upperHexOf} from '../platform/bytes.js';

const KEY_TYPES = Object.keys(AES_KEY_TYPES) as AesKeyType[];

/** Derives the DUKPT keys of a KSN and shows their check values, with --reveal the keys. */
export default class Derive extends BaseCommand {
  static override description =
    'Derive the DUKPT keys for a KSN.\n\n' +
    'Shows the initial key, the transaction key and every working key. The base key is read ' +
    'from the keyfile or entered at a hidden prompt. Keys are identified by their KCVs (key ' +
    'check values) unless --reveal is given.';
  static override args = {
    ksn: arg.required('KSN in hex: 20 digits for TDES, 24 for AES'),
  };
  static override flags = {
    reveal: flag.on('show the derived keys, not only their KCVs'),
    'key-type': flag.choice(
      KEY_TYPES,
      'AES DUKPT: type of the working keys; default: AES with the length of the base key',
      {helpValue: 'TYPE'},
    ),
    ...keyFlags(['bdk', 'ik']),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> FFFF9876543210E00001 --test-keys --reveal',
    '<%= config.bin %> <%= command.id %> 123456789012345600000001 --key-prompt',
    '<%= config.bin %> <%= command.id %> 123456789012345600000001 --key-type 2tdea --test-keys',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Derive);
    const ksn = parseKsn(args.ksn, {anyCounter: true});
    const ring = new KeyRing((await chooseKeys(flags)).filter(isBaseKey));
    const keys = deriveAll(ring, ksn, flags['key-type']);
    ring.wipe();
    if (flags.json) printJson(describe(ksn, keys, flags.reveal));
    else printResult(keyTable(keys, flags.reveal));
    wipeDerived(keys);
    if (!flags.json && !flags.reveal) note('Keys are hidden; use --reveal to show them.');
    if (ksn.counter === 0) note('This is the initial KSN (counter 0): no transaction uses it.');
  }
}

/** The base key's check value, the IK and, where the counter is one of a transaction, its keys. */
function deriveAll(ring: KeyRing, ksn: Ksn, type: AesKeyType | undefined): DerivedKey[] {
  const key = ring.find(ksn);
  const isAes = key ? schemeFor(key, ksn) === 'aes' : ksn.scheme === 'aes';
  const base =
    key?.kind === 'bdk'
      ? [derived('BDK', isAes ? 'aes' : 'tdes', new Uint8Array(key.secret.reveal()))]
      : [];
  const keys = [...base, deriveInitialKey(ring, ksn, isAes)];
  if (ksn.counter === 0) return keys;
  return [...keys, ...deriveTransactionKeys(ring, parseKsn(ksn.hex), type)];
}

function describe(ksn: Ksn, keys: readonly DerivedKey[], reveal: boolean) {
  return {
    ksn: ksn.hex,
    scheme: ksn.scheme,
    initialKsn: ksn.initial,
    counter: ksn.counter,
    keys: keys.map(({name, usage, algorithm, key, kcv}) => ({
      name,
      ...(usage === undefined ? {} : {usage}),
      algorithm,
      bytes: key.length,
      kcv,
      ...(isShown(name, reveal) ? {key: upperHexOf(key)} : {}),
    })),
  };
}

function keyTable(keys: readonly DerivedKey[], reveal: boolean): Layout {
  const rows = keys.map(({name, usage, algorithm, key, kcv}) => [
    name,
    usage ?? '',
    `${algorithm.toUpperCase()}, ${key.length} bytes`,
    kcv,
    ...(reveal ? [isShown(name, reveal) ? upperHexOf(key) : 'not shown'] : []),
  ]);
  const head = ['key', 'usage', 'form', 'KCV', ...(reveal ? ['bytes'] : [])];
  return table(head, rows);
}

/** The base key was given: it is never shown. */
function isShown(name: string, reveal: boolean): boolean {
  return reveal && name !== 'BDK';
}
