import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {sendFlags} from '../../cli/send/send-flags.js';
import {sendWithFlags} from '../../cli/send/send-request.js';
import {PaylensError} from '../../contract/paylens-error.js';

/** Sends a validate-device request. */
export default class SendDevice extends BaseCommand {
  static override description =
    'Validate a device against an endpoint.\n\n' +
    'Signs a request and sends it to URL/api/v1/device/validate. Keys are taken from a file, ' +
    'PAYLENS_PARTNER_KEY or PAYLENS_SHARED_KEY, the keyfile, or a hidden prompt.';
  static override args = {
    serial: arg.optional('serial number of the device'),
  };
  static override flags = {
    firmware: flag.text('VERSION', 'firmware version of the device'),
    client: flag.text('ID', 'client that owns the device'),
    ...sendFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> DEMO0001 --base-url http://127.0.0.1:8080 --partner DEMO --firmware 1.0',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(SendDevice);
    await sendWithFlags('validate-device', flags, () => {
      const {serial} = args;
      const {firmware, client: clientId, reference} = flags;
      if (serial === undefined) throw new PaylensError(9001, 'missing argument SERIAL');
      if (firmware === undefined) throw new PaylensError(9001, 'missing flag --firmware');
      return {serial, firmware, clientId, reference};
    });
  }
}
