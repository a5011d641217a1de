// Checks the house rules that a table of layers (.dependency-cruiser.mjs) cannot express: what the
// engine must not use, that only one module writes to the terminal, the size of folders, and that
// no tiny file exists for just one neighbour. Prints every violation with its file or folder and
// then exits with code 1.
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** Largest number of files directly in a folder. */
const MOST_FILES = {src: 20, scripts: 20, test: 30};

const IMPURE =
  /\b(?:process|performance|setTimeout|setInterval|setImmediate|fetch)\b\s*[.(]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(?:Bytes|Int|UUID|FillSync)\b/g;

const OUTPUT_MODULE = 'src/cli/output/output.ts';
const TERMINAL = /\bconsole\s*\.|\bprocess\.(?:stdout|stderr)\b/g;

/** Lines of code below which a file used by only one neighbour belongs in that neighbour. */
const LEAST_LINES = 20;
/** An import or re-export of values, or a dynamic import, which justifies a separate file. */
const OF_VALUES =
  /^(?:import|export) (?!type\b)[^;]*?\bfrom '(\.[^']+)\.js'|\bimport\(\s*'(\.[^']+)\.js'/gm;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g;

/** Every violation below `root`, as lines for people. */
function breaches(root) {
  const sources = filesBelow(root, 'src').filter((file) => /\.tsx?$/.test(file));
  return [
    ...sources.flatMap((file) => codeBreaches(root, file)),
    ...slivers(root, sources),
    ...crowdedFolders(root),
  ];
}

function filesBelow(root, folder) {
  return readdirSync(path.join(root, folder), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.includes('/node_modules/'))
    .sort();
}

function codeBreaches(root, file) {
  const code = codeOf(root, file);
  return [...purityBreaches(file, code), ...terminalBreaches(file, code)].map(
    (breach) => `${file}: ${breach}`,
  );
}

/** The text of a file without its comments. */
function codeOf(root, file) {
  const code = readFileSync(path.join(root, file), 'utf8');
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'])\/\/.*$/gm, '$1');
}

/** Packages that run everywhere and do what no code of ours should: a parser of XML. */
const ENGINE_PACKAGES = new Set(['saxes']);

function purityBreaches(file, code) {
  if (!file.startsWith('src/engine/')) return [];
  const modules = [...code.matchAll(IMPORT)]
    .map((match) => match[1])
    .filter((name) => !name.startsWith('.') && !ENGINE_PACKAGES.has(name))
    .map((name) => `the engine must not import ${name}`);
  const globals = [...code.matchAll(IMPURE)].map((match) => `the engine is pure: ${match[0]}`);
  return [...modules, ...globals];
}

function terminalBreaches(file, code) {
  if (file === OUTPUT_MODULE) return [];
  return [...code.matchAll(TERMINAL)].map(
    (match) => `only ${OUTPUT_MODULE} writes to the terminal: ${match[0]}`,
  );
}

function slivers(root, sources) {
  const codes = new Map(sources.map((file) => [file, codeOf(root, file)]));
  const imports = [...codes].flatMap(([file, code]) => importsOf(file, code, codes));
  return sources.flatMap((file) => {
    const lines = codes
      .get(file)
      .split('\n')
      .filter((line) => line.trim() !== '').length;
    const [only, ...others] = imports.filter(({target}) => target === file);
    if (lines >= LEAST_LINES || only === undefined || others.length > 0 || only.isLate) return [];
    if (path.posix.dirname(only.file) !== path.posix.dirname(file)) return [];
    return [`${file}: ${lines} lines of code for ${only.file} alone: it belongs there`];
  });
}

/** The files from which a file imports values. */
function importsOf(file, code, codes) {
  return [...code.matchAll(OF_VALUES)].map(([, now, late]) => {
    const target = path.posix.join(path.posix.dirname(file), now ?? late);
    return {
      file,
      target: codes.has(`${target}.tsx`) ? `${target}.tsx` : `${target}.ts`,
      isLate: late !== undefined,
    };
  });
}

function crowdedFolders(root) {
  return Object.entries(MOST_FILES).flatMap(([top, most]) => {
    const counts = new Map();
    for (const file of filesBelow(root, top)) {
      const folder = path.posix.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    return [...counts]
      .filter(([, count]) => count > most)
      .map(([folder, count]) => `${folder}: expected at most ${most} files, found ${count}`);
  });
}

const found = breaches(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)));
for (const breach of found) console.error(breach);
if (found.length > 0) process.exit(1);
console.log('house: every folder and file of src, scripts and test keeps the rules');
