import {BaseCommand} from '../../cli/base-command.js';
import {flag} from '../../cli/flags/flag.js';
import {confirmRemoval} from '../../cli/input/prompt.js';
import {note, printJson} from '../../cli/output/output.js';
import {
  deviceFileFlags,
  deviceFilePath,
  deviceSelectorFlags,
  serialArg,
} from '../../cli/serve/device-flags.js';
import {deviceName} from '../../cli/serve/device-table.js';
import {readDeviceFile, updateDeviceFile} from '../../service/registry/device-file.js';
import {selectDevice} from '../../service/registry/select-device.js';

/** Removes one device from the devices file. */
export default class DeviceRemove extends BaseCommand {
  static override description = 'Remove a device from the devices file.';
  static override args = {serial: serialArg};
  static override flags = {
    ...deviceSelectorFlags,
    yes: flag.on('skip the confirmation'),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> 80320050',
    '<%= config.bin %> <%= command.id %> 80320050 --partner WATERFORD --client C1 --yes',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceRemove);
    const file = deviceFilePath(flags);
    const {lines: before} = await readDeviceFile(file);
    const {device} = selectDevice(before, args.serial, flags);
    if (!flags.yes && !(await confirmRemoval(deviceName(device), file.path, flags))) return;
    await updateDeviceFile(file, ({lines}) => {
      const removed = selectDevice(lines, args.serial, flags);
      return lines.filter((line) => line !== removed);
    });
    if (flags.json) printJson({path: file.path, ...device});
    else note(`Removed ${deviceName(device)} from ${file.path}.`);
  }
}
