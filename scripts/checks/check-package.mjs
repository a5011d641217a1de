// Checks the package that users install: packs it, checks its files and sizes, its exports with
// publint and its types with are-the-types-wrong, installs it into a temporary prefix and uses it
// there: what its pages and its help name has to be there. docs/dependencies.md has to name the
// packages that are bundled.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {faultsOfClaims} from './installed-claims.mjs';

const ALLOWED = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|SECURITY\.md|oclif\.manifest\.json|bin\/run\.js)$/,
  /^deploy\/[\w.-]+$/,
  /^dist\/(?:LICENSES\.txt|man\/paylens\.1|sbom\.cdx\.json|api\/(?:extended\/)?(?:index\.html|openapi\.json))$/,
  /^dist\/(?:[\w-]+\/)*[\w.-]+\.(?:js|d\.ts)$/,
  /^dist\/page\/(?:explorer|inspector)\.html$/,
  /^docs\/(?:[\w-]+\/)*[\w-]+\.(?:md|schema\.json)$/,
  /^docs\/(?:samples\/published-reads\.json|vectors\/[\w-]+\.json|images\/[\w-]+\.png)$/,
  /^samples\/[\w-]+\.(?:json|txt|pem|md)$/,
];
const MAX_PACKED_BYTES = 2_500_000;
const MAX_UNPACKED_BYTES = 8_000_000;
const MAX_FILES = 650;
const DEADLINE_MS = 30_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), 'paylens-package-'));
const prefix = path.join(work, 'prefix');
const env = {
  PATH: [path.join(prefix, 'bin'), path.dirname(process.execPath), process.env.PATH].join(':'),
  ...{HOME: prefix, XDG_CONFIG_HOME: prefix},
};
try {
  const tarball = packedFile();
  assertReasons();
  run('npx', ['publint', 'run', tarball, '--strict']);
  run('npx', ['attw', tarball, '--profile', 'esm-only']);
  const install = ['install', '--global', '--prefix', prefix, '--engine-strict', '--no-audit'];
  const added = /added (\d+) package/.exec(run('npm', [...install, tarball]))?.[1];
  assert(added === '1', `${added} packages are installed`);
  const installed = path.join(prefix, 'lib/node_modules/paylens');
  await useInstalled(installed);
  checkTypes(installed);
  const faults = await faultsOfClaims(installed);
  assert(faults.length === 0, `the installed package lacks what it names:\n${faults.join('\n')}`);
  console.log('package: passed');
} finally {
  rmSync(work, {recursive: true, force: true});
}

function packedFile() {
  // CI has built dist before.
  const built = process.env.CI ? ['--ignore-scripts'] : [];
  const [packed] = JSON.parse(
    run('npm', ['pack', ...built, '--json', '--silent', '--pack-destination', work]),
  );
  const files = packed.files.map((file) => file.path);
  const unexpected = files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file)));
  assert(unexpected.length === 0, `the package must not contain ${unexpected}`);
  assert(files.length <= MAX_FILES, `${files.length} files`);
  assert(packed.size <= MAX_PACKED_BYTES, `${packed.size} bytes packed`);
  assert(packed.unpackedSize <= MAX_UNPACKED_BYTES, `${packed.unpackedSize} bytes unpacked`);
  console.log(`package: ${files.length} files, ${Math.round(packed.size / 1000)} kB packed`);
  return path.join(work, packed.filename);
}

function assertReasons() {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const {dependencies, devDependencies} = JSON.parse(read('package.json'));
  assert(!dependencies, 'nothing may be installed with paylens');
  const page = read('docs/dependencies.md');
  const bundled = JSON.parse(read('dist/sbom.cdx.json')).components.map(({group, name}) =>
    group ? `${group}/${name}` : name,
  );
  const missing = bundled.filter((name) => devDependencies[name] && !page.includes(`\`${name}\``));
  assert(missing.length === 0, `docs/dependencies.md has no reason for ${missing}`);
}

/** The declarations need nothing but @types/node. */
function checkTypes(installed) {
  const project = path.join(work, 'types');
  mkdirSync(path.join(project, 'node_modules'), {recursive: true});
  const {exports} = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  const entries = Object.keys(exports)
    .filter((entry) => exports[entry].types)
    .map((entry) => entry.replace('*', 'idtech').replace(/^\./, 'paylens'));
  for (const name of ['@types', 'undici-types'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name));
  symlinkSync(installed, path.join(project, 'node_modules/paylens'));
  const lines = entries.map((entry, i) => `export * as entry${i} from '${entry}';\n`);
  writeFileSync(path.join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(project, 'use.ts'), lines.join(''));
  const settings = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--noEmit'];
  run('npx', [
    'tsc',
    '--ignoreConfig',
    ...settings,
    '--types',
    'node',
    path.join(project, 'use.ts'),
  ]);
}

async function useInstalled(folder) {
  const sample = path.join(folder, 'samples/idtech-swipe.json');
  assert(/^paylens\//.test(run('paylens', ['--version'])), 'paylens --version');
  assert(run('paylens', ['help']).includes('decrypt'), 'paylens help');
  const card = run('paylens', ['decrypt', sample, '--test-keys', '--no-color']);
  assert(card.includes('426684******9999'), `paylens decrypt shows no card:\n${card}`);
  const service = spawn('paylens', ['serve', '--demo', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const killer = setTimeout(() => service.kill('SIGKILL'), DEADLINE_MS);
  const ended = once(service, 'exit');
  const [ready] = await once(createInterface(service.stdout), 'line');
  const {url, partner} = JSON.parse(ready);
  const body = {...JSON.parse(readFileSync(sample, 'utf8')), reference: 'smoke'};
  const {partnerId, partnerKey} = partner;
  const answer = await fetch(`${url}/api/v1/decrypt/parser`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({...body, partnerId, partnerKey}),
  });
  assert((await answer.json()).extracted?.PAN === '4266841088889999', 'serve shows no card');
  service.kill('SIGTERM');
  const [status] = await ended;
  clearTimeout(killer);
  assert(status === 0, `paylens serve ended with ${status} after SIGTERM`);
}

/** The output of a command, which must end with 0. */
function run(command, argv) {
  const options = {cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26};
  const {status, stdout, stderr} = spawnSync(
    command,
    argv,
    command === 'paylens' ? {...options, env} : options,
  );
  assert(status === 0, `${command} ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

function assert(holds, complaint) {
  if (!holds) throw new Error(complaint);
}
