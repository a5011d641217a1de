import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {IS_LONG} from '../long.js';
import {CHROMIUM} from '../page/browser.js';
import type {Condition} from './bundle.js';
import {type ImportMap, openPage} from './open-page.js';

/** A program that runs JavaScript, and the versions of the platform that it may choose. */
export interface Runtime {
  readonly name: string;
  readonly conditions: readonly Condition[];
  /** Absent where it is not installed. */
  readonly version?: string | undefined;
  /** What a script prints, or posts; a page needs a map of the packages that the script imports. */
  readonly run: (file: string, imports?: ImportMap) => Promise<string>;
}

const BOTH = ['node', 'default'] as const;
/** Plain code runs alike on every engine of one kind: the oldest and the newest are enough for CI. */
const BETWEEN: readonly Condition[] = IS_LONG ? BOTH : ['node'];
const packages = fileURLToPath(
  new URL('../../node_modules/.cache/paylens-runtimes/node_modules', import.meta.url),
);

/** This Node, the runtimes that `npm run install:runtimes` gets, and Chromium. */
export const RUNTIMES: readonly Runtime[] = [
  command('Node', process.execPath, [], BETWEEN),
  ...['20', '22', '24', '26'].map((major) =>
    command(
      `Node ${major}`,
      path.join(packages, `node-${major}/bin/node`),
      [],
      major === '20' || major === '26' ? BOTH : BETWEEN,
    ),
  ),
  command('Bun', path.join(packages, 'bun/bin/bun'), [], BOTH),
  command('Deno', path.join(packages, 'deno/deno'), ['run', '--no-remote'], ['default']),
  chromium(),
];

function command(
  name: string,
  program: string,
  argv: readonly string[],
  conditions: readonly Condition[],
): Runtime {
  return {
    name,
    conditions,
    version: existsSync(program) ? versionOf(program) : undefined,
    run: async (file) => {
      const options = {cwd: path.dirname(file), maxBuffer: 2 ** 26};
      return (await execa(program, [...argv, file], options)).stdout;
    },
  };
}

function chromium(): Runtime {
  return {
    name: 'Chromium',
    conditions: ['default'],
    version: CHROMIUM && versionOf(CHROMIUM),
    run: (file, imports) => openPage(CHROMIUM ?? '', file, imports),
  };
}

function versionOf(program: string): string | undefined {
  const {status, stdout} = spawnSync(program, ['--version'], {encoding: 'utf8'});
  return status === 0 ? stdout.split('\n')[0] : undefined;
}
