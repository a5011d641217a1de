import {spawn} from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {execa} from 'execa';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {BIN} from '../../cli/run-bin.js';
import {isRunning} from './processes.js';
import {serve} from './serving.js';

const SERVE = [BIN, 'serve', '--port', '0'];
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paylens-state-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

describe('serve --stop-with-stdin', {timeout: 30_000}, () => {
  test('ends when its stdin ends', async () => {
    const argv = [...SERVE, '--mock', '--stop-with-stdin', '--quiet'];
    const child = execa(process.execPath, argv, {stdin: 'pipe'});
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end();
    expect(await child).toMatchObject({exitCode: 0, stderr: ''});
  });

  test('ends when the process that started it is killed', async () => {
    const script = `
      const {spawn} = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify([...SERVE, '--mock', '--stop-with-stdin', '--quiet'])});
      child.stdout.once('data', () => console.log(child.pid));
    `;
    const parent = spawn(process.execPath, ['-e', script], {stdio: ['ignore', 'pipe', 'inherit']});
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (line) => resolve(Number(line))),
    );
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), {timeout: 15_000}).toBe(false);
  });

  test('ends at once when there is no stdin', async () => {
    const argv = [...SERVE, '--mock', '--stop-with-stdin'];
    const {exitCode, stderr} = await execa(process.execPath, argv, {stdin: 'ignore'});
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('end of stdin')]);
  });

  test('is stopped by a signal as ever', async () => {
    const child = execa(process.execPath, [...SERVE, '--mock', '--stop-with-stdin'], {
      stdin: 'pipe',
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect((await child).exitCode).toBe(0);
  });

  test('is needed for that: without it the end of stdin changes nothing', async () => {
    const serving = await serve(['--mock']);
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
  });
});

describe('the files of a service', {timeout: 30_000}, () => {
  const paths = () => ({pid: join(folder, 'pid'), ready: join(folder, 'ready.json')});
  const flags = () => ['--pid-file', paths().pid, '--ready-file', paths().ready];
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test('are there while it runs', async () => {
    const {pid, ready} = paths();
    const serving = await serve(['--mock', ...flags()]);
    expect(readFileSync(pid, 'utf8')).toBe(`${serving.pid}\n`);
    expect(JSON.parse(readFileSync(ready, 'utf8'))).toEqual(serving.ready);
    expect([modeOf(pid), modeOf(ready)]).toEqual([0o600, 0o600]);
    serving.kill('SIGTERM');
    expect((await serving.ended()).exitCode).toBe(0);
    expect([existsSync(pid), existsSync(ready)]).toEqual([false, false]);
  });

  test('of an earlier service are not taken for those of this one', async () => {
    const {ready} = paths();
    writeFileSync(ready, '{"url":"http://127.0.0.1:1"}\n', {mode: 0o644});
    const argv = [...SERVE, '--ready-file', ready, '--keyfile', join(folder, 'none.age')];
    const {exitCode} = await execa(process.execPath, argv, {reject: false});
    expect([exitCode === 0, existsSync(ready)]).toEqual([false, false]);
    const serving = await serve(['--mock', '--ready-file', ready]);
    expect(JSON.parse(readFileSync(ready, 'utf8'))).toEqual(serving.ready);
    expect(modeOf(ready)).toBe(0o600);
  });

  test.each([
    ['the process id', () => ['--pid-file', paths().pid]],
    ['the ready line', () => ['--ready-file', paths().ready]],
  ])('stay those of a running service: %s', async (_, file) => {
    const first = await serve(['--mock', ...flags()]);
    const before = [readFileSync(paths().pid, 'utf8'), readFileSync(paths().ready, 'utf8')];
    const second = await execa(process.execPath, [...SERVE, '--mock', ...file()], {reject: false});
    expect([second.exitCode, second.stdout]).toEqual([3, '']);
    expect(second.stderr).toContain(`process ${first.pid} has ${file()[1]}`);
    expect([readFileSync(paths().pid, 'utf8'), readFileSync(paths().ready, 'utf8')]).toEqual(
      before,
    );
  });

  test.each([
    ['of this machine', '$&'],
    ['of a container that is gone', 'lock.00000000'],
  ])('are replaced after a killed service %s', async (_, realm) => {
    const {ready} = paths();
    const first = await serve(['--mock', ...flags()]);
    process.kill(first.pid, 'SIGKILL');
    await first.ended();
    const [lock = ''] = readdirSync(folder).filter((name) => name.startsWith('.ready.json.lock.'));
    renameSync(join(folder, lock), join(folder, lock.replace(/lock\.[0-9a-f]{8}/, realm)));
    const second = await serve(['--mock', ...flags()]);
    expect(JSON.parse(readFileSync(ready, 'utf8'))).toEqual(second.ready);
    second.kill('SIGTERM');
    await second.ended();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that another service has replaced stay', async () => {
    const {pid} = paths();
    const serving = await serve(['--mock', '--pid-file', pid]);
    writeFileSync(pid, '1\n');
    serving.kill('SIGTERM');
    await serving.ended();
    expect(readFileSync(pid, 'utf8')).toBe('1\n');
  });

  test('replace a symbolic link, never what it points to', async () => {
    const {ready} = paths();
    const target = join(folder, 'target');
    writeFileSync(target, 'mine');
    symlinkSync(target, ready);
    await serve(['--mock', '--ready-file', ready]);
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  test.each(['--pid-file', '--ready-file'])('are no other file: %s', async (flag) => {
    const {pid: path} = paths();
    writeFileSync(path, 'age-encryption.org/v1\n');
    const argv = [...SERVE, '--mock', flag, path];
    const {exitCode, stdout, stderr} = await execa(process.execPath, argv, {reject: false});
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`${path} exists, and paylens has not written it`);
    expect(readFileSync(path, 'utf8')).toBe('age-encryption.org/v1\n');
  });

  test('that cannot be written end it with 9014, and nothing is served', async () => {
    const argv = [...SERVE, '--mock', '--stop-with-stdin'];
    const file = ['--ready-file', join(folder, 'none', 'ready')];
    const options = {stdin: 'pipe', reject: false} as const;
    const {exitCode, stdout, stderr} = await execa(process.execPath, [...argv, ...file], options);
    expect([exitCode === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain('Error 9014');
  });
});
