import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/checks/check-start-up.mjs', import.meta.url));

function checkStartUp(...argv: string[]) {
  return execa(process.execPath, [SCRIPT, ...argv], {reject: false});
}

describe('check-start-up', () => {
  it('passes on this project', async () => {
    expect((await checkStartUp()).exitCode).toBe(0);
  });

  it('finds the same number of files in development', async () => {
    const outputs = ['production', 'development'].map(async (NODE_ENV) => {
      return (await execa(process.execPath, [SCRIPT], {env: {NODE_ENV}})).stdout;
    });
    expect(await outputs[1]).toBe(await outputs[0]);
  });

  it('fails when more files are loaded than allowed', async () => {
    expect((await checkStartUp('5')).exitCode).toBe(1);
  });
});
