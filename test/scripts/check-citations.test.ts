import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Apart, so that the check does not read what is planted here as a citation of this file. */
const MD = '.md';
const FORMAT = `docs/terminals/x${MD}`;
const PAGE = '# X\n\n## Encrypted `tags`\n\n```\n# no heading\n```\n\n## Twice\n\n## Twice\n';

/** A tree with one page of formats and one more file; what the check says of it. */
async function checkTree(file: string, text: string) {
  const folder = tempFolder();
  const planted = {[FORMAT]: PAGE, [file]: text};
  for (const [name, content] of Object.entries(planted)) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    writeFileSync(path.join(folder, name), content);
  }
  await execa('git', ['init', '-q'], {cwd: folder});
  return check(folder);
}

function check(folder: string) {
  const script = path.join(root, 'scripts/checks/check-citations.mjs');
  return execa(process.execPath, [script, folder], {reject: false});
}

const comment = (text: string) => `\n/** ${text} */\n`;

describe('check-citations', () => {
  it('passes on this project', async () => {
    expect((await check(root)).stderr).toBe('');
  });

  it.each([
    ['a page that is not there', comment(`See docs/y${MD}#x.`), 'is not there'],
    ['a heading that is not there', comment(`See ${FORMAT}#nothing.`), 'has no such heading'],
    ['a heading in a code block', comment(`See ${FORMAT}#no-heading.`), 'has no such heading'],
    ['a third heading of two', comment(`See ${FORMAT}#twice-2.`), 'has no such heading'],
    ['a format without a heading', comment(`See ${FORMAT}.`), 'needs a heading'],
  ])('refuses %s', async (_, code, message) => {
    const {exitCode, stderr} = await checkTree('src/a.ts', code);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^src\/a\.ts:2: /);
    expect(stderr).toContain(message);
  });

  it.each([
    ['a heading', comment(`See ${FORMAT}#encrypted-tags.`)],
    ['the second of two headings', comment(`See ${FORMAT}#twice-1.`)],
    ['a page elsewhere', comment(`See https://example.com/y${MD}.`)],
  ])('accepts %s', async (_, code) => {
    expect((await checkTree('src/a.ts', code)).stderr).toBe('');
  });
});
