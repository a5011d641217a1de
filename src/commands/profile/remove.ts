import {string as argument} from '@oclif/core/args';
import {BaseCommand} from '../../cli/base-command.js';
import {note, printJson} from '../../cli/output/output.js';
import {findProfile, updateProfiles} from '../../cli/send/profiles.js';

/** Forgets a profile. */
export default class ProfileRemove extends BaseCommand {
  static override description = 'Delete a profile.';
  static override args = {
    name: argument({description: 'name of the profile', required: true, ignoreStdin: true}),
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
