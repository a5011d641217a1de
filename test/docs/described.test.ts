import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {LABELS} from '../../src/diagnosis/labels.js';

/** Pages that `npm run docs` makes; other pages have tables between markers. */
const MADE = /^<!-- Made by /;
const TABLES = /<!-- made: [\s\S]*?<!-- end -->/g;
const READ_VARIABLE = /\b(?:process\.env|env)\.([A-Z][A-Z_]+)|'(PAYLENS_[A-Z_]+)'/g;
/** Set by the system or the terminal, not by the user of paylens. */
const OF_SYSTEM = ['APPDATA', 'COLUMNS', 'HOME', 'USERPROFILE'];

function filesBelow(folder: string, form: RegExp): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => form.test(file))
    .map((file) => `${folder}/${file}`);
}

const pages = ['README.md', 'SECURITY.md', ...filesBelow('docs', /\.md$/)];
const guides = pages
  .map((file) => readFileSync(file, 'utf8'))
  .filter((text) => !MADE.test(text))
  .map((text) => text.replace(TABLES, ''))
  .join('\n');

const manifest: {commands: Record<string, {flags: object}>} = JSON.parse(
  readFileSync('oclif.manifest.json', 'utf8'),
);
const flags = Object.values(manifest.commands).flatMap((command) => Object.keys(command.flags));

const sources = filesBelow('src', /\.tsx?$/).map((file) => readFileSync(file, 'utf8'));
const variables = [...sources.join('\n').matchAll(READ_VARIABLE)]
  .map(([, read, named]) => read ?? named ?? '')
  .filter((name) => !OF_SYSTEM.includes(name));

describe('guides written by hand describe', () => {
  it.each([
    ['flag', flags, (name: string) => new RegExp(`--(?:no-)?${name}(?![\\w-])`), 80],
    ['environment variable', variables, (name: string) => new RegExp(`\\b${name}\\b`), 7],
    ['label of diagnose', Object.keys(LABELS), (name: string) => new RegExp(`\`${name}\``), 100],
    ['error code', ERROR_CODES.map(String), (code: string) => new RegExp(`\\b${code}\\b`), 40],
  ])('every %s', (_, names, pattern, least) => {
    const all = [...new Set(names)];
    expect(all.length).toBeGreaterThan(least);
    expect(all.filter((name) => !pattern(name).test(guides))).toEqual([]);
  });
});
