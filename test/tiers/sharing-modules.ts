import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import type {TestProjectConfiguration} from 'vitest/config';
import everything from '../../vitest.config.js';

/** Every test file. */
export const FILES = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => path.posix.join('test', ...file.split(path.sep)));

/** Files that replace modules, and those that measure: what another file left would count. */
const ALONE = FILES.filter(
  (file) => file.startsWith('test/sweep/') || readFileSync(file, 'utf8').includes('vi.mock('),
);

/**
 * The projects of the test files that `isOfTier` picks. They share their modules, which saves a third
 * of the time, except those that have to be alone.
 */
export function sharingModules(
  name: string,
  isOfTier: (file: string) => boolean,
): TestProjectConfiguration[] {
  const files = FILES.filter(isOfTier);
  return [
    project(name, {include: files.filter((file) => !ALONE.includes(file)), isolate: false}),
    project('alone', {include: files.filter((file) => ALONE.includes(file))}),
  ];
}

function project(name: string, options: object): TestProjectConfiguration {
  return {test: {...everything.test, name, ...options}};
}
