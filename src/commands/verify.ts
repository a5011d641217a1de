import {option} from '@oclif/core/flags';
import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../cli/base-command.js';
import {durationFlag} from '../cli/flags/duration-flag.js';
import {arg, flag} from '../cli/flags/flag.js';
import {table} from '../cli/output/layout/table.js';
import {note, printJson, printResult, warn} from '../cli/output/output.js';
import {checkBaseUrl} from '../cli/send/base-url.js';
import type {ScenarioResult} from '../conformance/run-scenarios.js';
import type {Scenario} from '../conformance/scenario.js';
import {PaylensError} from '../contract/paylens-error.js';

const CHECK_FAILED = 7;
/** At a time: a scenario that is left waiting holds none up. */
const CONNECTIONS = 16;

/** Runs the conformance scenarios against an endpoint. */
export default class Verify extends BaseCommand {
  static override description =
    'Run the conformance check against an endpoint.\n\n' +
    'Every rule is a scenario that cites its clause. A scenario for which the configuration has ' +
    'no data is not run. With --config that counts as a failure, unless its group is skipped with ' +
    '--skip or --allow-not-run is given. The exit code is 7 if a scenario fails and 6 if the ' +
    'endpoint cannot be reached. A group is what ids begin with (hmac) or what scenarios need (rsa).';
  static override args = {
    base_url: arg.optional('base URL of the endpoint'),
  };
  static override flags = {
    config: flag.text('FILE', 'JSON file with partner, methods, devices and payloads'),
    level: option({
      description: 'interface: the interface rules only; paylens: also the paylens contract',
      options: ['interface', 'paylens'] as const,
      default: 'interface' as const,
    })(),
    only: flag.texts('GROUP', 'run only this scenario or group (repeatable)'),
    skip: flag.texts('GROUP', 'skip this scenario or group (repeatable)'),
    'allow-not-run': flag.on('do not fail for scenarios that the configuration has no data for'),
    list: flag.on('list the scenarios without running them'),
    junit: flag.text('FILE', 'also write a JUnit XML report'),
    timeout: durationFlag({description: 'response timeout', default: 10_000}),
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> http://127.0.0.1:8080 --config samples/verify-demo.json',
    '<%= config.bin %> <%= command.id %> https://parser.example.com --config mine.json --junit out.xml',
    '<%= config.bin %> <%= command.id %> https://parser.example.com --config mine.json --skip rsa --skip read-miura',
    '<%= config.bin %> <%= command.id %> --list --level paylens',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Verify);
    const {SCENARIOS} = await import('../conformance/scenarios/index.js');
    const {chooseScenarios} = await import('../cli/verify/choose-scenarios.js');
    const chosen = chooseScenarios(SCENARIOS, flags);
    if (flags.list) return printList(chosen, flags.json);
    const mustRun = flags.config !== undefined && !flags['allow-not-run'];
    const results = await verify(requiredUrl(args.base_url), chosen, {...flags, mustRun});
    const report = await import('../cli/verify/verify-report.js');
    const {passed, failed, notRun} = report.tallyOf(results);
    if (flags.json) printJson(report.verifyJson(results));
    else printResult(report.verifyTable(results));
    const without = notRun > 0 && flags.config === undefined ? ' without --config' : '';
    note(`${passed} passed, ${failed} failed, ${notRun} not run${without}`);
    if (mustRun && notRun > 0) warn(incomplete(notRun, report.missingNeeds(results)));
    if (failed > 0 || (mustRun && notRun > 0)) process.exitCode = CHECK_FAILED;
  }
}

function incomplete(count: number, needs: readonly string[]): string {
  return (
    `${count} ${count === 1 ? 'scenario was' : 'scenarios were'} not run: the configuration lacks ` +
    `${needs.join(', ')}. Add that, or pass --skip GROUP or --allow-not-run.`
  );
}

type Terms = InferredFlags<typeof Verify.flags> & {
  /** Whether a scenario that was not run has failed. */
  readonly mustRun: boolean;
};

async function verify(
  baseUrl: string,
  scenarios: readonly Scenario[],
  terms: Terms,
): Promise<ScenarioResult[]> {
  const {config: path, junit, timeout} = terms;
  const {readVerifyConfig} = await import('../cli/verify/verify-config.js');
  const {runScenarios} = await import('../conformance/run-scenarios.js');
  const {credentials, withoutHmac, methods, config} = await readVerifyConfig(path);
  const {openDispatcher} = await import('../client/dispatcher.js');
  const dispatcher = await openDispatcher({url: baseUrl, timeout, connections: CONNECTIONS});
  const endpoint = {baseUrl, credentials, withoutHmac, timeout, dispatcher};
  const run = {endpoint, config, methods, elapsed: () => performance.now()};
  const results = await runScenarios(scenarios, run).finally(() => dispatcher.destroy());
  if (junit !== undefined) await writeJunit(junit, results, baseUrl, terms.mustRun);
  return results;
}

async function writeJunit(
  path: string,
  results: readonly ScenarioResult[],
  baseUrl: string,
  mustRun: boolean,
) {
  const {junitXml} = await import('../cli/verify/junit-xml.js');
  const {writeReport} = await import('../cli/output/write-file.js');
  await writeReport(path, junitXml(results, baseUrl, mustRun));
}

function requiredUrl(text: string | undefined): string {
  if (text === undefined) throw new PaylensError(9001, 'missing argument BASE_URL');
  return checkBaseUrl(text, 'BASE_URL');
}

async function printList(scenarios: readonly Scenario[], json: boolean): Promise<void> {
  const {headOf} = await import('../cli/verify/verify-report.js');
  if (json) return printJson(scenarios.map(headOf));
  const rows = scenarios.map(({id, level, title, clause}) => [id, level, title, clause]);
  printResult(table(['scenario', 'level', 'rule', 'clause'], rows));
}
