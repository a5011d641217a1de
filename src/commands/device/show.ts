import {BaseCommand} from '../../cli/base-command.js';
import {
  deviceFileFlags,
  deviceFilePath,
  deviceSelector,
  deviceSelectorFlags,
  serialArg,
} from '../../cli/device-flags.js';
import {deviceTable} from '../../cli/device-table.js';
import {printJson, printResult} from '../../cli/output.js';
import {readDeviceFile} from '../../service/device-file.js';
import {selectDevice} from '../../service/select-device.js';

/** Shows one registered device. */
export default class DeviceShow extends BaseCommand {
  static override description = 'Show a registered device.';
  static override args = {serial: serialArg};
  static override flags = {...deviceSelectorFlags, ...deviceFileFlags};
  static override examples = [
    '<%= config.bin %> <%= command.id %> 80320050',
    '<%= config.bin %> <%= command.id %> 80320050 --partner WATERFORD --client C1 --json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceShow);
    const {lines} = await readDeviceFile(deviceFilePath(flags));
    const {device} = selectDevice(lines, deviceSelector(args.serial, flags));
    if (flags.json) printJson(device);
    else printResult(deviceTable([device]));
  }
}
