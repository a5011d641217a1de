import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Tree = Readonly<Record<string, string>>;

/** A project that holds these files, and a folder for each that the checks look into. */
function planted(files: Tree): string {
  const folder = tempFolder();
  for (const top of ['src', 'scripts', 'test']) mkdirSync(path.join(folder, top));
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), {recursive: true});
    writeFileSync(path.join(folder, file), code);
  }
  return folder;
}

function checkHouse(folder: string) {
  const script = path.join(root, 'scripts/checks/check-house.mjs');
  return execa(process.execPath, [script, folder], {reject: false});
}

function checkLayers(folder: string) {
  const bin = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.join(root, '.dependency-cruiser.mjs');
  return execa(process.execPath, [bin, '--config', config, 'src'], {cwd: folder, reject: false});
}

/** Files a1 to a`count`. */
function many(folder: string, count: number): Tree {
  return Object.fromEntries(
    Array.from({length: count}, (_, i) => [`${folder}/a${i + 1}.ts`, 'export {};\n']),
  );
}

describe('check-house', () => {
  it('passes on this project', async () => {
    expect((await checkHouse(root)).stderr).toBe('');
  });

  it.each([
    ['a file system in the engine', 'src/engine/a.ts', "import {readFileSync} from 'node:fs';"],
    ['the program as Node', 'src/cli/a.ts', 'export const p = process.execPath;'],
    ['a package in the engine', 'src/engine/a.ts', "import {z} from 'zod';"],
    ['a clock in the engine', 'src/engine/a.ts', 'export const t = Date.now();'],
    ['randomness in the engine', 'src/engine/a.ts', "import {randomBytes} from 'node:crypto';"],
    ['a hash of Node in the engine', 'src/engine/a.ts', "import {hash} from 'node:crypto';"],
    ['the console in a component', 'src/page/parts/a.tsx', "console.log('x');"],
    ['the console in a command', 'src/commands/a.ts', "console.log('x');"],
    ['stderr outside the output module', 'src/cli/a.ts', "process.stderr.write('x');"],
  ])('refuses %s', async (_, file, code) => {
    const {exitCode, stderr} = await checkHouse(planted({[file]: code}));
    expect({exitCode, named: stderr.startsWith(`${file}: `)}).toEqual({exitCode: 1, named: true});
  });

  it.each([
    ['src/engine/tlv', 20],
    ['scripts/checks', 20],
    ['test/engine', 30],
  ])('refuses a folder %s of more than %i files', async (folder, most) => {
    expect((await checkHouse(planted(many(folder, most)))).exitCode).toBe(0);
    const {exitCode, stderr} = await checkHouse(planted(many(folder, most + 1)));
    expect({exitCode, stderr}).toEqual({
      exitCode: 1,
      stderr: `${folder}: expected at most ${most} files, found ${most + 1}`,
    });
  });

  const COMPONENTS = {
    'src/cli/b.ts': '',
    'src/cli/b.tsx': "import {a} from './a.js';\n",
    'src/cli/c.tsx': "import {a} from './a.js';\n",
  };
  const lines = (count: number) => 'export const a = 1;\n'.repeat(count);

  it('refuses a file of 19 lines of code that serves one neighbour alone', async () => {
    const tree = planted({
      'src/cli/a.ts': `// A comment is no code.\n\n${lines(19)}`,
      'src/cli/b.ts': "import type {A} from './c.js';\nimport {\n  a,\n} from './a.js';\n",
    });
    const {exitCode, stderr} = await checkHouse(tree);
    expect({exitCode, stderr}).toEqual({
      exitCode: 1,
      stderr: 'src/cli/a.ts: 19 lines of code for src/cli/b.ts alone: it belongs there',
    });
  });

  it('refuses a component of 19 lines of code that serves one neighbour alone', async () => {
    const tree = planted({
      'src/page/a.tsx': lines(19),
      'src/page/b.tsx': "import {a} from './a.js';\n",
    });
    expect((await checkHouse(tree)).stderr).toBe(
      'src/page/a.tsx: 19 lines of code for src/page/b.tsx alone: it belongs there',
    );
  });

  it.each([
    ['a file of 20 lines of code', {'src/cli/a.ts': lines(20)}],
    ['a small file that two import', {'src/cli/c.ts': "export {a} from './a.js';\n"}],
    ['a small file that two components import', COMPONENTS],
    [
      'a small file of another folder',
      {'src/cli/b.ts': '', 'src/b.ts': "import {a} from './cli/a.js';\n"},
    ],
    [
      'a small file that another one loads late',
      {'src/cli/c.ts': "const {a} = await import(\n  './a.js'\n);\n"},
    ],
    ['types alone', {'src/cli/b.ts': "import type {A} from './a.js';\n"}],
    ['what is loaded late', {'src/cli/b.ts': "await import('./a.js');\n"}],
  ])('accepts %s', async (_, files) => {
    const usual = {'src/cli/a.ts': lines(1), 'src/cli/b.ts': "import {a} from './a.js';\n"};
    const {exitCode, stderr} = await checkHouse(planted({...usual, ...files}));
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''});
  });

  it('accepts a comment that speaks of the console', async () => {
    const tree = planted({'src/engine/a.ts': '// console.log is not used'});
    expect((await checkHouse(tree)).exitCode).toBe(0);
  });
});

const A = 'export type A = 1;\nexport const a = 1;\n';

/** Imports of every kind that are wrong: the rule, the file, what it imports, and how. */
const WRONG: readonly (readonly [title: string, rule: string, from: string, code: string])[] = [
  ['a circle of values', 'no-circle', 'contract/one', "import {b} from './two.js';"],
  ['a circle of types', 'no-circle', 'contract/five', "import type {A} from './six.js';"],
  ['an import that goes up', 'layer-engine', 'engine/plan', "import {a} from '../cli/a.js';"],
  ['a type from above', 'layer-auth', 'auth/verdict', "import type {A} from '../engine/trace.js';"],
  ['a lazy import', 'layer-contract', 'contract/lazy', "await import('../engine/trace.js');"],
  ['a re-export', 'layer-client', 'client/b', "export {a} from '../engine/trace.js';"],
  ['a folder above', 'order-engine-trace', 'engine/cipher/b', "import {a} from '../result.js';"],
  [
    'a family',
    'apart-engine-families',
    'engine/families/miura/b',
    "import {a} from '../idtech/a.js';",
  ],
  ['a folder without a layer', 'no-layer', 'helpers/b', "import {a} from '../contract/a.js';"],
  ['a file without an order', 'no-order-engine', 'engine/lost', "import {a} from './trace.js';"],
  ['a module of Node', 'runs-everywhere', 'auth/methods/c', "import {hash} from 'node:crypto';"],
  ['one without its prefix', 'runs-everywhere', 'platform/d', "import {Buffer} from 'buffer';"],
  ['one that is loaded late', 'runs-everywhere', 'contract/late', "await import('node:fs');"],
  ['a type of Node', 'runs-everywhere', 'simulator/e', "import type {Hash} from 'node:crypto';"],
  [
    'one version of the platform',
    'one-platform',
    'keyfile/f',
    "import {a} from '../platform/node/platform.js';",
  ],
  ['a command', 'no-command-below', 'index', "import {a} from './commands/a.js';"],
  [
    'a component above',
    'order-page-parts',
    'page/parts/b',
    "import {A} from '../inspector/a.js';\nexport const b = <A />;",
  ],
  [
    'a component that goes up',
    'layer-page',
    'page/inspector/b',
    "import type {A} from '../../cli/a.js';\nexport const b = <p>{(1 as A).toFixed()}</p>;",
  ],
];

/** Components stand in the page alone. */
const fileOf = (from: string) => `src/${from}.${from.startsWith('page/') ? 'tsx' : 'ts'}`;

const RIGHT = 'commands/down';

/** One project for all of them: a run takes seconds. */
const layers = planted({
  ...Object.fromEntries(WRONG.map(([, , from, code]) => [fileOf(from), `${code}\n${A}`])),
  'src/contract/two.ts': "import {a} from './one.js';\nexport const b = () => a;\n",
  'src/contract/six.ts': "import type {A as B} from './five.js';\nexport type A = B;\n",
  ...Object.fromEntries(
    [
      'contract/a',
      'engine/trace',
      'engine/result',
      'engine/families/idtech/a',
      'cli/a',
      'commands/a',
      'platform/node/platform',
    ].map((file) => [`src/${file}.ts`, A]),
  ),
  [fileOf('page/inspector/a')]: 'export const A = () => <p />;\n',
  [`src/${RIGHT}.ts`]: "import {a} from '../engine/trace.js';\nexport const b = a;\n",
});
const {exitCode, stdout} = await checkLayers(layers);
const lines = stdout.split('\n').filter((line) => line.startsWith('  error '));

describe('check:layers', () => {
  it('passes on this project', async () => {
    expect((await checkLayers(root)).stdout).toContain('no dependency violations found');
  });

  it.each(WRONG)('refuses %s', (_, rule, from) => {
    const line = `  error ${rule}: ${fileOf(from)} → `;
    expect(lines.filter((one) => one.startsWith(line))).toHaveLength(1);
    expect(exitCode).toBeGreaterThan(0);
  });

  it('accepts all that goes down', () => {
    expect(lines).toHaveLength(WRONG.length);
  });
});
