import {describe, expect, it} from 'vitest';
import {runCommand} from './run-command.js';

const SECRET = '0123456789ABCDEFFEDCBA9876543210';

const REFUSED = 'is not accepted: other users can see arguments in the process list';

describe('wrong usage', () => {
  it.each([
    ['an unknown flag with a value', [`--blob=${SECRET}`], 'unknown flag --blob'],
    ['a key as a flag', [`--bdk=${SECRET}`], `--bdk ${REFUSED}`],
    ['an unknown flag that is no name', [`--${SECRET}`], 'unknown flag (not a name)'],
    ['an argument too many', ['2101', SECRET], 'unexpected argument: (not shown)'],
    [
      'arguments too many',
      ['2101', SECRET, SECRET],
      'unexpected argument: (not shown) (not shown)',
    ],
    ['an unknown code', [SECRET], 'there is no error code (not shown)'],
  ])('%s is 9001 and is not repeated', async (_, argv, detail) => {
    const {stdout, stderr, exitCode} = await runCommand('errors', argv);
    expect({stdout, stderr: stderr.split('\n')[0], exitCode}).toEqual({
      stdout: '',
      stderr: `Error 9001: Invalid usage: ${detail}`,
      exitCode: 2,
    });
  });

  it.each([
    ['a missing argument', 'derive', [], 'missing argument KSN'],
    ['a missing flag', 'profile:add', ['x'], 'missing flag --base-url'],
    [
      'flags that cannot be used together',
      'serve',
      ['--demo', '--mock'],
      '--demo and --mock cannot be used together',
    ],
    ['a flag that needs another', 'sign', ['body.json', '--curl'], '--curl requires --url'],
    ['a flag without its value', 'serve', ['--demo', '--port'], '--port expects a value'],
    [
      'a number that is none',
      'serve',
      ['--port', SECRET.slice(0, -1)],
      '--port: expected an integer',
    ],
    [
      'a number that is too small',
      'serve',
      ['--port', '-1'],
      '--port -1: expected an integer greater than or equal to 0',
    ],
    ['a flag of a batch', 'decrypt', ['--threads', '2', 'x'], '--threads requires --batch'],
  ] as const)('names %s', async (_, command, argv, detail) => {
    const {stderr} = await runCommand(command, [...argv]);
    expect(stderr.split('\n')[0]).toBe(`Error 9001: Invalid usage: ${detail}`);
  });

  it('with --json is the error object on stdout and nothing else', async () => {
    const {stdout, stderr} = await runCommand('errors', ['--json', `--blob=${SECRET}`]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      success: false,
      errCode: 9001,
      errMessage: 'Invalid usage: unknown flag --blob',
    });
  });
});
