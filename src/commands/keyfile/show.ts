import {BaseCommand} from '../../cli/base-command.js';
import {encryptionText, encryptionView} from '../../cli/keyfile/encryption.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {keyTable} from '../../cli/keyfile/key-table.js';
import {type LoadedKeyfile, loadKeyfiles} from '../../cli/keyfile/open-keyfile.js';
import {type Layout, stack} from '../../cli/output/layout/layout.js';
import {plainRecord} from '../../cli/output/layout/table.js';
import {printJson, printResult} from '../../cli/output/output.js';
import {printable} from '../../cli/output/terminal-text.js';
import {describeKey} from '../../keyfile/keys/describe-key.js';

/** Shows the contents of a keyfile and how it is encrypted, never a key. */
export default class KeyfileShow extends BaseCommand {
  static override description =
    'Show the contents of a keyfile and how it is encrypted.\n\n' + 'Key values are never shown.';
  static override flags = keyfileFlags;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --keyfile test.age --json',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyfileShow);
    const loaded = await loadKeyfiles(flags);
    if (flags.json) printJson(loaded.map(viewOf));
    else for (const each of loaded) printResult(layoutOf(each));
  }
}

function viewOf({path, keyfile, encryption}: LoadedKeyfile) {
  return {
    path,
    ...(keyfile.created === undefined ? {} : {created: keyfile.created}),
    ...encryptionView(encryption),
    keys: keyfile.keys.map(describeKey),
    partners: keyfile.partners.map(({partnerId}) => partnerId),
  };
}

function layoutOf({path, keyfile, encryption}: LoadedKeyfile): Layout {
  const {created = 'unknown', keys, partners} = keyfile;
  const ids = partners.map(({partnerId}) => partnerId).join(', ');
  const overview = plainRecord([
    ['keyfile', path],
    ['created', printable(created)],
    ['encrypted', printable(encryptionText(encryption))],
    ['partners', printable(ids) || 'none'],
    ['keys', String(keys.length || 'none')],
  ]);
  return keys.length > 0 ? stack(overview, keyTable(keys.map(describeKey))) : overview;
}
