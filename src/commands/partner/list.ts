import {BaseCommand} from '../../cli/base-command.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {loadKeyfiles} from '../../cli/keyfile/open-keyfile.js';
import {partnerTable} from '../../cli/keyfile/partner-table.js';
import {note, noteCommand, printJson, printResult} from '../../cli/output/output.js';
import {describePartner} from '../../keyfile/describe-partner.js';

/** Lists the partners of the keyfiles: never their keys. */
export default class PartnerList extends BaseCommand {
  static override description =
    'List the partners in the keyfile.\n\n' +
    'Shows their authentication methods and which keys are set; key values are never shown.';
  static override flags = keyfileFlags;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --keyfile partners.age --json',
  ];

  async run(): Promise<void> {
    const {flags} = await this.parse(PartnerList);
    const loaded = await loadKeyfiles(flags);
    const partners = loaded.flatMap(({keyfile}) => keyfile.partners).map(describePartner);
    if (flags.json) return printJson(partners);
    if (partners.length > 0) return printResult(partnerTable(partners));
    note('The keyfile has no partners.');
    noteCommand('paylens partner add');
  }
}
