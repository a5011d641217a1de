// Joins what the usual command needs into few chunks. esbuild makes one for each set of entries that
// have a module in common; when every entry needs the modules of all of these, there is one set.
import {readFileSync} from 'node:fs';
import path from 'node:path';

/** The plugin of esbuild: every entry also imports `shared`, but those of `alone`. */
export function shareChunks({root, shared, alone}) {
  const imports = shared.map((file) => `import ${JSON.stringify(path.join(root, file))};`);
  const isAlone = new Set(alone.map((file) => path.join(root, file)));
  const entries = new Set();
  return {
    name: 'share-chunks',
    setup(build) {
      build.onResolve({filter: /\.[jt]s$/}, ({kind, path: file, resolveDir}) => {
        if (kind !== 'entry-point' && kind !== 'dynamic-import') return;
        entries.add(path.resolve(resolveDir, file.replace(/\.js$/, '.ts')));
      });
      build.onLoad({filter: /[\\/]src[\\/].*\.ts$/}, ({path: file}) => {
        if (!entries.has(file) || isAlone.has(file)) return undefined;
        return {contents: `${readFileSync(file, 'utf8')}${imports.join('')}\n`, loader: 'ts'};
      });
    },
  };
}
