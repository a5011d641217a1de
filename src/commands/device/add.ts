import {option, string} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {note, printJson, printResult} from '../../cli/output/output.js';
import {deviceFileFlags, newDeviceFilePath, serialArg} from '../../cli/serve/device-flags.js';
import {deviceTable} from '../../cli/serve/device-table.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {updateDeviceFile} from '../../service/registry/device-file.js';
import {deviceFrom, deviceLine} from '../../service/registry/device-line.js';
import {DEVICE_STATUSES} from '../../service/registry/device-registry.js';

/** Registers one device. */
export default class DeviceAdd extends BaseCommand {
  static override description =
    'Register a device of a partner.\n\nPartner, serial number and client together are unique; ' +
    'serial numbers count without leading zeros and regard to case. The devices file holds no ' +
    'secret, and no keyfile is opened.';
  static override args = {serial: serialArg};
  static override flags = {
    partner: string({description: 'the partner of the device', helpValue: 'ID', required: true}),
    client: string({description: 'the client of the partner that has it', helpValue: 'ID'}),
    status: option({
      options: DEVICE_STATUSES,
      default: 'active' as const,
      description: 'active and activating devices may process payloads',
    })(),
    firmware: string({
      description: 'a firmware version that is accepted; may be given several times; none: any',
      helpValue: 'VERSION',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...deviceFileFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> 80320050 --partner WATERFORD',
    '<%= config.bin %> <%= command.id %> 80320050 --partner WATERFORD --client C1 --firmware 1.0',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DeviceAdd);
    const file = newDeviceFilePath(flags);
    const {partner: partnerId, client: clientId, status, firmware} = flags;
    const values = {partnerId, serial: args.serial, clientId, status, firmware};
    const device = deviceFrom(values, 'the device');
    await updateDeviceFile(file, ({lines, registry}) => {
      if (registry.add(device)) throw registered();
      return [...lines, deviceLine(device)];
    });
    if (flags.json) return printJson({path: file.path, ...device});
    note(`Added to ${file.path}:`);
    printResult(deviceTable([device]));
  }
}

function registered(): PaylensError {
  return new PaylensError(9001, 'the device is registered already', {
    hint: 'Change it with `paylens device set`.',
  });
}
