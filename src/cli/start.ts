import {Config} from '@oclif/core/config';
import {normalizeArgv} from '@oclif/core/help';
import type {PJSON} from '@oclif/core/interfaces';
import {run} from '@oclif/core/run';
import {settings} from '@oclif/core/settings';
import {isAsked} from './is-asked.js';
import {configureOutput, watchStdout} from './output/output.js';
import {reportFailure} from './report-failure.js';
import {stopAtSignals} from './stop-at-signals.js';
import {withoutSecrets} from './typed-secrets.js';
import {unknownCommand} from './unknown-command.js';

export {endUnwritten} from './output/output.js';

interface StartOptions {
  /** The folder of package.json. */
  readonly root: string;
  /** package.json, parsed. */
  readonly pjson: PJSON;
  readonly ignoreManifest?: boolean;
}

/** The commands that run until they are stopped. */
const SERVICES: ReadonlySet<string> = new Set(['serve', 'explore']);

/** A plugin in the user's data folder would run with every command and see its arguments. */
const OWN_ONLY = {userPlugins: false, devPlugins: false};

/** Runs the command that `argv` names, and reports failures outside commands. */
export async function start(
  options: StartOptions,
  argv: string[] = process.argv.slice(2),
): Promise<void> {
  // Otherwise NODE_ENV=development would run the sources instead of the build.
  settings.enableAutoTranspile = false;
  const json = isAsked('json', argv);
  decideOnColors(argv);
  watchStdout();
  stopAtSignals(SERVICES.has(argv[0] ?? ''), json);
  try {
    const config = await Config.load({...options, ...OWN_ONLY});
    await refuseUnknown(config, argv);
    await run(argv, config);
  } catch (error) {
    reportFailure(error, json, {}, (text) => withoutSecrets(text, argv));
  }
}

// Packages read different variables, and some prefer FORCE_COLOR: decide once for all.
function decideOnColors(argv: string[]): void {
  const color = !process.env.NO_COLOR && !isAsked('no-color', argv);
  configureOutput({quiet: isAsked('quiet', argv), color});
  if (color) return;
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
}

async function refuseUnknown(config: Config, argv: string[]): Promise<void> {
  const [id = ''] = normalizeArgv(config, [...argv]);
  if (['', '--help', '-h', '--version'].includes(id)) return;
  if (config.findCommand(id) || config.findTopic(id)) return;
  throw unknownCommand(config, id);
}
