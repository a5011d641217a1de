import {boolean} from '@oclif/core/flags';
import {BaseCommand} from '../cli/base-command.js';
import {flag} from '../cli/flags/flag.js';
import {note, printJsonLine, printResult} from '../cli/output/output.js';
import {writeReport} from '../cli/output/write-file.js';
import {assertOwn} from '../files/write-durably.js';

/** Shows payloads in a page of the browser. */
export default class Explore extends BaseCommand {
  static override description =
    'Look at payloads in the browser.\n\n' +
    'Serves one page on 127.0.0.1 and opens the browser: every byte of a payload beside the tree of ' +
    'its fields, with decrypt, diagnose and simulate. Everything happens in the page; nothing is sent ' +
    'anywhere. Stop it with Ctrl+C.';
  static override flags = {
    open: boolean({
      description: 'open the browser',
      default: true,
      allowNo: true,
    }),
    port: flag.defaulted('N', 'port to listen on; 0 picks a free port', {
      default: 0,
      min: 0,
      max: 65_535,
    }),
    write: flag.text('FILE', 'write the page to a file that works without a server, and exit', {
      exclusive: ['port'],
    }),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --no-open --port 8090',
    '<%= config.bin %> <%= command.id %> --write page.html',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(Explore);
    const {pageText, servePage} = await import('../cli/explore/serve-page.js');
    if (flags.write !== undefined) {
      await assertOwn(flags.write, /^<!doctype html>.*<title>paylens explorer</s);
      await writeReport(flags.write, await pageText());
      note('Open the file in a browser: it needs no server and no network.');
      return;
    }
    const url = await servePage(flags.port);
    if (flags.json) printJsonLine({url});
    else printResult(url);
    if (!flags.open) return;
    const {openBrowser} = await import('../cli/explore/open-browser.js');
    if (!(await openBrowser(url))) note('No browser could be opened: open the address yourself.');
  }
}
