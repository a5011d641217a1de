import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';

const page = readFileSync('docs/architecture.md', 'utf8');
const layers = readFileSync('.dependency-cruiser.mjs', 'utf8');

/** The part of the page below a heading. */
function below(heading: string): string {
  return page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

describe('docs/architecture.md', () => {
  const floors = /const FLOORS = \{\n(.*?)\n\};/s.exec(layers)?.[1] ?? '';
  const names = [...floors.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);

  it.each([...names, 'cli', 'commands'])('has the layer %s', (name) => {
    expect(below('Layers')).toContain(`| \`${name}\` |`);
  });

  const rows = below('Where is ...')
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('](../src'));

  it('says where at least twelve things are', () => {
    expect(rows.length).toBeGreaterThanOrEqual(12);
  });

  it.each(rows)('names what the files contain: %s', (row) => {
    const files = [...row.matchAll(/\]\(\.\.\/(src\/[^)]+)\)/g)].map(([, file = '']) => file);
    const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const [, where = ''] = row.slice(2).split(' | ');
    for (const [, name = ''] of where.matchAll(/`(#?[a-z]+[A-Z]\w+|#\w+)`/g)) {
      expect(text).toContain(name);
    }
  });

  const paths = [...below('Where to add ...').matchAll(/`((?:src|test)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/[A-Z]{4}/.test(path));

  it.each([...new Set(paths)])('names a path that exists: %s', (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it.each([
    ['FREE', 'test/simulator/every-setting.test.ts'],
    ['FROZEN', 'test/contract/error-catalogue.test.ts'],
    ['DEVIATIONS', 'test/conformance/deviations.ts'],
    ['isGiven', 'src/conformance/run-scenarios.ts'],
    ['AUTH_METHODS', 'src/contract/auth-method.ts'],
    ['FURTHER', 'src/engine/families/registry.ts'],
  ])('names %s, which is in %s', (name, file) => {
    expect(below('Where to add ...')).toContain(`\`${name}\``);
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
