// Builds dist from scratch, so that no file of an older build is ever shipped. The compiler checks
// the types and writes the declarations; rolldown bundles the modules with all packages, because
// start-up time is mostly spent opening files: once for Node, once for every other runtime. The
// description of the API and the manual page are written, too.
import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {builtinModules} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {rolldown} from 'rolldown';
import {tsImport} from 'tsx/esm/api';
import {assertOwnFiles, bundledFiles, bundleNeutral} from './bundle-neutral.mjs';
import {joinedLicences, packageFolders} from './joined-licences.mjs';
import {keepDeclarations} from './keep-declarations.mjs';
import {
  globalProcess,
  lazyRequires,
  oneByteSources,
  quickerStart,
  rarePackages,
  safeExpressions,
  silentDebug,
  unusedByService,
  unusedParts,
  unusedSchemas,
} from './lazy-requires.mjs';
import {manPage} from './man-page.mjs';
import {buildPage} from './page.mjs';
import {writeSamples} from './samples.mjs';
import {billOfMaterials} from './sbom.mjs';
import {declareTerminals, terminalEntries, terminalInput} from './terminal-entries.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = path.join(root, 'dist');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

/** Entry points without commands; the commands must not be loaded with them. */
const WITHOUT_COMMANDS = [
  'index.ts',
  'decrypt.ts',
  'emv.ts',
  'server.ts',
  'cli/batch/worker.ts',
  'cli/diagnosis/worker.ts',
  'service/inspector/reading-worker.ts',
];
/** Entry points of the most common command. */
const USUAL = ['cli/start.ts', 'commands/decrypt.ts'];
/** What only a server needs begins here. */
const SERVING = ['cli/serve/serve-until-stopped.ts', 'service/launch.ts'];

/** What runs on every runtime is built for those without Node, too. */
const NEUTRAL = ['index.ts', 'decrypt.ts', 'emv.ts'];

/** Kept for stacks, and because errors of oclif are told apart by them. */
const NAMES = {function: true, class: true};

/** Not bundled: what oclif uses where a developer has it installed. */
const EXTERNAL = ['tsx', 'typescript'];

rmSync(dist, {recursive: true, force: true});
declare();
listPackages([
  ...(await bundle()),
  ...bundledFiles(await bundleForOthers()),
  ...(await buildPage(root, 'explorer', 'paylens explorer', {compiles: true})),
  ...(await buildPage(root, 'inspector', 'paylens requests', {
    styles: ['page', 'inspector'],
    connects: true,
  })),
]);
writeSamples(root, dist);
mkdirSync(path.join(dist, 'man'));
writeFileSync(
  path.join(dist, 'man/paylens.1'),
  manPage(json('oclif.manifest.json'), json('package.json')),
);
keepDeclarations(dist, [
  'index.d.ts',
  'decrypt.d.ts',
  'emv.d.ts',
  'samples/index.d.ts',
  'server.d.ts',
  ...declareTerminals(dist),
]);
await describeApi();

function declare() {
  const argv = [tsc, '-p', 'tsconfig.json', '--emitDeclarationOnly', '--declarationMap', 'false'];
  const {status} = spawnSync(process.execPath, argv, {cwd: root, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Bundles the code. Entry points that are started or imported by path keep their path; code that
 * they share goes into chunks. Returns the bundled files, as paths below `root`.
 */
async function bundle() {
  const commands = readdirSync(source('commands'), {recursive: true})
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join('commands', file));
  const entries = [...WITHOUT_COMMANDS, 'command-list.ts', 'cli/start.ts', 'cli/help.ts'];
  const build = await rolldown({
    cwd: root,
    input: {...inputOf([...entries, ...commands]), ...terminalInput()},
    platform: 'node',
    external: EXTERNAL,
    transform: {target: 'node20.19'},
    experimental: {nativeMagicString: true},
    // `sharedChunks` decides what is loaded together.
    onLog: (level, log, print) => {
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') print(level, log);
    },
    plugins: [
      quickerStart,
      lazyRequires,
      silentDebug,
      globalProcess,
      rarePackages,
      safeExpressions,
      unusedByService,
      unusedParts,
      unusedSchemas,
      terminalEntries,
      oneByteSources,
    ],
  });
  const {output} = await build.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Some file systems are not case-sensitive.
    hashCharacters: 'base36',
    codeSplitting: {groups: sharedChunks(commands)},
    comments: {legal: true, annotation: false, jsdoc: false},
    minify: {compress: {keepNames: NAMES}, mangle: {keepNames: NAMES}, codegen: true},
    sourcemap: true,
  });
  await build.close();
  assertOwnFiles(output, [
    ...EXTERNAL,
    ...builtinModules.flatMap((name) => [name, `node:${name}`]),
  ]);
  return bundledFiles(output);
}

function bundleForOthers() {
  const input = {...inputOf(NEUTRAL), ...terminalInput()};
  return bundleNeutral({input, dir: path.join(dist, 'neutral'), plugins: [terminalEntries]});
}

function inputOf(files) {
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.ts'.length), source(file)]));
}

/** What is shipped besides our code: the licences of the bundled packages, and the bill of materials. */
function listPackages(inputs) {
  const [own, lock] = ['package.json', 'package-lock.json'].map(json);
  const bill = billOfMaterials(own, lock, packageFolders(inputs));
  writeFileSync(path.join(dist, 'LICENSES.txt'), joinedLicences(root, inputs));
  writeFileSync(path.join(dist, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 1)}\n`);
}

/** The description of the API for machines, and the page that shows it. */
async function describeApi() {
  const {version} = json('package.json');
  const {openApiDocument} = await tsImport('../openapi/open-api.ts', import.meta.url);
  const {apiPage} = await tsImport('../openapi/api-page.ts', import.meta.url);
  const {FURTHER_TYPES} = await tsImport('../../src/engine/families/registry.ts', import.meta.url);
  for (const [below, further] of [
    ['api', []],
    ['api/extended', FURTHER_TYPES],
  ]) {
    const document = openApiDocument(version, further);
    const folder = path.join(dist, below);
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(document));
    writeFileSync(path.join(folder, 'index.html'), apiPage(document));
  }
}

/**
 * The most common command needs only two chunks, since opening files takes most of the start; the
 * entry points without commands share one of them, and what a server alone needs is another.
 */
function sharedChunks(commands) {
  const rest = commands.filter((file) => file !== 'commands/serve.ts');
  const [isUsual, isOther, isServing, isOfRest] = [USUAL, WITHOUT_COMMANDS, SERVING, rest].map(
    (files) => {
      let reached;
      return (id, context) => {
        reached ??= reachedFrom(files, context);
        return reached.has(id);
      };
    },
  );
  const group = (name, priority, holds) => ({
    name: (id, context) => (holds(id, context) ? name : null),
    debugName: name,
    priority,
  });
  return [
    group('core', 4, (id, context) => isUsual(id, context) && isOther(id, context)),
    group('command-line', 3, isUsual),
    // Many small modules; those left out are loaded late.
    group('output', 2, (id) => /\/cli\/output\//.test(id)),
    group('contract', 2, (id) => /\/src\/contract\//.test(id)),
    group('auth', 2, (id) => /\/src\/auth\/(?!explain)/.test(id)),
    group('keyfile', 1, (id) => /\/cli\/(?:flags|keyfile)\/(?!one-time|open-)/.test(id)),
    group('send', 1, (id) => /\/cli\/send\//.test(id)),
    group('simulator', 1, (id) => /\/src\/simulator\//.test(id)),
    group('service', 0, (id, context) => isServing(id, context) && !isOfRest(id, context)),
  ];
}

/** The modules that the modules of `files` depend on through static imports. */
function reachedFrom(files, context) {
  const reached = new Set(files.map(source));
  // Iterating a set also visits elements added meanwhile.
  for (const id of reached) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}

function source(file) {
  return path.join(root, 'src', file);
}

function json(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}
