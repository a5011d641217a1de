// Removes declarations that no importer of the package can reach, and makes the others
// self-contained.
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)['"](\.[^'"]+)\.js['"]/g;

/**
 * The types of the platform: the neutral ones need no others. `#platform` leads to the sources, which
 * are not in the package.
 */
const PLATFORM = 'platform/neutral/platform';

/** Keeps only those declarations in `folder` that are reachable from its files `entries`. */
export function keepDeclarations(folder, entries) {
  spellOutPlatform(folder);
  const reached = new Set();
  for (const entry of entries) reach(path.join(folder, entry), reached);
  for (const file of declarations(folder)) if (!reached.has(file)) rmSync(file);
}

function spellOutPlatform(folder) {
  for (const file of declarations(folder)) {
    const target = path.relative(path.dirname(file), path.join(folder, PLATFORM));
    const specifier = `./${target.split(path.sep).join('/')}.js`;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/(['"])#platform\1/g, `'${specifier}'`));
  }
}

function declarations(folder) {
  return readdirSync(folder, {recursive: true})
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => path.join(folder, file));
}

function reach(file, reached) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    reach(path.join(path.dirname(file), `${target}.d.ts`), reached);
  }
}
