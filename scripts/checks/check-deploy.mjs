// Checks the files in deploy without Docker and without systemd. Runs the instructions of the
// Dockerfile in order, then Redis and two replicas as in compose.yaml, as a user with read-only
// access and with the image's own health check, over HTTP and HTTPS; then the commands of the
// systemd unit. What only Docker and systemd could prove is in NOT_PROVED and is printed at the
// end.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {ignoreFiles, runDockerfile} from './run-dockerfile.mjs';

const DEADLINE_MS = 30_000;
const PARTNER = '/api/v1/partner/validate';
const PASSPHRASE = 'a passphrase of the deployment check';

const NOT_PROVED = [
  'the base images: this machine and its Node take their place',
  'what Docker does: networks, published ports, secrets, read_only, cap_drop, init, health intervals',
  'what systemd does: credentials, the sandbox of the unit, restarts',
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const deploy = path.join(root, 'deploy');
const work = mkdtempSync(path.join(tmpdir(), 'paylens-deploy-'));
const running = new Set();
try {
  // The image's user must be able to reach its files below.
  chmodSync(work, 0o755);
  const image = runDockerfile(path.join(deploy, 'Dockerfile'), context(), work);
  checkImage(image);
  const secrets = makeSecrets(image);
  await checkCompose(image, secrets);
  await checkTls(image);
  checkUnitFile(image);
  await checkUnit(image, secrets);
  for (const each of NOT_PROVED) console.log(`deploy: not proved: ${each}`);
  console.log(`deploy: passed in ${Math.round(performance.now() / 1000)} s`);
} finally {
  for (const child of running) child.kill('SIGKILL');
  spawnSync('chmod', ['-R', 'u+w', work]);
  rmSync(work, {recursive: true, force: true});
}

/**
 * The build context that `docker build` would send: files known to git, without the ignored ones.
 */
function context() {
  const folder = path.join(work, 'context');
  mkdirSync(folder);
  const pipe = `git ls-files -z | tar --null --files-from=- --create | tar --extract --directory='${folder}'`;
  run('bash', ['-o', 'pipefail', '-c', pipe], {cwd: root});
  ignoreFiles(path.join(deploy, 'Dockerfile.dockerignore'), folder);
  return folder;
}

function checkImage(image) {
  demand(/^\d+:\d+$/.test(image.user ?? ''), 'the image runs as a user given by number');
  demand(!image.user.startsWith('0:'), 'the image does not run as root');
  demand(!readdirSync(path.join(image.folder, 'node_modules')).includes('vitest'), 'no dev tools');
  run('chmod', ['-R', 'a-w', image.folder]);
}

/**
 * Creates a keyfile with one partner, its passphrase and a devices file, readable by the image's
 * user.
 */
function makeSecrets(image) {
  const folder = path.join(work, 'secrets');
  mkdirSync(folder);
  const file = (name) => path.join(folder, name);
  writeFileSync(file('passphrase'), `${PASSPHRASE}\n`, {mode: 0o600});
  const unlock = ['--keyfile', file('keyfile'), '--passphrase-file', file('passphrase')];
  paylens(image, ['keyfile', 'create', ...unlock]);
  paylens(image, ['partner', 'add', 'WATERFORD', '--method', 'hmac', ...unlock]);
  const devices = ['--devices', file('devices')];
  paylens(image, ['device', 'add', '62994901190000', '--partner', 'WATERFORD', ...devices]);
  const [uid, gid] = image.user.split(':').map(Number);
  for (const name of process.getuid() === 0 ? ['', ...readdirSync(folder)] : [])
    chownSync(file(name), uid, gid);
  return {folder, unlock};
}

async function checkCompose(image, secrets) {
  const compose = readFileSync(path.join(deploy, 'compose.yaml'), 'utf8');
  const redisPort = await freePort();
  const redis = start(
    [
      ...JSON.parse(/command: (\[.*\])/.exec(compose)[1]),
      '--port',
      String(redisPort),
      '--dir',
      work,
    ],
    {},
  );
  const ping = JSON.parse(/test: (\[.*\])/.exec(compose)[1]).slice(1);
  await until('redis', () => run(ping[0], ['-p', String(redisPort), ...ping.slice(1)], {}, true));
  const environment = JSON.parse(/environment: (\[.*\])/.exec(compose)[1])
    .map((pair) => pair.replace('redis:6379', `127.0.0.1:${redisPort}`).split(/=(.*)/s))
    .map(([name, value]) => [name, value]);
  const before = listing(image.folder);
  const replicas = [];
  for (let i = 0; i < Number(/replicas: (\d+)/.exec(compose)[1]); i++)
    replicas.push(await startReplica(image, secrets, Object.fromEntries(environment)));
  demand(replicas.length === 2, 'compose.yaml has two replicas');
  await checkShared(replicas, image, secrets);
  for (const replica of replicas) await stop(replica, `replica on port ${replica.port}`);
  demand(health(image) !== 0, 'the health check fails without a service');
  demand(listing(image.folder) === before, 'nothing was written into the image');
  redis.kill('SIGTERM');
  console.log('deploy: compose.yaml: two replicas share their nonces, healthy, stopped with 0');
}

async function startReplica(image, {folder}, environment) {
  const port = await freePort();
  const command = [...image.entrypoint, ...image.command].map((word) =>
    word.replace(/^\/run\/secrets\//, `${folder}/`).replace(/^8080$/, String(port)),
  );
  demand(command.includes(String(port)), 'the image listens on 8080');
  const service = start(
    command,
    {cwd: image.folder, env: {...image.env, ...environment}},
    image.user,
  );
  await service.ready;
  demandHealthy(image, 'a replica');
  return {...service, port};
}

/**
 * One signed request must be accepted by the first replica and rejected as a replay by the second.
 */
async function checkShared(replicas, image, {unlock}) {
  const body = path.join(work, 'body.json');
  writeFileSync(body, '{"reference":"deploy"}');
  const sign = ['sign', body, '--partner', 'WATERFORD', '--target', PARTNER, ...unlock];
  const authorization = paylens(image, sign).trim();
  const statuses = [];
  for (const {port} of replicas) {
    const response = await fetch(`http://127.0.0.1:${port}${PARTNER}`, {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization},
      body: readFileSync(body),
    });
    statuses.push(response.status);
  }
  demand(statuses.join() === '200,401', `one request at two replicas: ${statuses}`);
}

/** Runs a command other than the image's own, with TLS: the health check must adapt. */
async function checkTls(image) {
  const [cert, key] = [path.join(work, 'cert.pem'), path.join(work, 'key.pem')];
  const make =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=deploy';
  run('openssl', [...make.split(' '), '-out', cert, '-keyout', key]);
  const [uid, gid] = image.user.split(':').map(Number);
  if (process.getuid() === 0) chownSync(key, uid, gid);
  const flags = ['serve', '--mock', '--host', '0.0.0.0', '--port', '0'];
  const command = [...image.entrypoint, ...flags, '--tls-cert-file', cert, '--tls-key-file', key];
  const service = start(command, {cwd: image.folder, env: image.env}, image.user);
  const {url} = await service.ready;
  demand(url.startsWith('https:'), `a service with a certificate is at ${url}`);
  demandHealthy(image, 'a service with TLS on another port');
  await stop(service, 'the service with TLS');
  console.log('deploy: Dockerfile: the health check follows --port and --tls-cert-file');
}

function demandHealthy(image, name) {
  const found = health(image);
  demand(found === 0, `the health check of ${name} ended with ${found}`);
}

/** Runs the image's health check, as Docker would in the container. */
function health(image) {
  const [program, ...argv] = image.healthcheck;
  const options = {cwd: image.folder, timeout: DEADLINE_MS, ...identityOf(image.user)};
  return spawnSync(program, argv, options).status;
}

/** Verifies the unit, with the path of an existing command, since systemd checks that it exists. */
function checkUnitFile(image) {
  const unit = path.join(work, 'paylens.service');
  const text = readFileSync(path.join(deploy, 'paylens.service'), 'utf8');
  writeFileSync(unit, text.replaceAll('/usr/local/bin/paylens', process.execPath));
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    console.log('deploy: paylens.service not read by systemd: systemd-analyze is not here');
    return;
  }
  const {stderr} = spawnSync('systemd-analyze', ['verify', unit], {encoding: 'utf8'});
  const complaints = stderr.split('\n').filter((line) => line.includes('paylens.service'));
  demand(complaints.length === 0, `systemd-analyze verify: ${complaints.join('; ')}`);
  console.log('deploy: paylens.service: systemd-analyze verify has no complaint');
  demand(image.folder !== '', 'the image is there');
}

/** Runs ExecStart, ExecReload and the stop of the unit, with the paths of this check. */
async function checkUnit(image, {folder}) {
  const unit = readFileSync(path.join(deploy, 'paylens.service'), 'utf8');
  const port = await freePort();
  const command = execOf(unit, 'ExecStart')
    .replace(
      '/usr/local/bin/paylens',
      `${process.execPath} ${path.join(image.folder, 'bin/run.js')}`,
    )
    .replace(/\$\{CREDENTIALS_DIRECTORY\}/, folder)
    .replace('/etc/paylens/keys.age', path.join(folder, 'keyfile'))
    .replace('/etc/paylens/devices.jsonl', path.join(folder, 'devices'))
    .replace('8080', String(port));
  const service = start(command.split(' '), {cwd: '/'}, image.user);
  const {url} = await service.ready;
  demand(new URL(url).port === String(port), `the unit listens on ${url}`);
  const reload = execOf(unit, 'ExecReload').replace('$MAINPID', String(service.pid));
  run(...splitCommand(reload));
  await until('reload', () => service.log().includes('"reloaded"'));
  await stop(service, 'the unit');
  console.log('deploy: paylens.service: starts, reloads with SIGHUP, stopped with 0');
}

function execOf(unit, name) {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)[1];
}

function splitCommand(text) {
  const [program, ...argv] = text.split(' ');
  return [program, argv];
}

function paylens({folder}, argv) {
  return run(process.execPath, [path.join(folder, 'bin/run.js'), ...argv]);
}

function run(program, argv, options = {}, mayFail = false) {
  const {status, stdout, stderr} = spawnSync(program, argv, {encoding: 'utf8', ...options});
  if (mayFail) return status === 0;
  demand(status === 0, `${program} ${argv.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

/** Starts a program, as `user` if one is given. */
function start([program, ...argv], {cwd = work, env = {}}, user = undefined) {
  const child = spawn(program, argv, {
    cwd,
    env: {PATH: process.env.PATH, ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identityOf(user),
  });
  running.add(child);
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const ended = once(child, 'exit').finally(() => running.delete(child));
  const line = once(createInterface(child.stdout), 'line').then(([text]) => text);
  const ready = Promise.race([
    line.then((text) => (text.startsWith('{') ? JSON.parse(text) : text)),
    ended.then(() => Promise.reject(new Error(`deploy: ${program} ended: ${log}`))),
  ]);
  ready.catch(() => {});
  return {ready, ended, log: () => log, pid: child.pid, kill: (signal) => child.kill(signal)};
}

/** The image's user, if the current user can switch to it. */
function identityOf(user) {
  if (user === undefined || process.getuid() !== 0) return {};
  const [uid, gid] = user.split(':').map(Number);
  return {uid, gid};
}

async function stop(service, name) {
  const killer = setTimeout(() => service.kill('SIGKILL'), DEADLINE_MS);
  service.kill('SIGTERM');
  const [status, signal] = await service.ended;
  clearTimeout(killer);
  demand(status === 0, `${name} ended with ${status ?? signal} after SIGTERM`);
}

/** Every file with its size and modification time. */
function listing(folder) {
  return readdirSync(folder, {recursive: true})
    .map((name) => [name, statSync(path.join(folder, name))])
    .map(([name, {size, mtimeMs}]) => `${name} ${size} ${mtimeMs}`)
    .sort()
    .join('\n');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function until(what, done) {
  for (let waited = 0; !done(); waited += 50) {
    demand(waited < DEADLINE_MS, `${what} did not come`);
    await wait(50);
  }
}

function demand(holds, complaint) {
  if (!holds) throw new Error(`deploy: ${complaint}`);
}
