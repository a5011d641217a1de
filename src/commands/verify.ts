import type {InferredFlags} from '@oclif/core/interfaces';
import {BaseCommand} from '../cli/base-command.js';
import {durationFlag} from '../cli/flags/duration-flag.js';
import {arg, flag} from '../cli/flags/flag.js';
import {table} from '../cli/output/layout/table.js';
import {note, printJson, printResult, progress, warn} from '../cli/output/output.js';
import {reportFailure} from '../cli/report-failure.js';
import {checkBaseUrl} from '../cli/send/base-url.js';
import {interruptionSignal} from '../cli/stop-at-signals.js';
import type {ScenarioResult} from '../conformance/run-scenarios.js';
import type {Scenario} from '../conformance/scenario.js';
import {ERROR_CATALOGUE} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';
import {assertOwn} from '../files/write-durably.js';

const CHECK_FAILED = 7;
/** At a time: a scenario that is left waiting holds none up. */
const CONNECTIONS = 16;
const OWN_REPORT = /^<\?xml[^>]*>\s*<testsuite name="paylens verify /;

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
    level: flag.chosen(
      ['interface', 'paylens'],
      'interface',
      'interface: the interface rules only; paylens: also the paylens contract',
    ),
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
    // A rule about all responses is reported beside chosen scenarios when it is broken.
    const all = flags.only ? chooseScenarios(SCENARIOS, {...flags, only: []}) : [];
    const watching = all.filter((scenario) => scenario.watch && !chosen.includes(scenario));
    const mustRun = flags.config !== undefined && !flags['allow-not-run'];
    const terms = {...flags, chosen, watching, mustRun, signal: interruptionSignal()};
    const {base_url: url} = args;
    if (url === undefined) throw new PaylensError(9001, 'missing argument BASE_URL');
    if (flags.junit !== undefined) await assertOwn(flags.junit, OWN_REPORT);
    const results = await verify(checkBaseUrl(url, 'BASE_URL'), terms);
    await summarise(results, terms);
  }
}

type Terms = InferredFlags<typeof Verify.flags & typeof BaseCommand.baseFlags> & {
  readonly chosen: readonly Scenario[];
  /** Reported only if they fail. */
  readonly watching: readonly Scenario[];
  /** Whether a scenario that was not run has failed. */
  readonly mustRun: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
};

/** Runs the scenarios; for people, each result is printed as soon as it is known. */
async function verify(baseUrl: string, terms: Terms): Promise<ScenarioResult[]> {
  const {config: path, json, junit, timeout, chosen, watching, signal} = terms;
  const {readVerifyConfig} = await import('../cli/verify/verify-config.js');
  const {runScenarios} = await import('../conformance/run-scenarios.js');
  const {isLeftOut, verifyLines} = await import('../cli/verify/verify-report.js');
  const {credentials, withoutHmac, methods, config} = await readVerifyConfig(path);
  const {openDispatcher} = await import('../client/dispatcher.js');
  const dispatcher = await openDispatcher({url: baseUrl, timeout, connections: CONNECTIONS});
  signal.addEventListener('abort', () => void dispatcher.destroy());
  const endpoint = {baseUrl, credentials, withoutHmac, timeout, dispatcher};
  const begin = ({id}: Scenario) =>
    progress(`${chosen.findIndex((each) => each.id === id) + 1}/${chosen.length} ${id}`);
  const run = {endpoint, config, methods, elapsed: () => performance.now(), signal, begin};
  const results: ScenarioResult[] = [];
  const report = (result: ScenarioResult) => {
    const {scenario, outcome} = result;
    if (outcome !== 'fail' && watching.includes(scenario)) return;
    results.push(result);
    if (json || isLeftOut(result)) return;
    progress('');
    printResult(verifyLines(result));
  };
  await runScenarios([...chosen, ...watching], run, report).finally(() => dispatcher.destroy());
  progress('');
  if (junit !== undefined) {
    const {junitXml} = await import('../cli/verify/junit-xml.js');
    const {writeReport} = await import('../cli/output/write-file.js');
    await writeReport(junit, junitXml(results, baseUrl, terms.mustRun));
  }
  return results;
}

/** Prints what is left to say, and sets the exit code. */
async function summarise(results: readonly ScenarioResult[], terms: Terms): Promise<void> {
  const {json, config, mustRun, signal} = terms;
  const report = await import('../cli/verify/verify-report.js');
  const {passed, failed, notRun} = report.tallyOf(results);
  if (json) printJson({...report.verifyJson(results), ...(signal.aborted && {interrupted: true})});
  for (const line of json ? [] : report.missingLines(results)) printResult(line);
  const without = notRun > 0 && config === undefined ? ' without --config' : '';
  note(`${passed} passed, ${failed} failed, ${notRun} not run${without}`);
  const missing = results.filter(report.isLeftOut).length;
  if (signal.aborted) {
    // With `--json` the results have said so.
    if (json) process.exitCode = ERROR_CATALOGUE[9030].exit;
    else reportFailure(new PaylensError(9030), false);
    return;
  }
  if (mustRun && missing > 0) warn(incomplete(missing, report.missingNeeds(results)));
  if (failed > 0 || (mustRun && missing > 0)) process.exitCode = CHECK_FAILED;
}

function incomplete(count: number, needs: readonly string[]): string {
  return (
    `${count} ${count === 1 ? 'scenario was' : 'scenarios were'} not run: the configuration lacks ` +
    `${needs.join(', ')}. Add that, or pass --skip GROUP or --allow-not-run.`
  );
}

async function printList(scenarios: readonly Scenario[], json: boolean): Promise<void> {
  const {headOf} = await import('../cli/verify/verify-report.js');
  if (json) return printJson(scenarios.map(headOf));
  const rows = scenarios.map(({id, level, title, clause}) => [id, level, title, clause]);
  printResult(table(['scenario', 'level', 'rule', 'clause'], rows, {titled: 2}));
}
