import {existsSync, readFileSync} from 'node:fs';

/**
 * The folder of this package, found by its package.json: modules have a different depth in the
 * build than in src.
 */
export function packageRoot(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return folder;
}

/** The version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', packageRoot()), 'utf8');
  return String((JSON.parse(text) as {version: string}).version);
}
