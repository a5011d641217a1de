// Lets the modules of oclif load each other where they use each other, not at their beginning: a
// command needs few of them. What they hardly ever need is not joined either, but loaded from
// oclif's own dependencies.
import {readFileSync} from 'node:fs';

/** What the TypeScript compiler writes for an import: a name, and what it stands for. */
const REQUIRED = /^const (\w+_\d+) = ((?:__importDefault\()?require\("([^"]+)"\)\)?);\n/gm;

/** Packages for help texts, plugins without a manifest, and a spinner. */
const RARE = ['cli-spinners', 'ejs', 'lilconfig', 'minimatch', 'tinyglobby'];

/** The plugin of esbuild; chunks need `FROM_OCLIF`. */
export const lazyRequires = {
  name: 'lazy-requires',
  setup(build) {
    build.onLoad({filter: /node_modules[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/}, ({path}) => ({
      contents: inlineRequires(readFileSync(path, 'utf8')),
    }));
  },
};

/** Loads a dependency of oclif, wherever it was installed. */
export const FROM_OCLIF =
  "const fromOclif = (name) => createRequire(require.resolve('@oclif/core'))(name);";

/** The text of a CommonJS module with every `require` at the places where its module is used. */
export function inlineRequires(text) {
  let inlined = text.replaceAll(REQUIRED, '');
  for (const [, name, expression, specifier] of text.matchAll(REQUIRED)) {
    const loaded = RARE.includes(specifier)
      ? expression.replace('require(', 'fromOclif(')
      : expression;
    inlined = inlined.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `(${loaded})`);
  }
  return inlined;
}
