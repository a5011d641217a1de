import {Config} from '@oclif/core/config';
import {describe, expect, it, vi} from 'vitest';
import {BaseCommand} from '../../../src/cli/base-command.js';
import {durationFlag} from '../../../src/cli/flags/duration-flag.js';

const config = await Config.load({root: process.cwd()});

class Wait extends BaseCommand {
  static override flags = {
    timeout: durationFlag({default: 30_000, max: 3_600_000}),
    latency: durationFlag({min: 0}),
  };

  static found: object;

  async run() {
    const {timeout, latency} = (await this.parse(Wait)).flags;
    Wait.found = {timeout, latency};
  }
}

async function wait(...argv: string[]) {
  Wait.found = {};
  let stderr = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  const before = process.exitCode;
  await Wait.run(argv, config);
  process.exitCode = before;
  spy.mockRestore();
  return {...Wait.found, stderr};
}

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['2m', 120_000],
    ['1.5s', 1500],
    ['60m', 3_600_000],
  ])('%s is %i milliseconds', async (text, timeout) => {
    expect(await wait('--timeout', text)).toEqual({timeout, stderr: ''});
  });

  it.each([
    '',
    's',
    '-1s',
    '1h',
    '1 s',
    '1S',
    '1e3',
    '0x10',
    'ten',
    '1s2',
    '1ss',
    '.5s',
    '5.s',
    '7',
    '0',
  ])('%j is 9001', async (text) => {
    const {stderr} = await wait(`--timeout=${text}`);
    expect(stderr).toContain(
      `Error 9001: Invalid usage: --timeout ${text}: expected a duration such as 500ms, 10s or 2m\n`,
    );
  });

  it.each(['0s', '0.5ms', '61m', '3601s', '99999999999m'])('%s is out of bounds', async (text) => {
    const {stderr} = await wait('--timeout', text);
    expect(stderr).toContain(`Error 9001: Invalid usage: --timeout ${text}: expected 1ms to 60m\n`);
  });
});
