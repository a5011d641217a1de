import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {execa} from 'execa';
import {rolldown} from 'rolldown';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {RUNTIMES, type Runtime} from './runtimes.js';

/** The check values of the keys are those of ANSI X9.24-1:2009, annex A.4; the card is a test card. */
const EXPECTED = {
  recognised: ['idtech'],
  deviceType: 'idtech',
  pan: '4111111111111111',
  fields: true,
  partsCover: true,
  solved: true,
  scheme: 'tdes',
  initial: ['IK', 'AF8C07'],
  unwrapped: true,
  accepted: true,
  explained: true,
  wrongKey: 2601,
};

/** What a page without a bundler writes into its import map. */
const FOLDER = '/node_modules/paylens/dist/neutral';
const IMPORTS = {
  paylens: `${FOLDER}/index.js`,
  'paylens/decrypt': `${FOLDER}/decrypt.js`,
  'paylens/terminals/idtech': `${FOLDER}/terminals/idtech.js`,
  'paylens/terminals/miura': `${FOLDER}/terminals/miura.js`,
};

const folder = mkdtempSync(path.join(tmpdir(), 'paylens-installed-'));
const inFolder = (file: string) => path.join(folder, file);

// The package as it is published, with nothing of this repository in reach.
beforeAll(async () => {
  const installed = inFolder('node_modules/paylens');
  mkdirSync(installed, {recursive: true});
  const argv = ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', folder];
  const [{filename}] = JSON.parse((await execa('npm', argv)).stdout);
  await execa('tar', ['-xzf', inFolder(filename), '--strip-components=1', '-C', installed]);
  const manifest = {type: 'module', dependencies: {paylens: '*'}};
  writeFileSync(inFolder('package.json'), JSON.stringify(manifest));
  for (const name of ['program.mjs', 'small-program.mjs']) {
    copyFileSync(path.join('test/runtimes/package', name), inFolder(name));
  }
  writeFileSync(inFolder('place.mjs'), "console.log(import.meta.resolve('paylens'));\n");
}, 300_000);

afterAll(() => rmSync(folder, {recursive: true, force: true}));

describe('the published package', () => {
  for (const runtime of RUNTIMES) {
    const {version, name} = runtime;
    const what = version === undefined ? `${name}, which is not installed` : `${name} (${version})`;
    it.skipIf(version === undefined)(`answers in ${what}`, {timeout: 120_000}, async () => {
      const line = await runtime.run(inFolder('program.mjs'), IMPORTS);
      expect(JSON.parse(line)).toEqual(EXPECTED);
      const small = await runtime.run(inFolder('small-program.mjs'), IMPORTS);
      expect(JSON.parse(small)).toEqual(['4761739001010010', 2100, 2005]);
    });
  }

  it.each([
    ['Node', /paylens\/dist\/index\.js$/],
    ['Bun', /paylens\/dist\/index\.js$/],
    ['Deno', /paylens\/dist\/neutral\/index\.js$/],
  ])('is the build for %s there', async (name, place) => {
    expect(await runtimeOf(name).run(inFolder('place.mjs'))).toMatch(place);
  });

  it.each([
    ['rolldown', joinByRolldown],
    ['esbuild', joinByEsbuild],
  ])('answers in Chromium after %s has joined it', async (name, join) => {
    const file = inFolder(`${name}.mjs`);
    await join(inFolder('program.mjs'), file);
    expect(readFileSync(file, 'utf8')).not.toMatch(/\bfrom *['"]|\bnode:/);
    expect(JSON.parse(await runtimeOf('Chromium').run(file))).toEqual(EXPECTED);
  });
});

function runtimeOf(wanted: string): Runtime {
  const found = RUNTIMES.find(({name}) => name === wanted);
  if (found?.version === undefined) throw new Error(`${wanted} is not installed`);
  return found;
}

async function joinByRolldown(input: string, file: string): Promise<void> {
  const build = await rolldown({cwd: folder, input, platform: 'browser'});
  await build.write({file, format: 'esm', codeSplitting: false});
  await build.close();
}

async function joinByEsbuild(input: string, file: string): Promise<void> {
  const argv = [input, '--bundle', '--format=esm', `--outfile=${file}`, '--log-level=error'];
  await execa(path.resolve('node_modules/.bin/esbuild'), argv, {cwd: folder});
}
