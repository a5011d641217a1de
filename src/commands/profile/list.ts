import {BaseCommand} from '../../cli/base-command.js';
import {table} from '../../cli/output/layout/table.js';
import {note, noteCommand, printJson, printResult} from '../../cli/output/output.js';
import {printable} from '../../cli/output/terminal-text.js';
import {readProfiles} from '../../cli/send/profiles.js';

/** Lists the profiles; the one in use has a star. */
export default class ProfileList extends BaseCommand {
  static override description = 'List the profiles.\n\nAn asterisk marks the default.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    const {flags} = await this.parse(ProfileList);
    const {current, profiles} = await readProfiles();
    const entries = Object.entries(profiles);
    if (flags.json) {
      printJson(entries.map(([name, profile]) => ({name, current: name === current, ...profile})));
      return;
    }
    if (entries.length === 0) {
      note('There are no profiles.');
      return noteCommand('paylens profile add NAME --base-url URL');
    }
    const rows = entries.map(([name, {url, partner = '', method = ''}]) => [
      name === current ? `* ${name}` : `  ${name}`,
      ...[url, partner, method].map(printable),
    ]);
    printResult(table(['profile', 'base URL', 'partner', 'method'], rows));
  }
}
