import {describe, expect, it} from 'vitest';
import {ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {runCommand} from '../cli/run-command.js';

describe('errors', () => {
  it('lists every code of the catalogue', async () => {
    const {stdout} = await runCommand('errors', []);
    expect([...stdout.matchAll(/^(\d+)\t/gm)].map((match) => Number(match[1]))).toEqual(
      ERROR_CODES,
    );
  });

  it('gives code, HTTP status, exit code, message and hint of one error as JSON', async () => {
    const {stdout} = await runCommand('errors', ['2101', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      {
        code: 2101,
        http: 400,
        exit: 4,
        message: 'Payload damaged',
        hint: 'Capture the payload again: characters were lost, added or changed in transit.',
      },
    ]);
  });

  it('writes nothing to stderr', async () => {
    const {stderr} = await runCommand('errors', []);
    expect(stderr).toBe('');
  });
});
