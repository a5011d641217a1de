import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {PUBLISHED_READS} from 'paylens/samples';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {fencesOf} from './docs/fences.js';
import {SUITE_PAGES} from './docs/guides.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const examplesByPage = SUITE_PAGES.map((page) =>
  fencesOf(readFileSync(path.join(root, page), 'utf8')).filter(({language}) => language === 'ts'),
);
/** Modules that the examples import; their types stand in comments. */
const modules = SUITE_PAGES.flatMap((page) =>
  fencesOf(readFileSync(path.join(root, page), 'utf8')).filter(({file}) => file?.endsWith('.mjs')),
);

const examples = examplesByPage.flat();

const TYPE_SETTINGS = {
  compilerOptions: {
    ...{strict: true, noEmit: true, skipLibCheck: true, allowJs: true, checkJs: true},
    ...{target: 'es2022', module: 'node20', types: ['node']},
  },
};

let project = '';

/** A project of its own that has the built package and vitest installed. */
beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'paylens-suite-'));
  mkdirSync(path.join(project, 'node_modules/@types'), {recursive: true});
  symlinkSync(root, path.join(project, 'node_modules/paylens'));
  for (const name of ['vitest', '@types/node']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name));
  }
  writeFileSync(path.join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(TYPE_SETTINGS));
  for (const {file = '', text} of modules) writeFileSync(path.join(project, file), text);
  for (const [i, {text}] of examples.entries()) {
    writeFileSync(path.join(project, `example${i}.test.ts`), text);
  }
});

afterAll(() => rmSync(project, {recursive: true}));

describe('the vitest examples of README.md and the guides', {timeout: 120_000}, () => {
  it('pass in a project that has paylens installed', async () => {
    const count = examples.flatMap(({text}) => text.match(/^it\(/gm) ?? []).length;
    const reads = PUBLISHED_READS.reads.length;
    const {all, exitCode} = await run('vitest/vitest.mjs', ['run']);
    expect(examplesByPage.filter((found) => found.length === 0)).toEqual([]);
    expect({exitCode, all}).toEqual({
      exitCode: 0,
      all: expect.stringMatching(new RegExp(`Tests +${count + reads} passed`)),
    });
  });

  it('fit the types of the package', async () => {
    expect(await run('typescript/bin/tsc', ['-p', '.'])).toMatchObject({exitCode: 0, all: ''});
  });
});

async function run(tool: string, argv: readonly string[]) {
  const script = path.join(root, 'node_modules', tool);
  const env = {NO_COLOR: '1', VITEST: '', VITEST_WORKER_ID: '', VITEST_POOL_ID: ''};
  const options = {cwd: project, env, all: true, reject: false} as const;
  const {all, exitCode} = await execa(process.execPath, [script, ...argv], options);
  return {all, exitCode};
}
