// Checks the rules that a table of layers (.dependency-cruiser.mjs) cannot express: what the engine
// must not use, that only one module writes to the terminal, the size of folders, and that no tiny
// file exists for just one neighbour. Prints every violation with its file or folder and then exits
// with code 1.
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** Largest number of files directly in a folder. */
const MAX_FILES = {src: 20, scripts: 20, test: 30};
/** Lines of code below which a file used by only one neighbour belongs in that neighbour. */
const MIN_LINES = 20;
const OUTPUT = 'src/cli/output/output.ts';

/** What the code of some files must not contain; saxen, a parser of XML, runs everywhere. */
const RULES = [
  [
    /^src\/engine\//,
    /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)'(?!\.|saxen')[^']+'/g,
    'the engine must not import',
  ],
  [
    /^src\/engine\//,
    /\b(?:process|performance|setTimeout|setInterval|setImmediate|fetch)\b\s*[.(]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(?:Bytes|Int|UUID|FillSync)\b/g,
    'the engine is pure:',
  ],
  [
    new RegExp(`^(?!${OUTPUT})`),
    /\bconsole\s*\.|\bprocess\.(?:stdout|stderr)\b/g,
    `only ${OUTPUT} writes to the terminal:`,
  ],
  [
    /^src\//,
    /\bprocess\.execPath\b|\bfork\(/g,
    'in the single file, the program that runs is paylens, and not Node.js:',
  ],
];
/** An import or re-export of values, or a dynamic import, which justifies a separate file. */
const VALUE_IMPORT =
  /^(?:import|export) (?!type\b)[^;]*?\bfrom '(\.[^']+)\.js'|\bimport\(\s*'(\.[^']+)\.js'/gm;

const root = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url));
const codes = new Map(
  filesBelow('src')
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, codeOf(file)]),
);
const faults = [...[...codes].flatMap(ruleFaults), ...tinyFiles(), ...crowdedFolders()];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log('house: every folder and file of src, scripts and test keeps the rules');

function filesBelow(folder) {
  return readdirSync(path.join(root, folder), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

/** The text of a file without its comments. */
function codeOf(file) {
  const code = readFileSync(path.join(root, file), 'utf8');
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'])\/\/.*$/gm, '$1');
}

function ruleFaults([file, code]) {
  return RULES.filter(([place]) => place.test(file)).flatMap(([, pattern, rule]) =>
    [...code.matchAll(pattern)].map(([found]) => `${file}: ${rule} ${found}`),
  );
}

function tinyFiles() {
  const imports = [...codes].flatMap(([file, code]) =>
    [...code.matchAll(VALUE_IMPORT)].map(([, now, late]) => {
      const target = path.posix.join(path.posix.dirname(file), now ?? late);
      return {file, target: codes.has(`${target}.tsx`) ? `${target}.tsx` : `${target}.ts`, late};
    }),
  );
  return [...codes].flatMap(([file, code]) => {
    const lines = code.split('\n').filter((line) => line.trim() !== '').length;
    const [only, ...others] = imports.filter(({target}) => target === file);
    if (lines >= MIN_LINES || !only || others.length > 0 || only.late !== undefined) return [];
    if (path.posix.dirname(only.file) !== path.posix.dirname(file)) return [];
    return [`${file}: ${lines} lines of code for ${only.file} alone: it belongs there`];
  });
}

function crowdedFolders() {
  return Object.entries(MAX_FILES).flatMap(([top, limit]) => {
    const counts = new Map();
    for (const folder of filesBelow(top).map(path.posix.dirname))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    return [...counts]
      .filter(([, count]) => count > limit)
      .map(([folder, count]) => `${folder}: expected at most ${limit} files, found ${count}`);
  });
}
