import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of every file of a folder and below whose name ends like this. */
function textsOf(folder: string, end: string): string[] {
  return readdirSync(path.join(ROOT, folder), {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith(end))
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'));
}

/** The names of the constants that hold arrays of numbers. */
const TABLES = textsOf('src/engine/cipher', '.ts').flatMap((text) =>
  [...text.matchAll(/^(?:export )?const (\w+) = (?:new \w+Array|\w+\()/gm)].map(([, name]) => name),
);

describe('the build', () => {
  const built = textsOf('dist', '.js').join('\n');

  it('finds the tables of the ciphers', () => {
    expect(TABLES).toEqual(expect.arrayContaining(['BOX_PAIRS', 'table']));
  });

  // As variables they cost the DES kernel 40 % of its speed.
  it.each(TABLES)('keeps %s constant', (name) => {
    expect(built).toMatch(new RegExp(`^const ${name}(?:\\$\\d+)? = `, 'm'));
    expect(built).not.toMatch(new RegExp(`^(?:var|let) ${name}(?:\\$\\d+)?\\b`, 'm'));
  });
});
