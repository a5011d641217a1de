// The entry points `paylens/terminals/FAMILY`: one for every folder of terminals, made of what its
// terminal.ts exports, so that a new family needs no line here.
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const devices = path.join(source, 'engine/families');

/** Marks the module that is made for a family. */
const MADE = '\0family:';
/** A terminal with the comment above it. */
const TERMINAL = /(\/\*\*(?:(?!\*\/).)*\*\/\n)export const (\w+) = \{\n {2}type: /gs;

/** The folders of terminals, sorted. */
export function families() {
  return readdirSync(devices)
    .filter((name) => existsSync(path.join(devices, name, 'terminal.ts')))
    .sort();
}

/** The input for rolldown: the entry points by the names of their files. */
export function terminalInput() {
  return Object.fromEntries(families().map((name) => [`terminals/${name}`, MADE + name]));
}

/** The rolldown plugin that makes the modules of these entry points. */
export const terminalEntries = {
  name: 'terminal-entries',
  resolveId: {filter: {id: new RegExp(`^${MADE}`)}, handler: (id) => id},
  load: {
    filter: {id: new RegExp(`^${MADE}`)},
    handler: (id) => moduleOf(id.slice(MADE.length)),
  },
};

function moduleOf(family) {
  return [
    `import * as forms from ${JSON.stringify(path.join(devices, family, 'terminal.ts'))};`,
    `import {FamilyTerminal} from ${JSON.stringify(path.join(source, 'library/family-terminal.ts'))};`,
    ...terminalsOf(family).map(
      ({name}) => `export const ${name} = /* @__PURE__ */ new FamilyTerminal(forms.${name});`,
    ),
  ].join('\n');
}

/** Writes the declarations of these entry points into the folder `dist`. Returns their paths in it. */
export function declareTerminals(dist) {
  mkdirSync(path.join(dist, 'terminals'), {recursive: true});
  return families().map((family) => {
    const file = `terminals/${family}.d.ts`;
    const lines = terminalsOf(family).map(
      ({name, comment}) => `${comment}export declare const ${name}: FamilyTerminal;\n`,
    );
    const head = "import type {FamilyTerminal} from '../library/family-terminal.js';\n";
    writeFileSync(path.join(dist, file), head + lines.join(''));
    return file;
  });
}

function terminalsOf(family) {
  const text = readFileSync(path.join(devices, family, 'terminal.ts'), 'utf8');
  const found = [...text.matchAll(TERMINAL)].map(([, comment, name]) => ({comment, name}));
  const exported = text.match(/^export const /gm) ?? [];
  if (found.length > 0 && found.length === exported.length) return found;
  throw new Error(`${family}/terminal.ts: expected terminals with a comment above each`);
}
