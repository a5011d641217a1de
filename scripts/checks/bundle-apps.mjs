// Bundles what a page loads, as applications do, into files for size-limit (.size-limit.mjs): the
// whole library, and `decrypt` with one terminal or with all. What is loaded later is left out.
import {mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {rolldown} from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = path.join(root, 'node_modules/.cache/paylens-sizes');
const families = readdirSync(path.join(root, 'dist/neutral/terminals')).map((file) =>
  path.basename(file, '.js'),
);

rmSync(work, {recursive: true, force: true});
mkdirSync(path.join(work, 'node_modules'), {recursive: true});
symlinkSync(root, path.join(work, 'node_modules/paylens'));
await bundle('library', ['paylens']);
await bundle('decrypt-all', withTerminals(families));
for (const family of families) await bundle(`decrypt-${family}`, withTerminals([family]));

function withTerminals(names) {
  return ['paylens/decrypt', ...names.map((name) => `paylens/terminals/${name}`)];
}

/** A program that uses all of some modules, with every chunk that it loads at once. */
async function bundle(name, modules) {
  const imports = modules.map((module, i) => `import * as module${i} from '${module}';`);
  const used = modules.map((_, i) => `module${i}`).join(', ');
  const input = path.join(work, 'entry.js');
  writeFileSync(input, `${imports.join('\n')}\nglobalThis.modules = [${used}];`);
  const build = await rolldown({cwd: work, input, platform: 'browser'});
  const {output} = await build.generate({format: 'esm', minify: true});
  await build.close();
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set([output.find(({isEntry}) => isEntry).fileName]);
  // Iterating a set also visits elements added meanwhile.
  for (const file of loaded) for (const one of chunks.get(file).imports) loaded.add(one);
  const code = [...loaded].map((file) => chunks.get(file).code);
  writeFileSync(path.join(work, `${name}.js`), code.join('\n'));
}
