import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {hasTerminal, runOnTerminal} from '../commands/on-terminal.js';
import {runBin, runBins} from './run-bin.js';

interface Flag {
  readonly name: string;
  readonly type: string;
  readonly hidden?: boolean;
  readonly options?: readonly string[];
}

const manifest: {commands: Record<string, {id: string; flags: Record<string, Flag>}>} = JSON.parse(
  readFileSync('oclif.manifest.json', 'utf8'),
);

let home: string;
const env = () => ({HOME: home, XDG_CONFIG_HOME: home, PAYLENS_PASSPHRASE: 'test'});

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'mistyped-'));
  const argvs = [
    ['profile', 'add', 'staging', '--base-url', 'http://127.0.0.1:1'],
    ['keyfile', 'create', '--work-factor', '10'],
    ['partner', 'add', 'WATERFORD'],
  ];
  const done = await runBins(argvs, env());
  expect(done.map(({exitCode}) => exitCode)).toEqual([0, 0, 0]);
});

afterAll(() => rmSync(home, {recursive: true}));

const hintOf = ({stderr}: {stderr: string}) => stderr.trimEnd().split('\n').at(-1);

describe('what was mistyped leads to what may be meant', () => {
  const CASES = [
    ['a flag', 'decrypt --devise-type idtech', '--device-type'],
    ['a flag with its value', 'decrypt --revael=x', '--reveal'],
    ['a flag', 'decrypt --device-tipe idtech', '--device-type'],
    ['the beginning of a flag', 'decrypt --test', '--test-keys'],
    ['a flag that a letter away names a secret', 'decrypt --test-key', '--test-keys'],
    ['--help', 'decrypt --hlep', '--help'],
    ['--help alone', '--hepl', 'paylens --help'],
    ['--version', '--verison', 'paylens --version'],
    ['the word version', 'verison', 'paylens version'],
    ['a topic', 'kyefile show', 'paylens keyfile show'],
    ['a command of a topic', 'partner rotat', 'paylens partner rotate'],
    ['a command with --help', 'simulat --help', 'paylens simulate'],
    ['a command after help', 'help diagnoze', 'paylens diagnose'],
    ['a command of a topic after help', 'help key exprot', 'paylens key export'],
    ['a terminal type', 'inspect x --device-type idtec', '--device-type idtech'],
    ['upper case', 'inspect x -d MIURA', '--device-type miura'],
    ['a method', 'sign {} --target / --method hmca', '--method hmac'],
    ['a sample', 'sample idtech-swip', 'paylens sample idtech-swipe'],
    ['a test card', 'simulate -d idtech -t --card mastercrd', '--card mastercard'],
    ['an option of a format', 'simulate -d idtech -t --option frm=hex', '--option form'],
    ['its value', 'simulate -d idtech -t --option form=keybord', '--option form=keyboard'],
    ['a profile', 'send partner --profile stagin', 'staging'],
    ['a profile to use', 'profile use stging', 'staging'],
    ['a partner', 'partner rotate WATERFROD', 'WATERFORD'],
  ] as const;

  it('everywhere', async () => {
    const argvs = CASES.map(([, line]) => line.split(' '));
    const found = await runBins(argvs, env());
    expect(found.map((one) => [one.argv.join(' '), hintOf(one), one.exitCode])).toEqual(
      CASES.map(([, line, meant]) => [line, `Did you mean: ${meant}`, 2]),
    );
  });

  const options = Object.values(manifest.commands).flatMap(({id, flags}) =>
    Object.values(flags).flatMap((flag) => (flag.options ? [{id, flag}] : [])),
  );

  it('every value of a list', async () => {
    const one = new Map(options.map((each) => [each.flag.name, each]));
    const cases = [...one.values()].flatMap(({id, flag}) => {
      const [value] = [...(flag.options ?? [])].filter(({length}) => length > 3);
      return value === undefined ? [] : [{id, name: flag.name, value}];
    });
    const found = await runBins(
      cases.map(({id, name, value}) => [...id.split(':'), `--${name}`, `${value}x`]),
    );
    expect(found.map(hintOf)).toEqual(
      cases.map(({name, value}) => `Did you mean: --${name} ${value}`),
    );
    expect(cases.length).toBeGreaterThan(5);
  });
});

describe('the version', () => {
  it.each(['--version', '-v', '-V', 'version'])('is printed by %s', async (word) => {
    const {stdout, exitCode} = await runBin([word]);
    expect({exitCode, stdout}).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^paylens\/\d+\.\d+\.\d+\S* /),
    });
  });
});

describe.skipIf(!hasTerminal)('colours', () => {
  const ESC = '\u001b';
  const SGR = new RegExp(`${ESC}\\[[\\d;]*m`);
  const LINES = [
    ['help', 'help'],
    ['the help of a command', 'decrypt --help'],
    ['an unknown command', 'errrs'],
    ['an error', 'errors x'],
    ['a warning and a table', 'errors 2101 --json --quiet'],
    ['a prompt', 'keyfile create --keyfile no-such-folder/k.age'],
  ] as const;
  const run = (line: string, variables: Record<string, string>) =>
    runOnTerminal(line.split(' '), [['New passphrase', '\u0003']], variables);

  it.each(LINES)('NO_COLOR leaves %s plain, FORCE_COLOR or not', async (_, line) => {
    const {seen} = await run(line, {NO_COLOR: '1', FORCE_COLOR: '1'});
    expect(seen).not.toMatch(SGR);
  });

  it.each(LINES)('--no-color leaves %s plain', async (_, line) => {
    const {seen} = await run(`${line} --no-color`, {FORCE_COLOR: '1'});
    expect(seen).not.toMatch(SGR);
  });

  it.each(['1', '2', '3'])('FORCE_COLOR=%s colours what is piped', async (level) => {
    expect((await runBin(['errors', 'x'], {env: {FORCE_COLOR: level}})).stderr).toMatch(SGR);
  });

  it('FORCE_COLOR=0, or an empty NO_COLOR, is what it says', async () => {
    const plain = await run('errors x', {FORCE_COLOR: '0'});
    // In CI there are colours only where the vendor is known to show them.
    const coloured = await run('errors x', {NO_COLOR: '', CI: '1', GITHUB_ACTIONS: '1'});
    expect([SGR.test(plain.seen), SGR.test(coloured.seen)]).toEqual([false, true]);
  });
});
