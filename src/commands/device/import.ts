import {setImmediate as nextTurn} from 'node:timers/promises';
import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {readTextFile} from '../../cli/input/input-file.js';
import {note, printJson} from '../../cli/output/output.js';
import {deviceFileFlags, newDeviceFilePath} from '../../cli/serve/device-flags.js';
import {nounFor} from '../../contract/found-hex.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {updateDeviceFile} from '../../service/registry/device-file.js';
import {
  DeviceCollector,
  type ImportFault,
  type ImportFormat,
  type ImportLine,
  importLines,
} from '../../service/registry/device-import.js';
import {DEVICE_STATUSES, type DeviceRegistry} from '../../service/registry/device-registry.js';

/** Number of errors that are listed individually; the JSON has all of them. */
const MAX_LISTED_FAULTS = 20;

/** Registers the devices of a CSV or JSONL file in one save. */
export default class DeviceImport extends BaseCommand {
  static override description =
    'Register the devices listed in a CSV or JSONL file.\n\n' +
    'Either all devices are registered or none. The first CSV line names the columns: ' +
    'partnerId, serial, clientId, status, firmware (several versions separated by ;). Columns ' +
    'are separated by commas, semicolons or tabs. A JSONL line is {"partnerId", "serial", ' +
    '"clientId"?, "status"?, "firmware"?: [...]}. Errors are reported by line number.';
  static override args = {
    file: arg.required('input file, or - for stdin'),
  };
  static override flags = {
    partner: flag.text('ID', 'partner ID for lines without one', {char: 'p'}),
    status: flag.chosen(DEVICE_STATUSES, 'active', 'status for lines without one'),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> devices.csv --partner WATERFORD',
    'jq -c .devices[] all.json | <%= config.bin %> <%= command.id %> -',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceImport);
    const {path, ...file} = newDeviceFilePath(flags);
    const text = await readTextFile(args.file);
    const defaults = {partnerId: flags.partner, status: flags.status};
    const lines = importLines(text, formatOf(args.file, text), defaults);
    let imported = 0;
    await updateDeviceFile({path, ...file}, async ({lines: registered, registry}) => {
      const {devices, faults} = await collect(lines, registry);
      this.failureMembers = {faults};
      if (faults.length > 0) throw invalidLines(args.file, faults);
      imported = devices.length;
      return [...registered, ...devices];
    });
    if (flags.json) printJson({path, imported, faults: []});
    else note(`Imported ${imported} ${nounFor(imported, 'device')} into ${path}.`);
  }
}

/** Throws 9002 for a JSON array. */
function formatOf(name: string, text: string): ImportFormat {
  if (/^\s*\[/.test(text))
    throw new PaylensError(
      9002,
      `${name}: expected CSV or a JSON object per line, found an array`,
      {
        hint: 'Make lines of a JSON array with `jq -c .[]`.',
      },
    );
  if (/\.csv$/i.test(name)) return 'csv';
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return 'jsonl';
  return text.trimStart().startsWith('{') ? 'jsonl' : 'csv';
}

/** Lines read before signals are handled. */
const LINES_PER_TURN = 500;

async function collect(
  lines: Iterable<ImportLine>,
  registry: DeviceRegistry,
): Promise<DeviceCollector> {
  const collector = new DeviceCollector(registry);
  for (const each of lines) {
    collector.take(each);
    if (each.line % LINES_PER_TURN === 0) await nextTurn();
  }
  return collector;
}

function invalidLines(name: string, faults: readonly ImportFault[]): PaylensError {
  const shown = faults
    .slice(0, MAX_LISTED_FAULTS)
    .map(({line, fault}) => `\n  line ${line}: ${fault}`);
  const rest = faults.length - shown.length;
  const count = faults.length === 1 ? '1 line is' : `${faults.length} lines are`;
  const more = rest > 0 ? `\n  and ${rest} more` : '';
  return new PaylensError(9002, `${name}: ${count} invalid${shown.join('')}${more}`, {
    hint: 'Nothing was imported. Fix or remove these lines.',
  });
}
