import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {FURTHER_TYPES} from '../../src/engine/families/registry.js';
import {SAMPLES} from '../../src/simulator/samples.js';
import {runBin} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';
import {answer} from '../engine/samples.js';

const root = new URL('../../', import.meta.url);
const manifest: {commands: Record<string, {examples?: string[]}>} = JSON.parse(
  readFileSync(new URL('oclif.manifest.json', root), 'utf8'),
);
const FOLDER = fileURLToPath(new URL('samples/', root));
const textOf = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

let elsewhere = '';

beforeAll(() => {
  elsewhere = mkdtempSync(path.join(tmpdir(), 'paylens-sample-'));
});

afterAll(() => rmSync(elsewhere, {recursive: true}));

describe('sample', () => {
  it('knows every request among the samples', () => {
    const requests = readdirSync(FOLDER).filter(
      (file) => file.endsWith('.json') && 'devicePayload' in JSON.parse(textOf(file)),
    );
    expect(SAMPLES.map(({name}) => `${name}.json`)).toEqual(requests.sort());
  });

  it('lists the samples, and what to do with them', async () => {
    const {stdout, stderr} = await runCommand('sample', []);
    for (const {name, about} of SAMPLES) expect(stdout).toContain(`${name}\t${about}\n`);
    expect(stderr).toContain('paylens sample idtech-swipe | paylens decrypt --test-keys');
  });

  it('has one of every terminal beyond the interface, which --test-keys opens', () => {
    const requests = SAMPLES.map(({name}) => JSON.parse(textOf(`${name}.json`)));
    const opened = requests
      .filter((request) => answer(request, testKeyRing()).response)
      .map(({deviceType}) => deviceType);
    expect(opened).toEqual(expect.arrayContaining([...FURTHER_TYPES]));
  });

  it('lists them as JSON', async () => {
    const {stdout} = await runCommand('sample', ['--json']);
    expect(JSON.parse(stdout)).toEqual(SAMPLES);
  });

  it.each(SAMPLES.map(({name}) => name))('prints the request of %s', async (name) => {
    for (const argv of [[name], [`${name}.json`], [name, '--json']]) {
      const {stdout} = await runCommand('sample', argv);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(textOf(`${name}.json`)));
    }
  });

  it.each([
    ['idtech-swip', 'Did you mean: paylens sample idtech-swipe'],
    ['generic-track', 'Did you mean: paylens sample generic-tracks'],
    ['../package', 'Run `paylens sample` to see what each of them is.'],
    ['4111111111111111', 'Run `paylens sample` to see what each of them is.'],
  ])('names %s unless it may be a card, and says what to do', async (name, hint) => {
    const {stdout, stderr, exitCode} = await runCommand('sample', [name]);
    expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 2});
    const shown = /^\d/.test(name) ? '(not shown)' : name;
    expect(stderr).toContain(`there is no sample ${shown}\n`);
    expect(stderr).toContain(hint);
  });

  // What the examples do with a sample is tried where all examples are.
  it('works in any folder, as the help of the commands shows it', async () => {
    const lines = Object.entries(manifest.commands).flatMap(([id, {examples = []}]) =>
      examples.map((text) => text.replaceAll('<%= command.id %>', id)),
    );
    const shown = new Set(lines.flatMap((line) => line.match(/(?<=> sample )[a-z]\S*/g) ?? []));
    expect(shown).toContain('idtech-swipe');
    for (const name of shown) {
      const {stdout, exitCode} = await runBin(['sample', name], {cwd: elsewhere});
      expect([name, exitCode, stdout]).toEqual([name, 0, textOf(`${name}.json`)]);
    }
  });
});

describe('a payload on stdin that no argument names', () => {
  const SWIPE = textOf('idtech-swipe.json');

  it.each(['decrypt', 'inspect', 'diagnose'])('is read by %s', async (command) => {
    const keys = command === 'inspect' ? [] : ['--test-keys'];
    const named = await runBin([command, '-', ...keys], {input: SWIPE});
    const {stdout, exitCode} = await runBin([command, ...keys], {input: SWIPE});
    const elapsed = /\d+ ms|\d+\.\d s/g;
    expect({exitCode, stdout: stdout.replace(elapsed, '')}).toEqual({
      exitCode: 0,
      stdout: named.stdout.replace(elapsed, ''),
    });
  });

  it('is read by decrypt --batch', async () => {
    const line = `${JSON.stringify(JSON.parse(SWIPE))}\n`;
    const {stdout, exitCode} = await runBin(['decrypt', '--batch', '--test-keys'], {
      input: line + line,
    });
    const pans = stdout
      .trim()
      .split('\n')
      .map((answer) => JSON.parse(answer).extracted.PAN);
    expect({pans, exitCode}).toEqual({
      pans: ['4266841088889999', '4266841088889999'],
      exitCode: 0,
    });
  });

  it.each([
    ['decrypt', []],
    ['decrypt', ['-']],
    ['decrypt', ['--batch', '--test-keys']],
    ['inspect', []],
    ['inspect', ['-']],
    ['diagnose', []],
    ['diagnose', ['-']],
  ] as const)('is 9001 for %s when there is none', async (command, argv) => {
    for (const input of argv.length > 1 ? [''] : ['', ' \r\n\n']) {
      const {stdout, stderr, exitCode} = await runBin([command, ...argv], {input});
      expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 2});
      expect(stderr).toMatch(/^Error 9001: .*stdin is empty\n.*`paylens sample`/);
    }
  });
});
