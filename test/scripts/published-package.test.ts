import {existsSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const TOOLS = path.resolve('test/tools/node_modules/.bin');

async function pack(): Promise<string> {
  const folder = tempFolder();
  const argv = ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', folder];
  const [{filename}] = JSON.parse((await execa('npm', argv)).stdout);
  return path.join(folder, filename);
}

// Without `npm ci` in test/tools there is nothing to judge with: .ci/run does that.
describe.skipIf(!existsSync(TOOLS))('the packed package', {timeout: 120_000}, () => {
  it('is faultless to publint', async () => {
    const argv = ['run', await pack(), '--strict'];
    const {stdout} = await execa(path.join(TOOLS, 'publint'), argv, {env: {NO_COLOR: '1'}});
    expect(stdout).toContain('All good!');
  });

  it('has types that every importer of ES modules finds', async () => {
    const argv = [await pack(), '--profile', 'esm-only', '--format', 'json'];
    const {stdout} = await execa(path.join(TOOLS, 'attw'), argv);
    const {analysis} = JSON.parse(stdout);
    expect(Object.keys(analysis.entrypoints)).toContain('./decrypt');
    expect(analysis.types.kind).toBe('included');
  });
});
