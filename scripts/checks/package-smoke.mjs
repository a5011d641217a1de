// Uses an installed paylens as its users do, on a given Node.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {createInterface} from 'node:readline';

const DEADLINE_MS = 30_000;

/**
 * Runs the most common commands with the binary `node` on the package installed globally in
 * `prefix`. Throws on the first unexpected result.
 */
export async function smoke(node, prefix) {
  const started = performance.now();
  const place = placeOf(node, prefix);
  const version = command(place, ['--version']).match(/^paylens\/\S+ \S+ (node-\S+)\n$/)?.[1];
  demand(version !== undefined, 'paylens --version');
  demand(command(place, ['help']).includes('decrypt'), 'paylens help names no decrypt');
  const card = command(place, ['decrypt', place.sample, '--test-keys', '--no-color']);
  demand(card.includes('426684******9999'), `paylens decrypt shows no card:\n${card}`);
  imports(place);
  await serves(place);
  await serves(place, ['--workers', '2']);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`smoke: ${version}: --version, help, decrypt, import, serve: ok in ${seconds} s`);
}

/** Finds the command as a shell does; its first line must then find this Node. */
function placeOf(node, prefix) {
  const installed = path.join(prefix, 'lib/node_modules/paylens');
  const folders = [path.join(prefix, 'bin'), path.dirname(node), process.env.PATH];
  return {
    node,
    importer: path.join(prefix, 'lib/importer.mjs'),
    sample: path.join(installed, 'samples/idtech-swipe.json'),
    // The caller's own configuration must not be used.
    env: {PATH: folders.join(path.delimiter), HOME: prefix, XDG_CONFIG_HOME: prefix},
  };
}

function command(place, argv) {
  return output(place, 'paylens', argv);
}

function output({env}, program, argv) {
  const options = {env, encoding: 'utf8', timeout: DEADLINE_MS};
  const {status, stdout, stderr, error} = spawnSync(program, argv, options);
  const title = `${path.basename(program)} ${argv.join(' ')}`;
  demand(status === 0, `${title} ended with ${status ?? error}:\n${stderr}`);
  return stdout;
}

const IMPORTER = `import {startServer} from 'paylens/server';
const server = await startServer();
const answer = await fetch(server.url + '/healthz');
await server.close();
console.log(answer.status);
`;

function imports(place) {
  writeFileSync(place.importer, IMPORTER);
  const answer = output(place, place.node, [place.importer]);
  demand(answer === '200\n', `import {startServer} from 'paylens/server': ${answer}`);
}

async function serves(place, more = []) {
  const argv = ['serve', '--demo', '--port', '0', ...more];
  const service = spawn('paylens', argv, {env: place.env, stdio: ['ignore', 'pipe', 'ignore']});
  const killer = setTimeout(() => service.kill('SIGKILL'), DEADLINE_MS);
  const ended = once(service, 'exit');
  try {
    const [ready] = await once(createInterface(service.stdout), 'line');
    await answers(JSON.parse(ready), place);
    service.kill('SIGTERM');
    const [status, signal] = await ended;
    demand(status === 0, `paylens serve ended with ${status ?? signal} after SIGTERM`);
  } finally {
    clearTimeout(killer);
    service.kill('SIGKILL');
  }
}

async function answers({url, partner: {partnerId, partnerKey}}, {sample}) {
  const read = JSON.parse(readFileSync(sample, 'utf8'));
  const answer = await fetch(`${url}/api/v1/decrypt/parser`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({...read, partnerId, partnerKey, reference: 'smoke'}),
  });
  const text = await answer.text();
  demand(JSON.parse(text).extracted?.PAN === '4266841088889999', `serve answers ${text}`);
}

function demand(holds, complaint) {
  if (!holds) throw new Error(`smoke: ${complaint}`);
}
