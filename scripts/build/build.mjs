// Builds dist from nothing, so that no file of an older build is ever shipped: the compiler checks
// the types and writes the declarations, esbuild joins the modules, since starting a command is
// mostly opening files.
import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {joinedLicences} from './joined-licences.mjs';
import {keepDeclarations} from './keep-declarations.mjs';
import {FROM_OCLIF, lazyRequires} from './lazy-requires.mjs';
import {restoreConstants} from './restore-constants.mjs';
import {shareChunks} from './share-chunks.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** A dependency since the plugins run on it; joined with ours all the same, like what is none. */
const JOINED = ['@oclif/core'];
/** What is joined is CommonJS in part. */
const REQUIRE =
  "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);";

/** Started or imported without a command line, which must not be loaded with them. */
const WITHOUT_COMMANDS = [
  'src/index.ts',
  'src/cli/batch/worker.ts',
  'src/cli/diagnosis/worker.ts',
  'src/cli/serve/worker.ts',
];

rmSync(path.join(root, 'dist'), {recursive: true, force: true});
declare();
const inputs = await bundle();
restoreConstants(path.join(root, 'dist'));
writeFileSync(path.join(root, 'dist/LICENSES.txt'), joinedLicences(root, inputs));
keepDeclarations(path.join(root, 'dist'), 'index.d.ts');

function declare() {
  const argv = [tsc, '-p', 'tsconfig.json', '--emitDeclarationOnly', '--declarationMap', 'false'];
  const {status} = spawnSync(process.execPath, argv, {cwd: root, stdio: 'inherit'});
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * What is started or imported by its path keeps that path; what they share goes into chunks.
 * Returns the files that were joined.
 */
async function bundle() {
  const {metafile} = await build({
    absWorkingDir: root,
    entryPoints: [
      ...WITHOUT_COMMANDS,
      'src/command-list.ts',
      'src/cli/start.ts',
      ...commandFiles(),
    ],
    outbase: 'src',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: external(),
    banner: {js: `${REQUIRE} ${FROM_OCLIF}`},
    plugins: [
      lazyRequires,
      shareChunks({
        root,
        shared: ['src/cli/start.ts', 'src/commands/decrypt.ts'],
        alone: WITHOUT_COMMANDS,
      }),
    ],
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

/** Every dependency but those that every command needs, and what these load only when it is there. */
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
    .map((file) => path.join('src/commands', file));
}
