import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {type Fence, fencesOf} from './fences.js';
import {HAND_WRITTEN, SUITE_PAGES} from './guides.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (page: string) => readFileSync(path.join(root, page), 'utf8');

const PAGES = readdirSync(path.join(root, 'docs'), {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.posix.join('docs', ...name.split(path.sep)));

/** Whether a test runs the block, or a transcript of its page does. */
function isRun(page: string, {language, file}: Fence): boolean {
  if (language === 'console') return true;
  if (language === 'ts') return SUITE_PAGES.includes(page);
  const transcripts = fencesOf(read(page)).filter((fence) => fence.language === 'console');
  return file !== undefined && transcripts.some(({text}) => text.includes(file));
}

const {commands} = JSON.parse(read('oclif.manifest.json'));
const FLAGS = new Set(
  Object.values<{flags: Record<string, {allowNo?: boolean}>}>(commands).flatMap(({flags}) =>
    Object.entries(flags).flatMap(([name, {allowNo}]) => (allowNo ? [name, `no-${name}`] : [name])),
  ),
);
/** Flags of other programs, of which the pages speak. */
const FOREIGN = ['--save-dev', '--global'];

/** Flags in the running text of a page that no command has. */
function unknownFlags(page: string): string[] {
  const text = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  const named = [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name);
  return named.filter((name) => !FLAGS.has(name) && !FOREIGN.includes(`--${name}`));
}

/** The pages of docs that a page links to. */
function linksOf(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([\w./-]+\.md)/g)].map(([, target = '']) => target);
  return targets.map((target) => path.posix.join(path.posix.dirname(page), target));
}

function reachableFrom(page: string): Set<string> {
  const found = new Set([page]);
  for (const reached of found) {
    for (const link of linksOf(reached)) if (PAGES.includes(link)) found.add(link);
  }
  return found;
}

/** Languages of the examples that no test runs, as their pages say. */
const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  'docs/test-suites.md': ['csharp', 'yaml'],
  'docs/run-as-a-service.md': ['ini'],
  // newman is no part of the tools of the project.
  'docs/sign-and-send.md': ['sh'],
};

describe('the guides', () => {
  it('that have transcripts are all run', () => {
    const withTranscripts = PAGES.filter((page) => read(page).includes('\n```console\n'));
    expect(withTranscripts.filter((page) => !HAND_WRITTEN.includes(page))).toEqual([]);
  });

  it.each(HAND_WRITTEN)('%s: every block is run', (page) => {
    const shown = fencesOf(read(page)).filter((fence) => !isRun(page, fence));
    const setUp = page === 'README.md' ? ['sh', 'sh'] : [];
    const notRun = NOT_RUN[page] ?? [];
    expect(shown.map(({language}) => language)).toEqual([...setUp, ...notRun]);
  });

  it.each(HAND_WRITTEN)('%s: every flag in its text exists', (page) => {
    expect(unknownFlags(page)).toEqual([]);
  });

  it('say which example is not run', () => {
    const [, words = ''] = /\n### C#\n\n(.*)\n/.exec(read('docs/test-suites.md')) ?? [];
    expect(words).toContain('the tests of paylens do not run');
  });

  it('and all other pages are reached from the index', () => {
    // The package has no page for contributors.
    const reached = new Set([...reachableFrom('docs/README.md'), ...linksOf('CONTRIBUTING.md')]);
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
    expect(linksOf('README.md')).toContain('docs/README.md');
  });
});
