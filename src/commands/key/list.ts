import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {keyTable} from '../../cli/keyfile/key-table.js';
import {loadKeys} from '../../cli/keyfile/open-keyfile.js';
import {note, noteCommand, printJson, printResult} from '../../cli/output/output.js';
import {describeKey} from '../../keyfile/keys/describe-key.js';

/** Lists the keys of the keyfiles by their KCVs. */
export default class KeyList extends BaseCommand {
  static override description =
    'List the keys in the keyfile.\n\n' +
    'Keys are identified by their KCVs; key values are never shown.';
  static override flags = keyfileFlags;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --keyfile keys.age --keyfile partners.age --json',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyList);
    const keys = (await loadKeys(flags)).map(describeKey);
    if (flags.json) return printJson(keys);
    if (keys.length > 0) return printResult(keyTable(keys));
    note('The keyfile has no keys.');
    noteCommand('paylens key add');
  }
}
