import {BaseCommand} from '../../cli/base-command.js';
import {sendFlags} from '../../cli/send/send-flags.js';
import {sendWithFlags} from '../../cli/send/send-request.js';

/** Sends a validate-partner request. */
export default class SendPartner extends BaseCommand {
  static override description =
    'Validate partner credentials against an endpoint.\n\n' +
    'Signs a request and sends it to URL/api/v1/partner/validate. Keys are taken from a file, ' +
    'PAYLENS_PARTNER_KEY or PAYLENS_SHARED_KEY, the keyfile, or a hidden prompt.';
  static override flags = sendFlags;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --base-url http://127.0.0.1:8080 --partner DEMO --shared-key-file key.txt',
    '<%= config.bin %> <%= command.id %> --method basic --count 100 --concurrency 10',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(SendPartner);
    await sendWithFlags('validate-partner', flags, () => ({reference: flags.reference}));
  }
}
