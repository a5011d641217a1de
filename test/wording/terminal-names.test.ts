import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS} from '../../src/engine/families/registry.js';
import {walk} from './syntax.js';

const ROOT = fileURLToPath(new URL('../../src', import.meta.url));
const NAMES: ReadonlySet<unknown> = new Set(KNOWN_TERMINALS.all.map(({type}) => type));

/** Where a terminal may be named, beside the registry, which imports it. */
const ALLOWED: readonly (readonly [place: string, why: string])[] = [
  ['engine/families/', 'the folder of a family; it names what it borrows, too'],
  ['contract/device-types.ts', 'the types of the interface, which its owner decides'],
  ['conformance/scenarios/', 'requests to any endpoint: a type of the interface as an example'],
];

/** The terminals that a text names in a literal, a member or a key. */
function namesIn(code: string): string[] {
  const found: string[] = [];
  walk(code, ({type, value, key, property}) => {
    const text = type === 'Literal' ? value : (key ?? property)?.name;
    if (NAMES.has(text)) found.push(String(text));
  });
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

describe('the name of a terminal', () => {
  const named = filesBelow(ROOT)
    .map((file) => [file, namesIn(readFileSync(path.join(ROOT, file), 'utf8'))] as const)
    .filter(([, names]) => names.length > 0);

  it('stands in no other file: a new one needs no line there', () => {
    const strangers = named.filter(([file]) => !ALLOWED.some(([place]) => file.startsWith(place)));
    expect(strangers).toEqual([]);
  });

  it.each(ALLOWED)('stands where it may: %s, %s', (place) => {
    expect(named.some(([file]) => file.startsWith(place))).toBe(true);
  });

  it.each([
    ['a comparison', `if (type === 'magtek') stop();`],
    ['a table', `const FRAMED = {idtech: /^02/, 'ingenico-rba': /^3/};`],
    ['a set', `new Set(['prima']);`],
    ['an argument', `readAs('idtech', form);`],
  ])('is found in %s', (_, code) => {
    expect(namesIn(code)).not.toEqual([]);
  });

  it('is not looked for in types and imports', () => {
    expect(namesIn(`import {idtech} from './idtech.js'; let type: 'idtech';`)).toEqual([]);
  });
});
