// Checks the package that users install: packs it, checks the files against an allow-list and the
// size against a limit, checks that docs/dependencies.md names its dependencies, installs it
// globally into a temporary prefix and smoke-tests it there, with this Node and with newer ones if
// they are available. An argument lists the newer ones (`22,24`), or is `none`.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {smoke} from './package-smoke.mjs';

const ALLOWED = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|SECURITY\.md|oclif\.manifest\.json|bin\/run\.js)$/,
  /^deploy\/(?:Dockerfile(?:\.dockerignore)?|compose\.yaml|healthcheck\.mjs|paylens\.service)$/,
  /^dist\/(?:LICENSES\.txt|man\/paylens\.1|sbom\.cdx\.json|api\/(?:extended\/)?(?:index\.html|openapi\.json))$/,
  /^dist\/(?:[a-z-]+\/)*[a-z0-9-]+\.(?:js|d\.ts)$/,
  /^dist\/page\/(?:explorer|inspector)\.html$/,
  /^dist\/(?:neutral\/)?chunks\/[a-zA-Z0-9_.-]+-[a-z0-9]{8}\.js$/,
  /^docs\/(?:[a-z-]+\/)*[a-zA-Z0-9-]+\.md$/,
  /^docs\/schemas\/[a-z-]+\.schema\.json$/,
  /^docs\/samples\/published-reads\.(?:schema\.)?json$/,
  /^samples\/[a-z-]+\.(?:json|txt|pem)$/,
  /^samples\/README\.md$/,
];
const DEMANDED = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bin/run.js',
  'dist/LICENSES.txt',
  'dist/man/paylens.1',
  'dist/api/index.html',
  'dist/api/openapi.json',
  'dist/api/extended/index.html',
  'dist/api/extended/openapi.json',
  'dist/cli/batch/worker.js',
  'dist/cli/diagnosis/worker.js',
  'dist/cli/serve/worker.js',
  'dist/cli/start.js',
  'dist/cli/help.js',
  'dist/index.d.ts',
  'dist/sbom.cdx.json',
  'dist/index.js',
  'dist/neutral/index.js',
  'dist/page/explorer.html',
  'dist/page/inspector.html',
  'docs/contract.md',
  'docs/formats/README.md',
  'docs/interface.md',
  'docs/samples/published-reads.json',
  'docs/schemas/verify-config.schema.json',
  'docs/threat-model.md',
  'oclif.manifest.json',
  'samples/idtech-swipe.json',
];
/** A third of it is the second build of the library, for runtimes without Node, and the pages. */
const MOST_PACKED_BYTES = 1_750_000;
const MOST_UNPACKED_BYTES = 5_900_000;
const MOST_PACKAGES = 140;

const NEWER_NODES = ['22', '24', '26'];
const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), 'paylens-package-'));
try {
  const tarball = checkTarball();
  checkReasons();
  checkAdvisories();
  await checkInstalled(tarball);
  console.log(`package: passed in ${Math.round(performance.now() / 1000)} s`);
} finally {
  rmSync(work, {recursive: true, force: true});
}

/** Packs the package, checks its files, and returns the path of the tarball. */
function checkTarball() {
  const [packed] = JSON.parse(npm(['pack', '--json', '--silent', '--pack-destination', work]));
  const files = packed.files.map((file) => file.path);
  const unexpected = files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)));
  const missing = [...DEMANDED, ...commandFiles()].filter((file) => !files.includes(file));
  demand(unexpected.length === 0, `the package must not hold ${unexpected}`);
  demand(missing.length === 0, `the package lacks ${missing}`);
  demand(packed.size <= MOST_PACKED_BYTES, `${packed.size} bytes packed`);
  demand(packed.unpackedSize <= MOST_UNPACKED_BYTES, `${packed.unpackedSize} bytes unpacked`);
  console.log(`package: ${files.length} files, ${limit(packed.size, MOST_PACKED_BYTES)} packed,`);
  console.log(`  ${limit(packed.unpackedSize, MOST_UNPACKED_BYTES)} unpacked`);
  return path.join(work, packed.filename);
}

function commandFiles() {
  const {commands} = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
  return Object.values(commands).map(({relativePath}) => relativePath.join('/'));
}

function limit(bytes, most) {
  return `${Math.round(bytes / 1000)} of at most ${Math.round(most / 1000)} kB`;
}

function checkReasons() {
  const {dependencies} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const page = readFileSync(path.join(root, 'docs/dependencies.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name).sort();
  const names = Object.keys(dependencies).sort();
  demand(
    listed.join() === names.join(),
    `docs/dependencies.md lists ${listed}; package.json depends on ${names}`,
  );
  console.log(`package: ${names.length} dependencies, each with its reason`);
}

/** Not every registry mirror supports this. */
function checkAdvisories() {
  const {stdout} = run('npm', ['audit', '--omit=dev', '--json']);
  const counts = JSON.parse(stdout || '{}').metadata?.vulnerabilities;
  if (!counts)
    return console.log('package: npm audit: the registry does not answer; see npm run check');
  demand(counts.high + counts.critical === 0, `npm audit --omit=dev: ${JSON.stringify(counts)}`);
  console.log(`package: no high or critical advisory among ${counts.total}`);
}

async function checkInstalled(tarball) {
  const prefix = path.join(work, 'prefix');
  // Strict: no package may require a newer Node than this one.
  const said = npm([...INSTALL, '--engine-strict', '--global', '--prefix', prefix, tarball]);
  const packages = Number(/added (\d+) packages/.exec(said)?.[1]);
  demand(packages <= MOST_PACKAGES, `${packages} packages are installed`);
  console.log(`package: ${packages} of at most ${MOST_PACKAGES} packages installed`);
  checkTypes(prefix);
  await smoke(process.execPath, prefix);
  for (const version of wantedNodes()) await smokeOn(version, prefix);
}

function wantedNodes() {
  const [wanted] = process.argv.slice(2);
  if (wanted !== undefined) return wanted.split(',').filter((version) => version !== 'none');
  const [own] = process.versions.node.split('.');
  return NEWER_NODES.filter((version) => version !== own);
}

async function smokeOn(version, prefix) {
  const node = newerNode(version);
  if (node === undefined) console.log(`smoke: Node ${version} not run: not installable here`);
  else await smoke(node, prefix);
}

/** The binary of that Node version from its npm package, without the npm and the headers in it. */
function newerNode(version) {
  const folder = path.join(work, `node-${version}`);
  mkdirSync(folder);
  const name = `node-${process.platform}-${process.arch}`;
  const argv = ['pack', '--silent', '--prefer-offline', '--pack-destination', folder];
  const {status, stdout} = run('npm', [...argv, `${name}@${version}`]);
  if (status !== 0) return undefined;
  const tarball = path.join(folder, stdout.trim());
  const unpacked = run('tar', ['-xzf', tarball, '-C', folder, 'package/bin/node']);
  rmSync(tarball);
  return unpacked.status === 0 ? path.join(folder, 'package/bin/node') : undefined;
}

/** The declarations must compile on their own, without those of Node. */
function checkTypes(prefix) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const installed = path.join(prefix, 'lib/node_modules/paylens/dist/index.d.ts');
  const argv = [
    ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', 'false', '--types', ''],
    ...['--module', 'nodenext', '--target', 'es2022'],
  ];
  const {status, stdout} = run(process.execPath, [tsc, ...argv, installed]);
  demand(status === 0, `the declarations do not compile:\n${stdout}`);
}

function npm(argv) {
  const {status, stdout, stderr} = run('npm', argv);
  demand(status === 0, `npm ${argv.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

function run(command, argv) {
  return spawnSync(command, argv, {cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26});
}

function demand(holds, complaint) {
  if (!holds) throw new Error(complaint);
}
