import {setImmediate as nextTurn} from 'node:timers/promises';
import {string as argument} from '@oclif/core/args';
import {boolean, option} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {valueFlag} from '../../cli/flags/value-flags.js';
import {readTextFile} from '../../cli/input/input-file.js';
import {note, printJson, warn} from '../../cli/output/output.js';
import {ProgressBar} from '../../cli/output/progress-bar.js';
import {deviceFileFlags, newDeviceFilePath} from '../../cli/serve/device-flags.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {updateDeviceFile} from '../../service/registry/device-file.js';
import {
  DeviceCollector,
  IMPORT_FORMATS,
  type ImportFault,
  type ImportFormat,
  type ImportLine,
  importLines,
} from '../../service/registry/device-import.js';
import {DEVICE_STATUSES, type DeviceRegistry} from '../../service/registry/device-registry.js';

/** Number of errors that are listed individually; the JSON has all of them. */
const MAX_LISTED_FAULTS = 20;
/** Exit code of a batch with failed lines. */
const FAILED_LINES = 7;

/** Registers the devices of a CSV or JSONL file in one save. */
export default class DeviceImport extends BaseCommand {
  static override description =
    'Register the devices listed in a CSV or JSONL file.\n\n' +
    'Either all devices are registered or none. The first CSV line names the columns: ' +
    'partnerId, serial, clientId, status, firmware (several versions separated by ;). Columns ' +
    'are separated by commas, semicolons or tabs. A JSONL line is {"partnerId", "serial", ' +
    '"clientId"?, "status"?, "firmware"?: [...]}. Errors are reported by line number.';
  static override args = {
    file: argument({description: 'input file, or - for stdin', required: true, ignoreStdin: true}),
  };
  static override flags = {
    format: option({
      options: IMPORT_FORMATS,
      description: 'input format; default: from the file extension, else from the content',
    })(),
    partner: valueFlag('ID', 'partner ID for lines without one', {char: 'p'}),
    status: option({
      options: DEVICE_STATUSES,
      default: 'active' as const,
      description: 'status for lines without one',
    })(),
    'skip-invalid': boolean({
      description: 'import the valid lines if others are invalid (exit code 7)',
    }),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> devices.csv --partner WATERFORD',
    'jq -c .devices[] all.json | <%= config.bin %> <%= command.id %> - --format jsonl --skip-invalid',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceImport);
    const file = newDeviceFilePath(flags);
    const text = await readTextFile(args.file);
    const format = flags.format ?? formatOf(args.file, text);
    const lines = importLines(text, format, {partnerId: flags.partner, status: flags.status});
    const counts = {imported: 0, faults: [] as readonly ImportFault[]};
    await updateDeviceFile(file, async ({lines: registered, registry}) => {
      const {devices, faults} = await collect(lines, text, registry);
      if (faults.length > 0 && !flags['skip-invalid']) this.#refuse(args.file, faults);
      Object.assign(counts, {imported: devices.length, faults});
      return [...registered, ...devices];
    });
    reportImport(file.path, counts, flags.json);
  }

  #refuse(name: string, faults: readonly ImportFault[]): never {
    this.failureMembers = {faults};
    const shown = faults
      .slice(0, MAX_LISTED_FAULTS)
      .map(({line, fault}) => `\n  line ${line}: ${fault}`);
    const rest =
      faults.length > MAX_LISTED_FAULTS ? `\n  and ${faults.length - MAX_LISTED_FAULTS} more` : '';
    const count = faults.length === 1 ? '1 line is' : `${faults.length} lines are`;
    throw new PaylensError(9002, `${name}: ${count} invalid${shown.join('')}${rest}`, {
      hint: 'Nothing was imported. Fix these lines, or skip them with --skip-invalid.',
    });
  }
}

function formatOf(name: string, text: string): ImportFormat {
  if (/\.csv$/i.test(name)) return 'csv';
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'jsonl';
  return text.trimStart().startsWith('{') ? 'jsonl' : 'csv';
}

/** Lines read before signals are handled. */
const LINES_PER_TURN = 500;

async function collect(
  lines: Iterable<ImportLine>,
  text: string,
  registry: DeviceRegistry,
): Promise<DeviceCollector> {
  const collector = new DeviceCollector(registry);
  const bar = new ProgressBar('Importing devices', text.split('\n').length);
  for (const each of lines) {
    collector.take(each);
    if (each.line % LINES_PER_TURN !== 0) continue;
    bar.update(each.line);
    await nextTurn();
  }
  bar.end();
  return collector;
}

interface Counts {
  readonly imported: number;
  readonly faults: readonly ImportFault[];
}

function reportImport(path: string, {imported, faults}: Counts, json: boolean): void {
  if (faults.length > 0) process.exitCode = FAILED_LINES;
  if (json) {
    printJson({path, imported, faults});
    return;
  }
  for (const {line, fault} of faults.slice(0, MAX_LISTED_FAULTS)) warn(`line ${line}: ${fault}`);
  if (faults.length > MAX_LISTED_FAULTS)
    warn(`and ${faults.length - MAX_LISTED_FAULTS} more invalid lines`);
  note(`Imported ${imported} devices into ${path}.`);
}
