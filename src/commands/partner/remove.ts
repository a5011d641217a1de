import {BaseCommand} from '../../cli/base-command.js';
import {arg, flag} from '../../cli/flags/flag.js';
import {confirmRemoval} from '../../cli/input/prompt.js';
import {keyfileFlags} from '../../cli/keyfile/key-flags.js';
import {writableKeyfile} from '../../cli/keyfile/open-keyfile.js';
import {note, printJson} from '../../cli/output/output.js';
import {removePartner, selectPartner} from '../../keyfile/change-partners.js';

/** Removes one partner from a keyfile. */
export default class PartnerRemove extends BaseCommand {
  static override description = 'Remove a partner and its keys from the keyfile.';
  static override args = {
    partner_id: arg.required('partner ID'),
  };
  static override flags = {...keyfileFlags, yes: flag.on('skip the confirmation')};
  static override examples = [
    '<%= config.bin %> <%= command.id %> WATERFORD',
    '<%= config.bin %> <%= command.id %> WATERFORD --yes',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PartnerRemove);
    const {partner_id: partnerId} = args;
    const file = await writableKeyfile(flags);
    if (!flags.yes) {
      const {keyfile} = await file.load();
      selectPartner(keyfile.partners, partnerId);
      if (!(await confirmRemoval(`partner ${partnerId}`, file.path, flags))) return;
    }
    await file.update(({keyfile}) => {
      selectPartner(keyfile.partners, partnerId);
      return {keyfile: removePartner(keyfile, partnerId)};
    });
    if (flags.json) printJson({path: file.path, partnerId});
    else note(`Removed partner ${partnerId} from ${file.path}.`);
  }
}
