import {string} from '@oclif/core/args';
import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {loadKeyfiles} from '../../cli/keyfile/open-keyfile.js';
import {partnerDetails} from '../../cli/keyfile/partner-table.js';
import {printJson, printResult} from '../../cli/output/output.js';
import {selectPartner} from '../../keyfile/change-partners.js';
import {describePartner} from '../../keyfile/describe-partner.js';

/** Shows one partner of the keyfiles: never its keys. */
export default class PartnerShow extends BaseCommand {
  static override description =
    'Show a partner.\n\n' +
    'Shows its authentication methods, which keys are set, and the SHA-256 fingerprint of its ' +
    'RSA public key, as printed by `openssl pkey -pubin -in key.pem -outform DER | sha256sum`.';
  static override args = {
    partner_id: string({description: 'partner ID', required: true, ignoreStdin: true}),
  };
  static override flags = keyfileFlags;
  static override examples = [
    '<%= config.bin %> <%= command.id %> WATERFORD',
    '<%= config.bin %> <%= command.id %> WATERFORD --json',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PartnerShow);
    const loaded = await loadKeyfiles(flags);
    const partners = loaded.flatMap(({keyfile}) => keyfile.partners);
    const partner = describePartner(selectPartner(partners, args.partner_id));
    if (flags.json) printJson(partner);
    else printResult(partnerDetails(partner));
  }
}
