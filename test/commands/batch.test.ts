import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {runBin} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';
import {simulateStream} from '../writers.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

const SWIPE = fileURLToPath(new URL('../../samples/idtech-swipe.json', import.meta.url));
const REQUEST = JSON.stringify(JSON.parse(readFileSync(SWIPE, 'utf8')));

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-batch-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function fileOf(content: string | Uint8Array): string {
  const name = path.join(folder, 'reads.jsonl');
  writeFileSync(name, content);
  return name;
}

/** Answers these lines with one worker, in this process. */
async function batch(content: string | Uint8Array, ...argv: string[]) {
  const flags = ['--batch', '--threads', '1', '--test-keys', ...argv];
  const run = await runCommand('decrypt', [fileOf(content), ...flags]);
  return {
    ...run,
    answers: run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

function codes(answers: readonly {errCode?: number}[]): (number | undefined)[] {
  return answers.map(({errCode}) => errCode);
}

/** Requests of every test card, in turn, with a reference each. */
function requests(count: number): string[] {
  return TEST_CARDS.flatMap((card) => {
    const simulation = {deviceType: 'idtech', mode: 'swiped', card, keys: testKeyRing()} as const;
    return [...simulateStream({...simulation, ksn: 'FFFF9876543210E00001'}, count)];
  })
    .slice(0, count)
    .map((request, i) => JSON.stringify({...request, reference: `read ${i}`}));
}

describe('decrypt --batch', () => {
  it('answers every line as the service does, on a line', async () => {
    const {answers, exitCode} = await batch(`${REQUEST}\n`);
    expect(exitCode).toBe(0);
    expect(answers).toEqual([
      expect.objectContaining({
        success: true,
        messageId: expect.stringMatching(/^\d{25}$/),
        meta: {device: 'IDTECH', serial: '62994901190000', mode: 'swiped'},
      }),
    ]);
  });

  it('answers a line that fails with its error object, and the next as if nothing was', async () => {
    const wrong = JSON.stringify({...JSON.parse(REQUEST), ksn: '62994901190000000004'});
    const {answers, exitCode} = await batch([wrong, '{', 'nonsense', REQUEST].join('\n'));
    expect(codes(answers)).toStrictEqual([2400, 2004, 2100, undefined]);
    expect(exitCode).toBe(7);
  });

  it.each([0, 1, 2])('ends with exit code 7 only if a line failed: %i did', async (failing) => {
    const {answers, exitCode} = await batch([...Array(failing).fill('{'), REQUEST].join('\n'));
    expect(codes(answers)).toStrictEqual([...Array(failing).fill(2004), undefined]);
    expect(exitCode).toBe(failing > 0 ? 7 : 0);
  });

  it('takes raw payloads, and flags for all lines', async () => {
    const {devicePayload} = JSON.parse(REQUEST);
    const {answers} = await batch(`${devicePayload}\n${REQUEST}\n`, '--reference', 'night');
    expect(answers.map(({reference, success}) => ({reference, success}))).toStrictEqual([
      {reference: 'night', success: true},
      {reference: 'night', success: true},
    ]);
  });

  it('answers empty lines, so that answer and line stay in step', async () => {
    const {answers} = await batch(`\n${REQUEST}\r\n\n`);
    expect(codes(answers)).toStrictEqual([2004, undefined, 2004]);
  });

  it('answers a line that is too long with 2006 and goes on', async () => {
    const {answers} = await batch(`"${'x'.repeat(500_000)}"\n${REQUEST}\n`);
    expect(codes(answers)).toStrictEqual([2006, undefined]);
  });

  it('answers a line that is no UTF-8 with 2004 and goes on', async () => {
    const bytes = Buffer.concat([Buffer.from([0x7b, 0xff, 0x0a]), Buffer.from(`${REQUEST}\n`)]);
    expect(codes((await batch(bytes)).answers)).toStrictEqual([2004, undefined]);
  });

  it('gives every line a messageId of its own', async () => {
    const {answers} = await batch(`${REQUEST}\n`.repeat(200));
    expect(new Set(answers.map(({messageId}) => messageId)).size).toBe(200);
  });

  it('says on stderr how many lines failed, and why', async () => {
    const {stderr} = await batch(`{\n${REQUEST}\n{\n`);
    expect(stderr).toMatch(/^3 lines, 2 failed \(2004: 2\); [\d.]+ s, [\d,]+ lines\/s\n$/);
  });

  it('answers nothing with nothing', async () => {
    const {stdout, stderr, exitCode} = await runCommand('decrypt', [
      ...[fileOf(''), '--batch', '--threads', '1', '--test-keys'],
    ]);
    expect({stdout, exitCode}).toStrictEqual({stdout: '', exitCode: 0});
    expect(stderr).toContain('0 lines, none failed');
  });

  it.each([
    ['a payload in place of a file', ['--payload', '02'], 9001],
    ['a file that is missing', ['none.jsonl'], 9002],
    ['a folder', [tmpdir()], 9002],
    ['no worker', ['-', '--threads', '0'], 9001],
  ])('refuses %s', async (_, argv, code) => {
    const {stdout} = await runCommand('decrypt', [...argv, '--batch', '--test-keys', '--json']);
    expect(JSON.parse(stdout).errCode).toBe(code);
  });

  it('refuses workers without a batch', async () => {
    const {exitCode} = await runCommand('decrypt', [SWIPE, '--threads', '2', '--test-keys']);
    expect(exitCode).toBe(2);
  });
});

describe('decrypt --batch with workers', () => {
  it('keeps the order of stdin and answers as one thread does', async () => {
    const lines = requests(1000);
    const input = `${lines.join('\n')}\n`;
    const run = (workers: string) =>
      runBin(['decrypt', '-', '--batch', '--test-keys', '--threads', workers], {input});
    const [three, one] = [await run('3'), await run('1')];
    expect(three.exitCode).toBe(0);
    const withoutIds = (text: string) => text.replaceAll(/"messageId":"\d{25}"/g, '');
    expect(withoutIds(three.stdout)).toBe(withoutIds(one.stdout));
    const references = three.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).reference);
    expect(references).toStrictEqual(lines.map((_, i) => `read ${i}`));
  });

  it('gives messageIds that differ among the workers', async () => {
    const input = `${REQUEST}\n`.repeat(1000);
    const {stdout} = await runBin(['decrypt', '-', '--batch', '--test-keys', '--threads', '3'], {
      input,
    });
    const ids = stdout.match(/"messageId":"\d{25}"/g) ?? [];
    expect(new Set(ids).size).toBe(1000);
  });

  it('ends with exit code 7 when lines failed', async () => {
    const {exitCode} = await runBin(['decrypt', '-', '--batch', '--test-keys', '--threads', '2'], {
      input: `{\n${REQUEST}\n`,
    });
    expect(exitCode).toBe(7);
  });

  it.each([
    ['3', 2],
    ['1', 0],
  ])('starts a thread less than --threads %s, for it answers itself', async (threads, count) => {
    // Loaded before the command: says on stderr of every worker what it runs.
    const script = `
      import threads from 'node:worker_threads';
      import {syncBuiltinESMExports} from 'node:module';
      import {writeSync} from 'node:fs';
      const {Worker} = threads;
      threads.Worker = class extends Worker {
        constructor(url, options) {
          super(url, options);
          writeSync(2, 'runs ' + String(url).split('/dist/')[1] + String.fromCharCode(10));
        }
      };
      syncBuiltinESMExports();`;
    const env = {NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`};
    const argv = ['decrypt', '-', '--batch', '--test-keys', '--threads', threads];
    const {stdout, stderr, exitCode} = await runBin(argv, {input: `${REQUEST}\n`, env});
    expect(stderr.match(/^runs .*$/gm) ?? []).toEqual(
      Array(count).fill('runs cli/batch/worker.js'),
    );
    expect([JSON.parse(stdout).success, exitCode]).toEqual([true, 0]);
  });

  it.skipIf(!hasTerminal)('shows on a terminal how far it is, and clears that away', async () => {
    const file = fileOf(`${REQUEST}\n{\n`);
    const argv = ['decrypt', file, '--batch', '--test-keys', '--threads', '1'];
    const {seen, stdout, exitCode} = await runOnTerminal(argv, []);
    const shown = seen.split('\r\u001b[K');
    expect(shown.slice(0, -1)).toEqual(['', '100 %  2 lines, 1 failed']);
    expect(shown.at(-1)).toMatch(/^2 lines, 1 failed \(2004: 1\);/);
    expect([stdout.split('\n').length, exitCode]).toEqual([3, 7]);
  });

  it('shows no progress where stderr is no terminal', async () => {
    const {stderr} = await runBin(['decrypt', '-', '--batch', '--test-keys', '--threads', '2'], {
      input: `${REQUEST}\n`,
    });
    expect(stderr).not.toContain('\r');
  });
});
