import {string as argument} from '@oclif/core/args';
import {boolean, option, string} from '@oclif/core/flags';
import {BaseCommand} from '../cli/base-command.js';
import {durationFlag} from '../cli/flags/duration-flag.js';
import {note, printJson, printResult} from '../cli/output/output.js';
import {table} from '../cli/output/table.js';
import {checkBaseUrl} from '../cli/send/base-url.js';
import {networkFlags, readNetwork} from '../cli/send/network-flags.js';
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
    'Every rule is a scenario that cites its clause. Scenarios for which the configuration has ' +
    'no data are skipped. The exit code is 7 if a scenario fails and 6 if the endpoint cannot ' +
    'be reached.';
  static override args = {
    base_url: argument({
      description: 'base URL of the endpoint',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    config: string({
      description: 'JSON file with partner, methods, devices and payloads',
      helpValue: 'FILE',
    }),
    level: option({
      description: 'interface: the interface rules only; paylens: also the paylens contract',
      options: ['interface', 'paylens'] as const,
      default: 'interface' as const,
    })(),
    only: string({
      description: 'run only this scenario (repeatable)',
      helpValue: 'SCENARIO',
      multiple: true,
      multipleNonGreedy: true,
    }),
    list: boolean({description: 'list the scenarios without running them'}),
    junit: string({description: 'also write a JUnit XML report', helpValue: 'FILE'}),
    timeout: durationFlag({description: 'response timeout', default: 10_000, unit: 'ms'}),
    ...networkFlags,
  };
  static override examples = [
    '<%= config.bin %> <%= command.id %> http://127.0.0.1:8080 --config samples/verify-demo.json',
    '<%= config.bin %> <%= command.id %> https://parser.example.com --config mine.json --junit out.xml',
    '<%= config.bin %> <%= command.id %> --list --level paylens',
  ];

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Verify);
    const {SCENARIOS} = await import('../conformance/scenarios/index.js');
    const chosen = choose(SCENARIOS, flags);
    if (flags.list) return printList(chosen, flags.json);
    const results = await verify(demandUrl(args.base_url), chosen, flags);
    const report = await import('../cli/verify/verify-report.js');
    const {passed, failed, notRun} = report.tallyOf(results);
    if (flags.json) printJson(report.verifyJson(results));
    else printResult(report.verifyTable(results));
    note(`${passed} passed, ${failed} failed, ${notRun} not run`);
    if (failed > 0) process.exitCode = CHECK_FAILED;
  }
}

interface Choice {
  readonly level: 'interface' | 'paylens';
  readonly only?: readonly string[] | undefined;
}

function choose(scenarios: readonly Scenario[], {level, only = []}: Choice): readonly Scenario[] {
  const unknown = only.find((id) => !scenarios.some((scenario) => scenario.id === id));
  if (unknown !== undefined) {
    throw new PaylensError(9001, '--only: no such scenario', {
      hint: 'Run `paylens verify --list` to see them.',
    });
  }
  if (only.length > 0) return scenarios.filter(({id}) => only.includes(id));
  return scenarios.filter((scenario) => level === 'paylens' || scenario.level === 'interface');
}

interface Terms {
  readonly config?: string | undefined;
  readonly junit?: string | undefined;
  readonly timeout: number;
  readonly proxy?: string | undefined;
  readonly ca?: string | undefined;
}

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
  const network = {timeout, connections: CONNECTIONS, ...(await readNetwork(baseUrl, terms))};
  const dispatcher = await openDispatcher(network);
  const endpoint = {baseUrl, credentials, withoutHmac, timeout, dispatcher};
  const run = {endpoint, config, methods, elapsed: () => performance.now()};
  const results = await runScenarios(scenarios, run).finally(() => dispatcher.destroy());
  if (junit !== undefined) await writeJunit(junit, results, baseUrl);
  return results;
}

async function writeJunit(path: string, results: readonly ScenarioResult[], baseUrl: string) {
  const {junitXml} = await import('../cli/verify/junit-xml.js');
  const {writeReport} = await import('../cli/output/write-file.js');
  await writeReport(path, junitXml(results, baseUrl));
}

function demandUrl(text: string | undefined): string {
  if (text === undefined) throw new PaylensError(9001, 'missing argument BASE_URL');
  return checkBaseUrl(text, 'BASE_URL');
}

async function printList(scenarios: readonly Scenario[], json: boolean): Promise<void> {
  const {headOf} = await import('../cli/verify/verify-report.js');
  if (json) return printJson(scenarios.map(headOf));
  const rows = scenarios.map(({id, level, title, clause}) => [id, level, title, clause]);
  printResult(table(['scenario', 'level', 'rule', 'clause'], rows));
}
