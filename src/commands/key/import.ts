import {string} from '@oclif/core/args';
import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/key-flags.js';
import {keyTable} from '../../cli/key-table.js';
import {changeKeyfile, onlyKeyfile, unlockFor} from '../../cli/open-keyfile.js';
import {note, printJson, printResult} from '../../cli/output.js';
import {readKeyArray} from '../../cli/read-key-array.js';
import {addKeys} from '../../keyfile/add-keys.js';
import {describeKey} from '../../keyfile/describe-key.js';
import {parseKeys} from '../../keyfile/parse-keyfile.js';

/** Adds an array of keys to a keyfile, all or none. */
export default class KeyImport extends BaseCommand {
  static override description =
    'Add the keys of a JSON array to the keyfile, all or none, and show their KCVs.\n\nEach is ' +
    '{"kind": "bdk" | "ik" | "kbpk", "hex": "...", "name"?, "algorithm"?: "tdes" | "aes", ' +
    '"ksnPrefix"?, "compatibility"?}.';
  static override args = {
    file: string({
      description: 'the JSON file, or - for stdin',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = keyfileFlags;
  static override examples = [
    '<%= config.bin %> <%= command.id %> keys.json',
    'jq .keys case.json | <%= config.bin %> <%= command.id %> - --passphrase-file passphrase.txt',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(KeyImport);
    const path = onlyKeyfile(flags);
    const keys = await parseKeys(await readKeyArray(args.file));
    const unlock = await unlockFor(path, flags);
    await changeKeyfile(path, unlock, ({keyfile}) => ({keyfile: addKeys(keyfile, keys)}));
    const shown = keys.map(describeKey);
    if (flags.json) return printJson({path, keys: shown});
    note(`Added ${keys.length} keys to ${path}${keys.length > 0 ? ':' : '.'}`);
    if (keys.length > 0) printResult(await keyTable(shown));
  }
}
