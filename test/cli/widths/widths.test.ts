import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {stripVTControlCharacters} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {SCENARIOS} from '../../../src/conformance/scenarios/index.js';
import {startServer} from '../../../src/server.js';
import {DAMAGES} from '../../../src/simulator/damage.js';
import {SAMPLES} from '../../../src/simulator/samples.js';
import {hasTerminal} from '../../commands/on-terminal.js';
import {tenthOf} from '../../long.js';
import {FILES, isForCopying, type Run, runsOf} from './runs.js';

/** The narrowest, the widest, and one between; in a long run all of these. */
const WIDTHS = [40, ...tenthOf([60, 80, 120], (width) => `${width} columns`), 200];
const MANIFEST: {commands: Record<string, {flags?: object}>} = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
);
const COMMANDS = Object.keys(MANIFEST.commands).map((id) => id.split(':'));
const TOPICS = new Set(COMMANDS.flatMap(([first = '', ...more]) => (more.length ? [first] : [])));

const HELP = [[], ['--help'], ...[...TOPICS].map((topic) => [topic]), ...COMMANDS.map(helpOf)];

function helpOf(command: string[]): string[] {
  return ['help', ...command];
}

interface Printed extends Run {
  readonly text: string;
  readonly exitCode: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'widths-'));
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.close();
  rmSync(folder, {recursive: true});
});

describe.skipIf(!hasTerminal)('on a terminal', () => {
  let printed: Printed[] = [];

  beforeAll(async () => {
    printed = await inTerminal([...runsOf(server.url), ...refused(), ...HELP]);
  }, 300_000);

  it('every command was run, and refused', () => {
    const done = new Set(printed.filter(({exitCode}) => exitCode === 0).map(commandOf));
    const failed = new Set(printed.filter(({exitCode}) => exitCode !== 0).map(commandOf));
    const names = COMMANDS.map((words) => words.join(' '));
    expect(names.filter((name) => !done.has(name))).toEqual(NOT_DONE);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });

  it.each(WIDTHS)('of %i columns, no line for people is longer', (width) => {
    const shown = printed.filter((run) => run.columns === width && !isCopied(run));
    const tooLong = shown.flatMap(({argv, text}) =>
      linesOf(text)
        .filter((line) => columnsOf(line) > width && !FOR_COPYING.test(line))
        .map((line) => `${argv.join(' ').slice(0, 60)}: ${columnsOf(line)}: ${line}`),
    );
    expect(shown.length).toBeGreaterThan(100);
    expect(tooLong).toEqual([]);
  });

  it.each(WIDTHS)('of %i columns, no name is broken and no column is empty', (width) => {
    const [shown, wide] = [width, 200].map((columns) =>
      printed.filter((run) => run.columns === columns),
    ) as [Printed[], Printed[]];
    const names = [...NAMES].filter((name) => name.length <= width - 6);
    const faults = shown.flatMap(({argv, text}, i) => {
      const [words, whole] = [wordsIn(text), wordsIn(wide[i]?.text ?? '')];
      const broken = names.filter((name) => whole.has(name) && !words.has(name));
      return [...broken, ...emptyColumns(linesOf(text))].map((fault) => [argv.join(' '), fault]);
    });
    expect(faults).toEqual([]);
  });

  it('what is meant for copying is the same at every width', () => {
    const copied = printed.filter(isCopied);
    const names = new Set(copied.map(({argv}) => argv.join(' ')));
    for (const name of names) {
      const same = copied.filter(({argv}) => argv.join(' ') === name);
      const counts = new Set(same.map(({text}) => linesOf(text).length));
      expect([name, counts.size]).toEqual([name, 1]);
    }
    expect(names.size).toBeGreaterThan(5);
  });

  it('without a width of its own counts as one of 80 columns', async () => {
    const [usual] = await inTerminal([['errors']], [80]);
    const [unknown] = await inTerminal([['errors']], [0]);
    expect(unknown?.text).toBe(usual?.text);
  });
});

describe('into a file', () => {
  it('nothing is wrapped, whatever COLUMNS says', async () => {
    const argvs = [...runsOf(server.url).filter(isSteady), ...HELP];
    const [narrow, wide] = [await inFile(argvs, '40'), await inFile(argvs, '200')];
    expect(narrow.length).toBe(argvs.length);
    expect(narrow).toEqual(wide);
    const inspected = narrow.find(({argv}) => argv[0] === 'inspect')?.text ?? '';
    expect(inspected).toMatch(/[0-9A-F]{144}/);
  }, 120_000);
});

/** What a table or help names: scenarios, damages, samples, options of all commands. */
const NAMES = new Set([
  ...SCENARIOS.flatMap(({id}) => id),
  ...[...Object.keys(DAMAGES), ...SAMPLES.map(({name}) => name)],
  ...Object.values(MANIFEST.commands).flatMap(({flags = {}}) =>
    Object.keys(flags).map((name) => `--${name}`),
  ),
]);

function wordsIn(text: string): Set<string> {
  return new Set(
    linesOf(text)
      .join('\n')
      .split(/[^\w-]+/),
  );
}

/** Columns of a frame, as its rule parts them, without a value in any row below it. */
function emptyColumns(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    if (!/^├─/.test(line)) return [];
    const edges = [...line.matchAll(/[├┼┤]/g)].map(({index}) => index);
    const rows = lines.slice(
      i + 1,
      lines.findIndex((one, at) => at > i && one.startsWith('└')),
    );
    const cells = (row: string) =>
      edges.slice(1).map((to, n) => row.slice((edges[n] ?? 0) + 1, to));
    const isTable = lines[i - 1]?.startsWith('│') && edges.length > 3;
    const used = edges
      .slice(1)
      .map((_, n) => rows.some((row) => /[^\s-]/.test(cells(row)[n] ?? '')));
    return isTable && used.includes(false) ? [lines[i - 1] ?? ''] : [];
  });
}

/** A generated key, or a command: in one line, for copying. */
const FOR_COPYING = /^(?:[0-9a-f]{64}|(?: {2}(?:\$ )?)?(?:paylens|umask|source|jq) .*)$/;

/** Its errors are for people. */
function isCopied({argv, exitCode}: Printed): boolean {
  return isForCopying(argv) && exitCode === 0;
}

/** It runs until it is stopped. */
const NOT_DONE = ['serve'];

/** Each command, with what it does not know. */
function refused(): string[][] {
  return COMMANDS.map((words) => [...words, '--no-such-flag-of-any-command-at-all']);
}

function commandOf({argv}: Run): string {
  const [first = '', second = ''] = argv;
  return TOPICS.has(first) ? `${first} ${second}` : first;
}

/** Prints the same each time: no new key, no time. */
function isSteady([command = '', what = '', ...more]: readonly string[]): boolean {
  if (['diagnose', 'keyfile', 'listen', 'partner', 'send', 'sign', 'simulate'].includes(command))
    return false;
  return command !== 'verify' || more.length === 0 || what === '--list';
}

async function inTerminal(argvs: readonly string[][], widths = WIDTHS): Promise<Printed[]> {
  const runs = widths.flatMap((columns) => prepared(argvs, columns));
  const words = [...PROGRAM, listOf(runs)].join(' ');
  const {text} = await spawned('script', ['-qec', words, '/dev/null']);
  const printed = partsOf(text.replaceAll('\r', ''));
  expect(printed.map(({argv}) => argv)).toEqual(runs.map(({argv}) => argv));
  return printed;
}

/** Both streams. */
async function inFile(argvs: readonly string[][], COLUMNS: string): Promise<Printed[]> {
  const words = [...PROGRAM, listOf(prepared(argvs, 0))];
  const {text} = await spawned('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...words], {COLUMNS});
  return partsOf(text);
}

const CHILD = fileURLToPath(new URL('./runs-child.ts', import.meta.url));
/** Threads of a command look for the compiler from elsewhere. */
const PROGRAM = [process.execPath, '--import', import.meta.resolve('tsx'), CHILD];

/** The commands in an empty home with the files that they read. */
function prepared(argvs: readonly string[][], columns: number): Run[] {
  const home = path.join(folder, String(columns));
  rmSync(home, {recursive: true, force: true});
  mkdirSync(home);
  for (const [name, content] of Object.entries(FILES))
    writeFileSync(path.join(home, name), content, {mode: 0o600});
  return argvs.map((argv) => ({argv, folder: home, columns}));
}

function listOf(runs: readonly Run[]): string {
  const list = path.join(folder, 'runs.json');
  writeFileSync(list, JSON.stringify(runs));
  return list;
}

async function spawned(program: string, argv: string[], more: Record<string, string> = {}) {
  const {COLUMNS: _, ...inherited} = process.env;
  const env = {...inherited, TERM: 'xterm-256color', ...more};
  const child = spawn(program, argv, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 280_000,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code, text.slice(-500)).toBe(0);
  return {text};
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function partsOf(text: string): Printed[] {
  return text
    .split('\u0002')
    .slice(1)
    .map((part) => {
      const [run = '', ...lines] = part.split('\n');
      const [shown = '', exit] = lines.join('\n').split('\u0003');
      return {...JSON.parse(run), text: shown, exitCode: Number.parseInt(exit ?? '', 10)};
    });
}

/** What stands on the screen in the end, where a progress bar is wiped. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split('\u001b[K'))
    .map(stripVTControlCharacters);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/gu;

/** East Asian wide characters (UAX #11) and emoji take two columns, marks none. */
function columnsOf(line: string): number {
  const plain = line.replace(/\p{M}/gu, '');
  return [...plain].length + (plain.match(WIDE)?.length ?? 0);
}
