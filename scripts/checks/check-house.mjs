// Holds the house rules that a table of layers (.dependency-cruiser.mjs) cannot say: what the engine
// must not touch, that one module alone writes to the terminal, and that no folder grows into a heap.
// Prints every breach with its file or folder and ends with exit code 1.
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** Most files that a folder holds directly. */
const MOST_FILES = {src: 20, scripts: 20, test: 30};

/** The only modules of Node the engine may import: it is pure. */
const ENGINE_MODULES = ['node:crypto', 'node:buffer'];
const IMPURE =
  /\b(?:process|performance|setTimeout|setInterval|setImmediate|fetch)\b\s*[.(]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(?:Bytes|Int|UUID|FillSync)\b/g;

const OUTPUT_MODULE = 'src/cli/output/output.ts';
const TERMINAL = /\bconsole\s*\.|\bprocess\.(?:stdout|stderr)\b/g;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g;

/** Every breach below `root`, as lines for people. */
function breaches(root) {
  const sources = filesBelow(root, 'src').filter((file) => file.endsWith('.ts'));
  return [...sources.flatMap((file) => codeBreaches(root, file)), ...crowdedFolders(root)];
}

function filesBelow(root, folder) {
  return readdirSync(path.join(root, folder), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

function codeBreaches(root, file) {
  const code = withoutComments(readFileSync(path.join(root, file), 'utf8'));
  return [...purityBreaches(file, code), ...terminalBreaches(file, code)].map(
    (breach) => `${file}: ${breach}`,
  );
}

function withoutComments(code) {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'])\/\/.*$/gm, '$1');
}

function purityBreaches(file, code) {
  if (!file.startsWith('src/engine/')) return [];
  const modules = [...code.matchAll(IMPORT)]
    .map((match) => match[1])
    .filter((name) => !name.startsWith('.') && !ENGINE_MODULES.includes(name))
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
