import {Config} from '@oclif/core/config';
import {normalizeArgv} from '@oclif/core/help';
import type {PJSON} from '@oclif/core/interfaces';
import {run} from '@oclif/core/run';
import {settings} from '@oclif/core/settings';
import {PaylensError} from '../contract/paylens-error.js';
import {isAsked} from './is-asked.js';
import {watchStdout} from './output.js';
import {reportFailure} from './report-failure.js';

interface StartOptions {
  /** The folder of package.json. */
  readonly root: string;
  /** package.json, parsed. */
  readonly pjson: PJSON;
  readonly ignoreManifest?: boolean;
}

/** Runs the command that `argv` names. What fails outside a command is reported here. */
export async function start(
  options: StartOptions,
  argv: string[] = process.argv.slice(2),
): Promise<void> {
  // Else NODE_ENV=development runs other code than was built.
  settings.enableAutoTranspile = false;
  const json = isAsked('--json', argv);
  watchStdout();
  process.once('SIGINT', () => interrupt(json));
  try {
    const config = (await ownCommands(options, argv)) ?? (await Config.load({...options}));
    refuseUnsafeName(config, argv);
    await run(argv, config);
  } catch (error) {
    reportFailure(error, json);
  }
}

// Plugins serve help, completion and what is no command: our own commands start without them.
async function ownCommands(options: StartOptions, argv: string[]): Promise<Config | undefined> {
  if (isAsked('--help', argv) || isAsked('-h', argv)) return undefined;
  const pjson: PJSON = {...options.pjson};
  pjson.oclif = {...pjson.oclif, plugins: []};
  const config = await Config.load({...options, pjson});
  const [id = ''] = normalizeArgv(config, [...argv]);
  return config.findCommand(id) ? config : undefined;
}

function interrupt(json: boolean): void {
  reportFailure(new PaylensError(9030), json);
  process.exit();
}

// What is not a command is quoted in the suggestion of another: a payload or a key must not be.
function refuseUnsafeName(config: Config, argv: string[]): void {
  const [id = ''] = normalizeArgv(config, [...argv]);
  if (['', '--help', '-h', '--version'].includes(id)) return;
  if (config.findCommand(id) || config.findTopic(id)) return;
  refuseArgument(config, id);
  if (id.split(':').every((word) => /^[a-z][a-z-]{0,19}$/.test(word))) return;
  throw new PaylensError(9001, 'no such command', {hint: 'See the commands with: paylens help'});
}

// Words behind a command that takes none are no subcommand, although oclif sees one.
function refuseArgument(config: Config, id: string): void {
  const words = id.split(':');
  const commands = words.map((_, i) => words.slice(0, i + 1).join(':'));
  const command = commands.find((each) => config.findCommand(each))?.replaceAll(':', ' ');
  if (command === undefined) return;
  throw new PaylensError(9001, `${command} takes no argument`, {
    hint: `See its flags with: paylens help ${command}`,
  });
}
