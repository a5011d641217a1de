import {BaseCommand} from '../../cli/base-command.js';
import {printJson, printResult} from '../../cli/output/output.js';
import {
  deviceFileFlags,
  deviceFilePath,
  deviceSelector,
  deviceSelectorFlags,
  serialArg,
} from '../../cli/serve/device-flags.js';
import {deviceDetails} from '../../cli/serve/device-table.js';
import {readDeviceFile} from '../../service/registry/device-file.js';
import {selectDevice} from '../../service/registry/select-device.js';

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
    else printResult(deviceDetails(device));
  }
}
