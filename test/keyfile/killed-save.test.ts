import {spawn, spawnSync} from 'node:child_process';
import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {beforeAll, expect, it} from 'vitest';
import type {Keyfile} from '../../src/keyfile/keyfile.js';
import {openKeyfile} from '../../src/keyfile/open-keyfile.js';
import {createKeyfile} from '../../src/keyfile/save-keyfile.js';
import {draws} from '../long.js';
import {ALICE, byIdentity, recipientEncryption, sampleKeyfile} from './sample-keyfile.js';
import {tempFolder} from './temp-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD = fileURLToPath(new URL('./save-child.ts', import.meta.url));
const AT_ONCE = 4;
/** Multiples of four: so many run at once. */
const KILLS = draws(400);
const ADDS = 4 * draws(20);

interface Kill {
  readonly whole: boolean;
  /** The lock was held: the kill struck inside a save. */
  readonly locked: boolean;
}

let child = '';
beforeAll(() => {
  child = compiledChild();
  return () => rmSync(join(dirname(child), '../../..'), {recursive: true});
});

it(`the old or the new content is whole after each of ${KILLS} kills -9 at any moment of a save`, async () => {
  const versions = await twoVersions();
  const contents = versions.map((file) => readFileSync(file));
  const isWhole = async (path: string) => contents.some((each) => each.equals(readFileSync(path)));
  const kills = await killMany(KILLS, versions[0] ?? '', ['write', ...versions], isWhole);
  expect(kills.filter(({whole}) => !whole)).toEqual([]);
  // Else the test would prove nothing.
  expect(kills.filter(({locked}) => locked).length).toBeGreaterThan(KILLS / 8);
}, 180_000);

it(`a keyfile opens after each of ${ADDS} kills -9 while keys are added`, async () => {
  const kills = await killMany(ADDS, await newKeyfile(1), ['update'], opens);
  expect(kills.filter(({whole}) => !whole)).toEqual([]);
}, 180_000);

async function killMany(
  times: number,
  original: string,
  work: string[],
  isWhole: (path: string) => Promise<boolean>,
): Promise<Kill[]> {
  const series = Array.from({length: AT_ONCE}, async () => {
    const path = join(tempFolder(), 'keyfile.age');
    copyFileSync(original, path);
    const kills: Kill[] = [];
    for (let i = 0; i < times / AT_ONCE; i++) {
      await saveUntilKilled([path, ...work]);
      const locked = readdirSync(dirname(path)).some((name) => name.includes('.lock.'));
      kills.push({whole: await isWhole(path), locked});
    }
    return kills;
  });
  return (await Promise.all(series)).flat();
}

async function saveUntilKilled(args: string[]): Promise<void> {
  const saver = spawn(process.execPath, [child, ...args], {stdio: ['ignore', 'pipe', 'inherit']});
  await once(saver.stdout, 'data');
  await delay(randomInt(0, 12));
  saver.kill('SIGKILL');
  await once(saver, 'close');
}

async function opens(path: string): Promise<boolean> {
  const opened = openKeyfile(readFileSync(path), byIdentity(ALICE.identity));
  return opened.then(
    ({keyfile}) => keyfile.keys.length > 0,
    () => false,
  );
}

function twoVersions(): Promise<string[]> {
  return Promise.all([newKeyfile(1), newKeyfile(400)]);
}

async function newKeyfile(keys: number): Promise<string> {
  const path = join(tempFolder(), 'keyfile.age');
  const [key] = sampleKeyfile().keys;
  const many = Array.from({length: keys}, (_, i) => ({
    ...key,
    name: `k${i}`,
    ksnPrefix: `${1000 + i}`,
  }));
  const keyfile = {...sampleKeyfile(), keys: many as Keyfile['keys']};
  await createKeyfile(path, keyfile, recipientEncryption(ALICE.recipient));
  return path;
}

/** Compiles the child once: it starts in half the time that a transpiler at run time takes. */
function compiledChild(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyfile-child-'));
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      rootDir: ROOT,
      outDir: join(folder, 'out'),
      declaration: false,
      sourceMap: false,
    },
    include: [],
    files: [CHILD],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  mkdirSync(join(folder, 'out'));
  const imports = {'#platform': './src/platform/node/platform.js'};
  writeFileSync(join(folder, 'out/package.json'), JSON.stringify({type: 'module', imports}));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const {status, stdout} = spawnSync(process.execPath, [tsc, '-p', folder], {encoding: 'utf8'});
  expect(stdout).toBe('');
  expect(status).toBe(0);
  return join(folder, 'out/test/keyfile/save-child.js');
}
