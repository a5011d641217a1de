// Bundles modules for every runtime without Node: browsers, Deno, workers at the edge.
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {rolldown} from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles `input`, paths below the root by the names of the files that they become, into the folder
 * `dir` with the neutral platform. What several of them share goes into chunks, so that there is one
 * copy of each module. Nothing but files of the bundle is imported by it: anything else, a module of
 * Node above all, is an error. `plugins` are rolldown's, `define` has constants by name. Returns the
 * output of rolldown.
 */
export async function bundleNeutral({input, dir, plugins = [], define = {}}) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'browser',
    resolve: {conditionNames: ['import']},
    transform: {target: 'es2022', define},
    experimental: {nativeMagicString: true},
    plugins,
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const {output} = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Some file systems are not case-sensitive.
    hashCharacters: 'base36',
    comments: {legal: true, annotation: true, jsdoc: false},
    minify: true,
  });
  await build.close();
  assertOwnFiles(output);
  return output;
}

/** The bundled files of an output, as paths below the root. */
export function bundledFiles(output) {
  const ids = output.flatMap(({moduleIds = []}) => moduleIds).filter(path.isAbsolute);
  return ids.map((file) => path.relative(root, file));
}

/** Throws if a file of `output` imports anything but its files and `allowed`. */
export function assertOwnFiles(output, allowed = []) {
  const own = new Set([...output.map(({fileName}) => fileName), ...allowed]);
  for (const {fileName, imports = [], dynamicImports = []} of output) {
    const foreign = [...imports, ...dynamicImports].filter((name) => !own.has(name));
    if (foreign.length > 0) throw new Error(`${fileName} imports ${foreign}`);
  }
}
