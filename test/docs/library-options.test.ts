import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import * as library from '../../src/index.js';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const page = read('docs/library.md');
/** The public types, as they are compiled: one member in a line. */
const types = read('scripts/checks/public-types.api.md');

/** The interfaces with the options of each row of the table. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  decrypt: ['DecryptOptions'],
  inspect: ['InspectOptions'],
  recognise: ['TerminalOptions'],
  diagnose: ['DiagnoseCase', 'DiagnoseOptions'],
  explain: ['ExplainOptions'],
  deriveKeys: ['DeriveOptions'],
  simulate: ['SimulateOptions'],
  signRequest: ['SignOptions'],
  verifyRequest: ['VerifyOptions'],
  wrapKeyBlock: ['WrapOptions'],
};

/** The members of an interface and of those that it extends. */
function membersOf(name: string): string[] {
  const [, head = '', body = ''] =
    new RegExp(`^interface ${name}( extends [^{]*)? \\{\\n(.*?)^\\}$`, 'ms').exec(types) ?? [];
  const bases = head.match(/\b[A-Z]\w*Options\b/g) ?? [];
  const own = [...body.matchAll(/^ {4}readonly (\w+)\??: /gm)].map(([, member = '']) => member);
  return [...own, ...bases.flatMap(membersOf)];
}

describe('the options in docs/library.md', () => {
  it.each(Object.entries(ROWS))('name each member of %s', (name, interfaces) => {
    const row = page
      .split('\n')
      .find((line) => /^\| `\w+`/.test(line) && line.includes(`\`${name}\` |`));
    const members = interfaces.flatMap(membersOf);
    expect(members.length).toBeGreaterThan(0);
    for (const member of members) expect(row).toContain(`\`${member}`);
  });
});

it('docs/library.md names every export', () => {
  for (const name of Object.keys(library)) expect(page).toMatch(new RegExp(`\\b${name}\\b`));
});

it('docs/library.md names every family of small bundles', () => {
  const devices = new URL('../../src/engine/families/', import.meta.url);
  const families = readdirSync(devices).filter((name) =>
    existsSync(new URL(`${name}/terminal.ts`, devices)),
  );
  const [, list = ''] = /^(The families are .*|.*The families are .*)$/m.exec(page) ?? [];
  for (const family of families) expect(list).toContain(`\`${family}\``);
});

it('docs/test-suites.md names every option of startServer', () => {
  const line = read('docs/test-suites.md')
    .split('\n')
    .find((one) => one.startsWith('The options of `startServer`'));
  const members = membersOf('StartServerOptions');
  expect(members.length).toBeGreaterThan(10);
  for (const member of members) expect(line).toContain(`\`${member}\``);
});
