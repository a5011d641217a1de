// Holds the house rule on imports: who may import whom, what the engine must not touch, and that one
// module alone writes to the terminal. Prints every breach with its file and ends with exit code 1.
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/** What a command, and what commands share, may use: they make what the layers below are given. */
const LAYERS = [
  'service',
  'client',
  'conformance',
  'diagnosis',
  'simulator',
  'auth',
  'keyfile',
  'files',
  'engine',
];

/** Which folders of src the files of a folder may import, besides their own, contract and platform. */
const MAY_IMPORT = {
  platform: [],
  contract: [],
  files: [],
  engine: [],
  auth: [],
  keyfile: ['engine', 'files'],
  simulator: ['engine'],
  diagnosis: ['engine'],
  client: ['auth'],
  conformance: ['client', 'simulator'],
  service: ['auth', 'keyfile', 'engine', 'simulator', 'files'],
  cli: LAYERS,
  commands: ['cli', ...LAYERS],
  'index.ts': LAYERS,
  'command-list.ts': ['commands'],
};

/** The only modules of Node the engine may import: it is pure. */
const ENGINE_MODULES = ['node:crypto', 'node:buffer'];
const IMPURE =
  /\b(?:process|performance|setTimeout|setInterval|setImmediate|fetch)\b\s*[.(]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandom(?:Bytes|Int|UUID|FillSync)\b/g;

const OUTPUT_MODULE = 'cli/output/output.ts';
const TERMINAL = /\bconsole\s*\.|\bprocess\.(?:stdout|stderr)\b/g;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g;

/** Every breach in the tree under `src`, as lines for people. */
function breaches(src) {
  return sourceFiles(src).flatMap((file) => {
    const code = withoutComments(readFileSync(path.join(src, file), 'utf8'));
    return [
      ...importBreaches(file, code),
      ...purityBreaches(file, code),
      ...terminalBreaches(file, code),
    ].map((breach) => `src/${file}: ${breach}`);
  });
}

function sourceFiles(src) {
  return readdirSync(src, {recursive: true, encoding: 'utf8'})
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
}

function withoutComments(code) {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'])\/\/.*$/gm, '$1');
}

function importBreaches(file, code) {
  const [folder] = file.split('/');
  const allowed = MAY_IMPORT[folder];
  if (!allowed)
    return [`no rule for the folder ${folder}: add it to scripts/checks/check-imports.mjs`];
  return imported(code)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.join(path.posix.dirname(file), name))
    .filter((target) => ![folder, 'contract', 'platform', ...allowed].includes(folderOf(target)))
    .map((target) => `must not import ${target}`);
}

function folderOf(target) {
  return target.split('/')[0].replace(/\.js$/, '.ts');
}

function imported(code) {
  return [...code.matchAll(IMPORT)].map((match) => match[1]);
}

function purityBreaches(file, code) {
  if (!file.startsWith('engine/')) return [];
  const modules = imported(code)
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

const src = process.argv[2] ?? fileURLToPath(new URL('../../src', import.meta.url));
const found = breaches(src);
for (const breach of found) console.error(breach);
if (found.length > 0) process.exit(1);
console.log(`imports: ${sourceFiles(src).length} files keep the house rule`);
