// Gives the engine its constants back after esbuild has turned them into variables: V8 loads a
// variable of a module anew at each use, and the tables of the ciphers then have 60 % of their speed.
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/** What esbuild writes of one module of the engine: its name, then lines up to the next name. */
const ENGINE_MODULE = /^\/\/ src\/engine\/.*\n(?:(?!\/\/ |export \{).*\n)*/gm;

/** Makes constants of the engine's variables that keep their first value, in every file of `dist`. */
export function restoreConstants(dist) {
  for (const name of readdirSync(dist, {recursive: true}).filter((each) => each.endsWith('.js'))) {
    const file = path.join(dist, name);
    const text = readFileSync(file, 'utf8');
    const restored = text.replaceAll(ENGINE_MODULE, (module) =>
      module.replaceAll(/^var (?=([\w$]+) = )/gm, (found, variable) =>
        isAssigned(variable, text) ? found : 'const ',
      ),
    );
    if (restored !== text) writeFileSync(file, restored);
  }
}

/** Whether a variable of a module gets another value than its first. */
function isAssigned(variable, text) {
  const name = variable.replaceAll('$', '\\$');
  const change = `(?:\\+\\+|--|(?:[-+*/%&|^]|<<|>>>?|\\*\\*|&&|\\|\\||\\?\\?)?=(?![=>]))`;
  return new RegExp(`(?<![\\w$.]|var )${name}\\s*${change}|(?:\\+\\+|--)${name}\\b`).test(text);
}
