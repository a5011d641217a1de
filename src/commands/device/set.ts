import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {note, printJson, printResult} from '../../cli/output/output.js';
import {
  deviceFileFlags,
  deviceFilePath,
  deviceSelectorFlags,
  serialArg,
} from '../../cli/serve/device-flags.js';
import {deviceTable} from '../../cli/serve/device-table.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {updateDeviceFile} from '../../service/registry/device-file.js';
import {changeDevice, deviceFrom} from '../../service/registry/device-line.js';
import {DEVICE_STATUSES, type RegisteredDevice} from '../../service/registry/device-registry.js';
import {selectDevice} from '../../service/registry/select-device.js';

/** Changes one registered device. */
export default class DeviceSet extends BaseCommand {
  static override description =
    'Change the status or the accepted firmware versions of a device.\n\n' +
    'A running `serve` applies the change on the next SIGHUP.';
  static override args = {serial: serialArg};
  static override flags = {
    ...deviceSelectorFlags,
    status: flag.choice(DEVICE_STATUSES, 'new status'),
    firmware: flag.texts(
      'VERSION',
      'accepted firmware version (repeatable); replaces the current list',
      {exclusive: ['any-firmware']},
    ),
    'any-firmware': flag.on('accept any firmware version'),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> 80320050 --status inactive',
    '<%= config.bin %> <%= command.id %> 80320050 --client C1 --firmware 1.0 --firmware 1.1',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceSet);
    const file = deviceFilePath(flags);
    const {status, firmware, 'any-firmware': any} = flags;
    if (status === undefined && firmware === undefined && !any)
      throw new PaylensError(9001, 'expected --status, --firmware or --any-firmware');
    const change = {
      ...(status !== undefined && {status}),
      ...(firmware !== undefined && {firmware}),
      ...(any && {firmware: undefined}),
    };
    const after: RegisteredDevice[] = [];
    await updateDeviceFile(file, ({lines}) => {
      const before = selectDevice(lines, args.serial, flags);
      const changed = changeDevice(before, change);
      after.push(deviceFrom({...changed.device}, 'the device'));
      return lines.map((line) => (line === before ? changed : line));
    });
    if (flags.json) return printJson({path: file.path, ...after[0]});
    note(`Updated in ${file.path}:`);
    printResult(deviceTable(after));
  }
}
