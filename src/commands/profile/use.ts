import {BaseCommand} from '../../cli/base-command.js';
import {arg} from '../../cli/flags/flag.js';
import {note, printJson} from '../../cli/output/output.js';
import {findProfile, updateProfiles} from '../../cli/send/profiles.js';

/** Chooses the profile that `send` uses when none is named. */
export default class ProfileUse extends BaseCommand {
  static override description = 'Set the default profile for `send`.';
  static override args = {
    name: arg.required('name of the profile'),
  };
  static override examples = ['<%= config.bin %> <%= command.id %> test'];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfileUse);
    const known = await updateProfiles((profiles) => {
      findProfile(profiles, args.name);
      return {...profiles, current: args.name};
    });
    const {url} = findProfile(known, args.name);
    if (flags.json) printJson({current: args.name});
    else note(`${args.name} is now the default profile: ${url}`);
  }
}
