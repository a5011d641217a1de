import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {HELP_TOPICS} from '../../src/cli/help-topics.js';
import {ERROR_CATALOGUE} from '../../src/contract/error-catalogue.js';

const rowsOf = (name: string) => HELP_TOPICS.get(name)?.rows ?? [];
const termsOf = (name: string) => rowsOf(name).map(([term]) => term);

describe('the help topic', () => {
  it('of exit codes has those of all errors, in the words of the guide', () => {
    const codes = Object.values(ERROR_CATALOGUE).map(({exit}) => String(exit));
    expect(termsOf('exit-codes')).toEqual(expect.arrayContaining(codes));
    const guide = readFileSync('docs/scripting.md', 'utf8');
    const table = [...guide.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, ...cells]) => cells);
    expect(rowsOf('exit-codes')).toEqual(table);
  });

  it('of variables has all that the program reads, but those that every system sets', () => {
    const sources = readdirSync('src', {recursive: true, encoding: 'utf8'})
      .filter((file) => /^(?:cli|commands|keyfile)\/.*\.ts$/.test(file))
      .map((file) => readFileSync(`src/${file}`, 'utf8'));
    const names = sources.join('\n').matchAll(/\benv\.([A-Z_]{3,})|'(PAYLENS_[A-Z_]+)'/g);
    const read = new Set([...names].map(([, dotted, quoted]) => dotted ?? quoted));
    for (const name of ['APPDATA', 'HOME', 'USERPROFILE']) read.delete(name);
    // Node and undici read these.
    const page = readFileSync('docs/sign-and-send.md', 'utf8');
    for (const [, name = ''] of page.matchAll(/`((?:HTTP|NO|NODE)[A-Z_]+)`/g)) read.add(name);
    expect(read).toContain('NO_PROXY');
    expect(termsOf('variables').toSorted()).toEqual([...read].toSorted());
  });
});
