import {BaseCommand} from '../../cli/base-command.js';
import {arg} from '../../cli/flags/flag.js';
import {note, printJson} from '../../cli/output/output.js';
import {findProfile, updateProfiles} from '../../cli/send/profiles.js';

/** Forgets a profile. */
export default class ProfileRemove extends BaseCommand {
  static override description = 'Delete a profile.';
  static override args = {
    name: arg.required('name of the profile'),
  };
  static override examples = ['<%= config.bin %> <%= command.id %> test'];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfileRemove);
    await updateProfiles((known) => {
      findProfile(known, args.name);
      const {[args.name]: _, ...profiles} = known.profiles;
      const current = known.current === args.name ? undefined : known.current;
      return {current, profiles};
    });
    if (flags.json) printJson({removed: args.name});
    else note(`Removed ${args.name}.`);
  }
}
