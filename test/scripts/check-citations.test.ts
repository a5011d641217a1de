import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Apart, so that the check does not read what is planted here as a citation of this file. */
const MD = '.md';
const FORMAT = `docs/formats/x${MD}`;
const PAGE = '# X\n\n## Encrypted `tags`\n\n```\n# no heading\n```\n\n## Twice\n\n## Twice\n';

/** A tree with one page of formats and one more file; what the check says of it. */
async function checkTree(file: string, text: string) {
  const folder = tempFolder();
  const planted = {[FORMAT]: PAGE, [file]: text};
  for (const [name, content] of Object.entries(planted)) {
    mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    writeFileSync(path.join(folder, name), content);
  }
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
    ['a page that is not there', comment(`See docs/y${MD}#x.`), 'which is not there'],
    ['a heading that is not there', comment(`See ${FORMAT}#nothing.`), 'no heading #nothing'],
    ['a heading in a code block', comment(`See ${FORMAT}#no-heading.`), 'no heading #no-heading'],
    ['a third heading of two', comment(`See ${FORMAT}#twice-2.`), 'no heading #twice-2'],
    ['a format without a heading', comment(`See ${FORMAT}.`), 'cite a heading of'],
    ['a section by its number', comment(`See ${FORMAT}#twice, ${FORMAT}, section 2.`), 'number'],
    ['formats without a page', comment('Tags (formats, section 2).'), '(formats, section 2)'],
    ['a contract without a page', comment('It (contract, HTTP) is so.'), '(contract, HTTP)'],
    ['one that is broken in two', comment('It (contract,\n * HTTP) is so.'), '(contract, HTTP)'],
    ['a clause in a string', `\nconst clause = 'contract${MD}, section 1';\n`, 'contract'],
  ])('refuses %s', async (_, code, said) => {
    const {exitCode, stderr} = await checkTree('src/a.ts', code);
    expect({exitCode, said: stderr.split('\n')[0]}).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^src\/a\.ts:2: /),
    });
    expect(stderr).toContain(said);
  });

  it.each([
    ['a link to a page that is not there', `[x](y${MD})`, 'names docs/y'],
    ['a link to a source that is not there', '[x](../src/a.ts)', 'names src/a.ts'],
    ['a link to a heading that is not there', `[x](formats/x${MD}#y)`, 'no heading #y'],
    ['a link to a heading of its own', '[x](#y)', 'no heading #y'],
    ['a link by reference', `[x][y]\n\n[y]: y${MD}`, 'names docs/y'],
    ['a link in HTML', `<a href="y${MD}">x</a>`, 'names docs/y'],
    ['an image that is not there', '![x](x.png)', 'names docs/x.png'],
    ['a link with a title', '[x](x.png "X")', 'cannot follow the link'],
    ['a page named in words', `See \`y${MD}\`.`, 'which is not there'],
    ['a contract without a page', 'It is so (contract, HTTP).', '(contract, HTTP)'],
  ])('refuses in a page %s', async (_, text, said) => {
    const {exitCode, stderr} = await checkTree(`docs/page${MD}`, text);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(said);
  });

  it.each([
    ['a heading', comment(`See ${FORMAT}#encrypted-tags.`)],
    ['the second of two headings', comment(`See ${FORMAT}#twice-1.`)],
    ['a citation with its page', comment(`(formats, ${FORMAT}#twice)`)],
    ['a page elsewhere', comment(`See https://example.com/y${MD}.`)],
    ['code that calls something formats', '\nfit(formats, (at) => at);\n'],
  ])('accepts %s', async (_, code) => {
    expect((await checkTree('src/a.ts', code)).stderr).toBe('');
  });

  it.each([
    ['links to pages and headings', `[x](formats/x${MD}#twice) [y](#z)\n\n## Z\n`],
    ['addresses', '[x](https://example.com/x.png) [y](mailto:a@example.com)'],
    ['brackets in code', '`f[0](1)`\n\n```\nf[0](1)\n```\n'],
  ])('accepts in a page %s', async (_, text) => {
    expect((await checkTree(`docs/page${MD}`, text)).stderr).toBe('');
  });

  it.each(['test/fixtures/a.ts', 'node_modules/a/a.ts', 'dist/a.js', '.cache/a.ts'])(
    'leaves %s alone',
    async (file) => {
      expect((await checkTree(file, comment(`See y${MD}.`))).stderr).toBe('');
    },
  );
});
