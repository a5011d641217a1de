import {randomBytes} from 'node:crypto';
import {string as argument} from '@oclif/core/args';

import {BaseCommand} from '../../cli/base-command.js';
import {type FlagValues, flag} from '../../cli/flags/flag.js';
import {kbpkFlag, keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {loadKeys} from '../../cli/keyfile/open-keyfile.js';
import {note, printJson, printVerbatim, warn} from '../../cli/output/output.js';
import {writePrivately} from '../../cli/output/write-file.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KEY_BLOCK_VERSIONS} from '../../keyfile/key-blocks/block-version.js';
import {exportKeyBlocks} from '../../keyfile/key-blocks/export-key-blocks.js';
import {keyFormOf} from '../../keyfile/keys/key-entry.js';
import {selectKey} from '../../keyfile/keys/select-key.js';

const BLOCKS_ONLY = {dependsOn: ['key-block']};

/** Writes the keys of the keyfiles in a form that `key import` takes: clear, or as key blocks. */
export default class KeyExport extends BaseCommand {
  static override description =
    'Export keys in a format that `key import` accepts.\n\n' +
    'Clear keys are written as a JSON array to a new file that only you can read, or to stdout ' +
    'with --reveal. With --key-block, all keys except the KBPK are written to stdout as TR-31 ' +
    'key blocks, one per line; with --json, as an array that includes their names.';
  static override args = {
    name: argument({
      description: 'export only this key (repeatable)',
      multiple: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    ...keyfileFlags,
    output: flag.text('FILE', 'output file (must not exist)', {exclusive: ['reveal']}),
    reveal: flag.on('print the clear keys to stdout', {exclusive: ['key-block']}),
    'key-block': flag.on('export TR-31 key blocks, wrapped under a KBPK'),
    kbpk: flag.text('NAME', kbpkFlag.kbpk.description ?? '', BLOCKS_ONLY),
    version: flag.choice(
      KEY_BLOCK_VERSIONS,
      'key block version; default: B for a TDES KBPK, D for an AES KBPK',
      BLOCKS_ONLY,
    ),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> --output keys.json',
    '<%= config.bin %> <%= command.id %> --reveal | age -R recipients.txt > keys.json.age',
    '<%= config.bin %> <%= command.id %> --key-block --kbpk transport --json > blocks.json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(KeyExport);
    const isBlock = flags['key-block'];
    if (flags.output === undefined && !flags.reveal && !isBlock) {
      throw new PaylensError(9001, 'exporting clear keys requires --output FILE or --reveal');
    }
    const all = await loadKeys(flags);
    const chosen = args.name?.map((name) => selectKey(all, {name}));
    if (!isBlock) {
      const clear = (chosen ?? all).map(keyFormOf);
      if (flags.output === undefined) return printJson(clear);
      const json = JSON.stringify(clear, undefined, 2);
      return writeFileOf(json, clear.length, 'clear keys', flags);
    }
    const {kbpk, version} = flags;
    const {forms, warnings} = exportKeyBlocks(all, {chosen, kbpk, version, random: randomBytes});
    warnings.forEach(warn);
    const lines = forms.map(({keyBlock}) => keyBlock).join('\n');
    if (flags.output !== undefined) return writeFileOf(lines, forms.length, 'key blocks', flags);
    if (flags.json) return printJson(forms);
    if (lines !== '') printVerbatim(lines);
  }
}

type OutputFlags = FlagValues<typeof KeyExport.flags>;

async function writeFileOf(
  text: string,
  count: number,
  what: 'clear keys' | 'key blocks',
  {output = '', json}: OutputFlags,
): Promise<void> {
  await writePrivately(output, `${text}\n`);
  if (json) return printJson({output, keys: count});
  const advice = what === 'clear keys' ? '. Delete it once it has been imported.' : '.';
  note(`Wrote ${count} ${what} to ${output}${advice}`);
}
