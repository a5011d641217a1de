import {Config} from '@oclif/core/config';
import {normalizeArgv} from '@oclif/core/help';
import type {PJSON} from '@oclif/core/interfaces';
import {run} from '@oclif/core/run';
import {settings} from '@oclif/core/settings';
import {PaylensError} from '../contract/paylens-error.js';
import {isAsked} from './is-asked.js';
import {watchStdout, whenPrinted} from './output/output.js';
import {reportFailure} from './report-failure.js';
import {unknownCommand} from './unknown-command.js';

interface StartOptions {
  /** The folder of package.json. */
  readonly root: string;
  /** package.json, parsed. */
  readonly pjson: PJSON;
  readonly ignoreManifest?: boolean;
}

/** A package in the user's data folder would run with every command, and see what was typed. */
const OWN_ONLY = {userPlugins: false, devPlugins: false};

/** Runs the command that `argv` names. What fails outside a command is reported here. */
export async function start(
  options: StartOptions,
  argv: string[] = process.argv.slice(2),
): Promise<void> {
  // Else NODE_ENV=development runs other code than was built.
  settings.enableAutoTranspile = false;
  const json = isAsked('--json', argv);
  watchStdout();
  // The first process of a container gets no signal that it does not listen for.
  const stop = argv[0] === 'serve' ? stopEarly : () => interrupt(json);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  try {
    const config =
      (await ownCommands(options, argv)) ?? (await Config.load({...options, ...OWN_ONLY}));
    refuseUnknown(config, argv);
    await run(argv, config);
  } catch (error) {
    reportFailure(error, json);
  }
}

// Plugins serve help and completion: our own commands start without them.
async function ownCommands(options: StartOptions, argv: string[]): Promise<Config | undefined> {
  if (isAsked('--help', argv) || isAsked('-h', argv)) return undefined;
  const pjson: PJSON = {...options.pjson};
  pjson.oclif = {...pjson.oclif, plugins: []};
  const config = await Config.load({...options, ...OWN_ONLY, pjson});
  const [id = ''] = normalizeArgv(config, [...argv]);
  return config.findCommand(id) ? config : undefined;
}

/** A service that is told to stop before it serves has no request to finish: that is no failure. */
function stopEarly(): void {
  process.exit(0);
}

function interrupt(json: boolean): void {
  reportFailure(new PaylensError(9030), json);
  // What is written before goes out whole, unless its reader stands still.
  whenPrinted(() => process.exit());
  setTimeout(() => process.exit(), 5000);
}

function refuseUnknown(config: Config, argv: string[]): void {
  const [id = ''] = normalizeArgv(config, [...argv]);
  if (['', '--help', '-h', '--version'].includes(id)) return;
  if (config.findCommand(id) || config.findTopic(id)) return;
  throw unknownCommand(config, id);
}
