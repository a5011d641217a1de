// Builds dist from nothing, so that no file of an older build is ever shipped: the compiler checks
// the types and writes the declarations, rolldown joins the modules, since starting a command is
// mostly opening files.
import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {rolldown} from 'rolldown';
import {joinedLicences} from './joined-licences.mjs';
import {keepDeclarations} from './keep-declarations.mjs';
import {lazyRequires, rarePackages} from './lazy-requires.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = path.join(root, 'dist');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

/** A dependency since the plugins run on it; joined with ours all the same, like what is none. */
const JOINED = ['@oclif/core'];

/** Started or imported without a command line, which must not be loaded with them. */
const WITHOUT_COMMANDS = [
  'index.ts',
  'cli/batch/worker.ts',
  'cli/diagnosis/worker.ts',
  'cli/serve/worker.ts',
];
/** What the usual command needs. */
const USUAL = ['cli/start.ts', 'commands/decrypt.ts'];

const EXTERNAL = external();

rmSync(dist, {recursive: true, force: true});
declare();
writeFileSync(path.join(dist, 'LICENSES.txt'), joinedLicences(root, await bundle()));
keepDeclarations(dist, 'index.d.ts');

function declare() {
  const argv = [tsc, '-p', 'tsconfig.json', '--emitDeclarationOnly', '--declarationMap', 'false'];
  const {status} = spawnSync(process.execPath, argv, {cwd: root, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * What is started or imported by its path keeps that path; what they share goes into chunks.
 * Returns the files that were joined, as paths below `root`.
 */
async function bundle() {
  const entries = [...WITHOUT_COMMANDS, 'command-list.ts', 'cli/start.ts', ...commandFiles()];
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((file) => [file.slice(0, -'.ts'.length), source(file)])),
    platform: 'node',
    external: isExternal,
    transform: {target: 'node20.19'},
    experimental: {nativeMagicString: true},
    plugins: [lazyRequires, rarePackages],
  });
  const {output} = await build.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Some file systems do not tell the case of letters apart.
    hashCharacters: 'base36',
    codeSplitting: {groups: sharedChunks()},
    comments: {legal: true, annotation: false, jsdoc: false},
    sourcemap: true,
  });
  await build.close();
  const joined = output.flatMap(({moduleIds = []}) => moduleIds).filter(path.isAbsolute);
  return joined.map((file) => path.relative(root, file));
}

/**
 * Starting is opening files: what the usual command needs is in two chunks, one of which the entries
 * without commands need, too.
 */
function sharedChunks() {
  const [isUsual, isOther] = [USUAL, WITHOUT_COMMANDS].map((files) => {
    let reached;
    return (id, context) => {
      reached ??= reachedFrom(files, context);
      return reached.has(id);
    };
  });
  return [
    group('core', 1, (id, context) => isUsual(id, context) && isOther(id, context)),
    group('command-line', 0, isUsual),
  ];
}

/** One chunk of all modules that it `holds`, but for those of a group of higher priority. */
function group(name, priority, holds) {
  return {
    name: (id, context) => (holds(id, context) ? name : null),
    debugName: name,
    priority,
  };
}

/** The modules that the modules of `files` need, by static imports. */
function reachedFrom(files, context) {
  const reached = new Set(files.map(source));
  // A set also visits what is added meanwhile.
  for (const id of reached) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}

function source(file) {
  return path.join(root, 'src', file);
}

/** Every dependency but those that every command needs, and what these load only when it is there. */
function isExternal(id) {
  return EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`));
}

function external() {
  const {dependencies} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return [
    ...Object.keys(dependencies).filter((name) => !JOINED.includes(name)),
    'tsx',
    'typescript',
  ];
}

function commandFiles() {
  return readdirSync(path.join(root, 'src/commands'), {recursive: true})
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join('commands', file));
}
