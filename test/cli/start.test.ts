import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {BIN, runBin, runBins} from './run-bin.js';

const PAN = '4111111111111111';

describe('paylens', () => {
  it('prints its version', async () => {
    expect((await runBin(['--version'])).stdout).toMatch(/^paylens\/\d+\.\d+\.\d+ /);
  });

  it('shows help', async () => {
    const argvs = [['errors', '--help'], ['-h'], ['errors', '-h'], ['help', 'errors']];
    const [long, short, command, help] = (await runBins(argvs)).map(({stdout}) => stdout);
    expect(long).toMatch(/EXAMPLES[\s\S]*\$ paylens errors/);
    expect(short).toContain('COMMANDS');
    expect(command).toContain('EXAMPLES');
    expect(help).toContain('USAGE');
  });

  it('says that a command takes no arguments', async () => {
    expect((await runBin(['simulate', 'idtech'])).stderr).toBe(
      'Error 9001: Invalid usage: simulate takes no arguments\n' +
        'Run `paylens help simulate` to see its flags.\n',
    );
  });

  it('says what is no command, and what may be meant', async () => {
    const cases = [
      ['errrs', 'Did you mean: paylens errors'],
      ['key lst', 'Did you mean: paylens key list'],
      ['keyfil', 'Did you mean: paylens keyfile'],
      ['decript samples/idtech-swipe.txt', 'Did you mean: paylens decrypt'],
      ['unlike-anything', 'Run `paylens help` to list the commands.'],
    ] as const;
    const runs = await runBins(cases.map(([line]) => line.split(' ')));
    expect(runs.map(({stderr, exitCode}) => ({exitCode, stderr}))).toEqual(
      cases.map(([line, hint]) => ({
        exitCode: 2,
        stderr: `Error 9001: Invalid usage: ${line.replace(/ \S+\/.*/, '')} is not a paylens command\n${hint}\n`,
      })),
    );
  });

  it('does not repeat card data', async () => {
    const lines = [PAN, `help ${PAN}`, `errors x ${PAN}`, `nonsense ${PAN}`, `--json ${PAN}`];
    const argvs = [...lines, `--${PAN}`].map((line) => line.split(' '));
    for (const {argv, stdout, stderr, exitCode} of await runBins(argvs)) {
      const leaked = (stdout + stderr).includes(PAN);
      expect({argv, leaked, exitCode}).toEqual({argv, leaked: false, exitCode: 2});
    }
  });

  it('repeats nothing with DEBUG=* either', async () => {
    const {stderr} = await runBin(['errors', 'x', PAN], {env: {DEBUG: '*'}});
    expect(stderr).not.toContain(PAN);
  });

  it('prints the error object when there is no such command', async () => {
    const {stdout} = await runBin([PAN, '--json']);
    expect(JSON.parse(stdout)).toEqual({
      success: false,
      errCode: 9001,
      errMessage: 'Invalid usage: no such command',
    });
  });

  it('colours nothing when it is piped', async () => {
    const {stdout, stderr} = await runBin(['errors', 'x']);
    expect(stdout + stderr).not.toContain('\u001b[');
  });

  it.each([
    ['NO_COLOR', [], {NO_COLOR: '1'}],
    ['--no-color', ['--no-color'], {}],
  ])('%s beats a forced colour', async (_, flags, env) => {
    const {stderr} = await runBin(['errors', 'x', ...flags], {env: {FORCE_COLOR: '1', ...env}});
    expect(stderr).not.toContain('\u001b[');
  });

  it('ends quietly when the reader of its output goes away', async () => {
    const {stdout, stderr} = await execa('sh', ['-c', `node '${BIN}' errors | head -n 1`]);
    expect({lines: stdout.split('\n').length, stderr}).toEqual({lines: 1, stderr: ''});
  });

  it('fails when its output cannot be written', async () => {
    const {exitCode, stderr} = await execa('sh', ['-c', `node '${BIN}' errors > /dev/full`], {
      reject: false,
    });
    expect({exitCode, stderr}).toEqual({
      exitCode: 3,
      stderr:
        'Error 9014: File locked or not saved: stdout was not written: no space left on device (ENOSPC)\nFree disk space, or send the output elsewhere. What was written before is incomplete.',
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 130 when it gets %s', async (signal) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const {port} = silent.address() as AddressInfo;
    const to = ['--base-url', `http://127.0.0.1:${port}`, '--partner', 'DEMO', '--json'];
    const child = execa(process.execPath, [BIN, 'send', 'partner', ...to], {
      reject: false,
      env: {PAYLENS_PARTNER_KEY: 'k', PAYLENS_SHARED_KEY: 's'},
    });
    await once(silent, 'connection');
    child.kill(signal);
    const {exitCode, stdout} = await child;
    silent.close();
    expect({exitCode, code: JSON.parse(stdout).errCode}).toEqual({exitCode: 130, code: 9030});
  });

  it('writes no half line when it is interrupted', async () => {
    const child = execa(process.execPath, [BIN, 'decrypt', '--batch', '-', '--test-keys'], {
      reject: false,
      stdin: 'pipe',
      buffer: {stdout: false},
    });
    child.stdin.on('error', () => {});
    // Their answers are more than a pipe holds.
    child.stdin.write('{}\n'.repeat(5000));
    const [first] = await once(child.stdout, 'data');
    child.stdout.pause();
    child.kill('SIGINT');
    await wait(100);
    let text = String(first);
    for await (const chunk of child.stdout) text += chunk;
    expect([text.at(-1), (await child).exitCode]).toEqual(['\n', 130]);
  });

  it('sets up completion for bash', async () => {
    const {stdout} = await runBin(['completion', 'bash']);
    expect(stdout).toContain('complete -F _paylens paylens');
  });

  it('runs from src without a build, too', async () => {
    const dev = fileURLToPath(new URL('../../bin/dev.js', import.meta.url));
    const {stdout} = await execa(process.execPath, [dev, 'errors', '2101', '--json']);
    expect(JSON.parse(stdout)[0].code).toBe(2101);
  });
});
