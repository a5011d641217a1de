import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {note, printJson, printResult} from '../../cli/output/output.js';
import {deviceFileFlags, newDeviceFilePath, serialArg} from '../../cli/serve/device-flags.js';
import {deviceDetails, deviceName} from '../../cli/serve/device-table.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {updateDeviceFile} from '../../service/registry/device-file.js';
import {deviceFrom, deviceLine} from '../../service/registry/device-line.js';
import {DEVICE_STATUSES} from '../../service/registry/device-registry.js';

/** Registers one device. */
export default class DeviceAdd extends BaseCommand {
  static override description =
    'Register a device for a partner.\n\n' +
    'The combination of partner, serial number and client is unique. Serial numbers are ' +
    'compared without leading zeros and case-insensitively. The devices file contains no ' +
    'secrets, and no keyfile is opened.';
  static override args = {serial: serialArg};
  static override flags = {
    partner: flag.required('ID', 'partner that owns the device', {char: 'p'}),
    client: flag.text('ID', "client that owns the device; '' for none"),
    status: flag.chosen(
      DEVICE_STATUSES,
      'active',
      'device status; only active and activating devices may process payloads',
    ),
    firmware: flag.texts('VERSION', 'accepted firmware version (repeatable); default: any'),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> 80320050 --partner WATERFORD',
    '<%= config.bin %> <%= command.id %> 80320050 --partner WATERFORD --client C1 --firmware 1.0',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceAdd);
    const file = newDeviceFilePath(flags);
    const {partner: partnerId, client, status, firmware} = flags;
    const clientId = client || undefined;
    const values = {partnerId, serial: args.serial, clientId, status, firmware};
    const device = deviceFrom(values, 'the device');
    await updateDeviceFile(file, ({lines, registry}) => {
      if (!registry.add(device)) return [...lines, deviceLine(device)];
      throw new PaylensError(9001, `device ${deviceName(device)} is already registered`, {
        hint: 'Change it with `paylens device set`.',
      });
    });
    if (flags.json) return printJson({path: file.path, ...device});
    note(`Added to ${file.path}:`);
    printResult(deviceDetails(device));
  }
}
