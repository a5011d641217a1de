// Removes the declarations that no importer of the package can reach.
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)['"](\.[^'"]+)\.js['"]/g;

/** Keeps only those declarations in `folder` that are reachable from its files `entries`. */
export function keepDeclarations(folder, entries) {
  const reached = new Set();
  for (const entry of entries) reach(path.join(folder, entry), reached);
  readdirSync(folder, {recursive: true})
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => path.join(folder, file))
    .filter((file) => !reached.has(file))
    .forEach((file) => {
      rmSync(file);
    });
}

function reach(file, reached) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    reach(path.join(path.dirname(file), `${target}.d.ts`), reached);
  }
}
