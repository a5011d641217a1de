import {rm, writeFile} from 'node:fs/promises';
import {boolean, string} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/key-flags.js';
import {loadKeys} from '../../cli/open-keyfile.js';
import {note, printJson} from '../../cli/output.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {keyFormOf} from '../../keyfile/key-entry.js';
import {systemCode, systemReason} from '../../keyfile/system-error.js';

/** Writes the clear keys of the keyfiles as the JSON array that `key import` takes. */
export default class KeyExport extends BaseCommand {
  static override description =
    'Write the keys in clear, as the JSON array that `key import` takes.\n\nThey go to a new file ' +
    'that only you can read, or with --reveal to stdout.';
  static override flags = {
    ...keyfileFlags,
    output: string({description: 'the file to make', helpValue: 'FILE', exclusive: ['reveal']}),
    reveal: boolean({description: 'print the clear keys to stdout'}),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> --output keys.json',
    '<%= config.bin %> <%= command.id %> --reveal | age -r age1... > keys.json.age',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(KeyExport);
    if (flags.output === undefined && !flags.reveal) {
      throw new PaylensError(
        9001,
        'clear keys go to a file with --output, to stdout with --reveal',
      );
    }
    const keys = (await loadKeys(flags)).map(keyFormOf);
    if (flags.output === undefined) return printJson(keys);
    await writePrivately(flags.output, `${JSON.stringify(keys, undefined, 2)}\n`);
    if (flags.json) printJson({output: flags.output, keys: keys.length});
    else note(`Wrote ${keys.length} clear keys to ${flags.output}: remove it when it is used.`);
  }
}

async function writePrivately(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, {flag: 'wx', mode: 0o600, flush: true});
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new PaylensError(9001, `${file} exists already`);
    await rm(file, {force: true}).catch(() => undefined);
    throw new PaylensError(9002, `${file} cannot be written: ${systemReason(error)}`, {
      hint: 'Check the folder, its permissions and the space on the disk.',
    });
  }
}
