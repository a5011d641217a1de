import {BaseCommand} from '../../cli/base-command.js';
import {arg} from '../../cli/flags/flag.js';
import {kbpkFlag, keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {keyTable} from '../../cli/keyfile/key-table.js';
import {writableKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {readKeyInput} from '../../cli/keyfile/read-key-input.js';
import {note, printJson, printResult, warn} from '../../cli/output/output.js';
import {nounFor} from '../../contract/found-hex.js';
import {addKeys} from '../../keyfile/add-keys.js';
import {blocksOfLines, openImport, parseImport} from '../../keyfile/key-blocks/import-keys.js';
import {describeKey} from '../../keyfile/keys/describe-key.js';
import type {KeyEntry} from '../../keyfile/keys/key-entry.js';

/** Adds the keys of a JSON array, or of TR-31 key blocks, to a keyfile, all or none. */
export default class KeyImport extends BaseCommand {
  static override description =
    'Import keys from a JSON array or from TR-31 key blocks, one per line.\n\n' +
    'The array may be the member "keys" of an object. Either all keys are added or none. Their ' +
    'KCVs are shown. A clear key is {"kind": "bdk" | "ik" | "working" | "kbpk", "hex": "...", ' +
    '"name"?, "algorithm"?: "tdes" | "aes", "ksnPrefix"?, "compatibility"?}, a key block {"keyBlock": ' +
    '"...", "name"?, "ksnPrefix"?, "compatibility"?, "kbpk"?: "NAME"}. Key blocks (X9.143 ' +
    'versions A to D; usages B0, B1, D0, K0, K1) are unwrapped with a KBPK from the keyfile.';
  static override args = {
    file: arg.required('input file, or - for stdin'),
  };
  static override flags = {...keyfileFlags, ...kbpkFlag};
  static override examples = [
    '<%= config.bin %> <%= command.id %> keys.json',
    '<%= config.bin %> <%= command.id %> blocks.txt --kbpk transport',
    'jq .keys case.json | <%= config.bin %> <%= command.id %> - --passphrase-file passphrase.txt',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(KeyImport);
    const file = await writableKeyfile(flags);
    const input = await readKeyInput(args.file);
    const items = 'json' in input ? await parseImport(input.json) : blocksOfLines(input.lines);
    let keys: readonly KeyEntry[] = [];
    await file.update(({keyfile}) => {
      const opened = openImport(items, keyfile.keys, flags.kbpk);
      keys = opened.keys;
      const changed = addKeys(keyfile, keys, (index) => items[index]?.where ?? '');
      opened.warnings.forEach(warn);
      return {keyfile: changed};
    });
    const shown = keys.map(describeKey);
    if (flags.json) return printJson({path: file.path, keys: shown});
    note(`Added to ${file.path}: ${keys.length} ${nounFor(keys.length, 'key')}`);
    if (keys.length > 0) printResult(keyTable(shown));
  }
}
