import {string} from '@oclif/core/flags';
import {BaseCommand} from '../../cli/base-command.js';
import {askText} from '../../cli/input/prompt.js';
import {sendFlags} from '../../cli/send/send-flags.js';
import {sendAsAsked} from '../../cli/send/send-request.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** Sends a validate-device request. */
export default class SendDevice extends BaseCommand {
  static override description =
    'Validate a device against an endpoint.\n\n' +
    'Signs a request and sends it to URL/api/v1/device/validate. Keys are taken from a file, ' +
    'PAYLENS_PARTNER_KEY or PAYLENS_SHARED_KEY, the keyfile, or a hidden prompt.';
  static override flags = {
    serial: string({description: 'serial number of the device', helpValue: 'TEXT'}),
    firmware: string({description: 'firmware version of the device', helpValue: 'TEXT'}),
    client: string({description: 'client that owns the device', helpValue: 'TEXT'}),
    ...sendFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> --url http://127.0.0.1:8080 --partner DEMO --serial DEMO0001 --firmware 1.0',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(SendDevice);
    await sendAsAsked('validate-device', flags, async () => ({
      serial: flags.serial ?? (await ask('serial')),
      firmware: flags.firmware ?? (await ask('firmware')),
      clientId: flags.client,
      reference: flags.reference,
    }));
  }
}

function ask(name: string): Promise<string> {
  return askText(`${name}:`, new PaylensError(9001, `missing flag --${name}`));
}
