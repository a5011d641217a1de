import {BaseCommand} from '../cli/base-command.js';
import {arg} from '../cli/flags/flag.js';
import {readSample} from '../cli/input/samples.js';
import {table} from '../cli/output/layout/table.js';
import {noteCommand, printJson, printResult, printVerbatim} from '../cli/output/output.js';
import {SAMPLES} from '../simulator/samples.js';

/** Lists the samples of this package, or prints the request JSON of one. */
export default class Sample extends BaseCommand {
  static override description =
    'List the sample payloads, or print one as request JSON.\n\n' +
    'Every card and key in them is a published test card or key; --test-keys decrypts them.';
  static override args = {
    name: arg.optional('sample to print; without it, list them'),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> idtech-swipe | <%= config.bin %> decrypt --test-keys',
    '<%= config.bin %> <%= command.id %> idtech-keyed > read.json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Sample);
    if (args.name !== undefined) return printVerbatim((await readSample(args.name)).trimEnd());
    if (flags.json) return printJson(SAMPLES);
    printResult(
      table(
        ['sample', 'what it is'],
        SAMPLES.map(({name, about}) => [name, about]),
      ),
    );
    noteCommand('paylens sample idtech-swipe | paylens decrypt --test-keys', 'To decrypt one:');
  }
}
