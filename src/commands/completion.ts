import {BaseCommand} from '../cli/base-command.js';
import {bashScript} from '../cli/completion/bash-script.js';
import {type CompletionModel, completionModel} from '../cli/completion/completion-model.js';
import {fishScript} from '../cli/completion/fish-script.js';
import {powershellScript} from '../cli/completion/powershell-script.js';
import {zshScript} from '../cli/completion/zsh-script.js';
import {arg} from '../cli/flags/flag.js';
import {HELP_TOPICS} from '../cli/help-topics.js';
import {printJson, printVerbatim} from '../cli/output/output.js';
import {ERROR_CODES} from '../contract/error-catalogue.js';
import {SAMPLES} from '../simulator/samples.js';
import {TEST_CARDS} from '../simulator/test-cards.js';

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const satisfies Readonly<Record<string, (model: CompletionModel) => string>>;

/** Prints a script that completes commands, flags and values in a shell. */
export default class Completion extends BaseCommand {
  static override description =
    'Print the completion script for a shell.\n\n' +
    'It completes commands, flags, their values and file names. Source it where the shell ' +
    'starts, or save it where the shell looks for completions.';
  static override args = {
    shell: arg.choice(Object.keys(SCRIPTS), `shell: ${Object.keys(SCRIPTS).join(', ')}`),
  };
  static override examples = [
    'source <(<%= config.bin %> <%= command.id %> bash)',
    '<%= config.bin %> <%= command.id %> zsh > ~/.zfunc/_paylens',
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/paylens.fish',
    '<%= config.bin %> <%= command.id %> powershell | Out-String | Invoke-Expression',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Completion);
    const {commandIDs, topics} = this.config;
    const names = [
      ...commandIDs.filter((id) => !id.includes(':')),
      ...topics.map(({name}) => name),
    ];
    const script = SCRIPTS[args.shell as keyof typeof SCRIPTS](
      completionModel(this.config, {
        sample: {name: SAMPLES.map(({name}) => name)},
        simulate: {card: TEST_CARDS.map(({id}) => id)},
        errors: {code: ERROR_CODES.map(String)},
        help: {command: [...names, ...HELP_TOPICS.keys()]},
      }),
    );
    if (flags.json) printJson({shell: args.shell, script});
    else printVerbatim(script);
  }
}
