import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {note, noteCommand, printJson, printResult} from '../../cli/output/output.js';
import {
  deviceFileFlags,
  deviceFilePath,
  deviceSelectorFlags,
} from '../../cli/serve/device-flags.js';
import {deviceTable} from '../../cli/serve/device-table.js';
import {readDeviceFile} from '../../service/registry/device-file.js';
import {DEVICE_STATUSES} from '../../service/registry/device-registry.js';

/** Lists the registered devices. */
export default class DeviceList extends BaseCommand {
  static override description =
    'List the registered devices.\n\n' + 'Lists all devices, or those of one partner.';
  static override flags = {
    ...deviceSelectorFlags,
    status: flag.choice(DEVICE_STATUSES, 'list only devices with this status'),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --partner WATERFORD --status inactive --json',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(DeviceList);
    const {partner, client, status} = flags;
    const {lines} = await readDeviceFile(deviceFilePath(flags));
    const devices = lines
      .map(({device}) => device)
      .filter((device) => partner === undefined || device.partnerId === partner)
      .filter((device) => client === undefined || (device.clientId ?? '') === client)
      .filter((device) => status === undefined || device.status === status);
    if (flags.json) return printJson(devices);
    if (devices.length > 0) return printResult(deviceTable(devices));
    note('No matching devices.');
    noteCommand('paylens device add');
  }
}
