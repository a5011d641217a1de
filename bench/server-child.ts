/**
 * One of the servers that bench/server.ts compares, in its own process. It sends its port over IPC,
 * and its CPU time and memory when asked.
 */
import {execFileSync} from 'node:child_process';
import {timingSafeEqual} from 'node:crypto';
import {mkdtempSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {fastify} from 'fastify';
import {parseAuthorization} from '../src/auth/authorization-header.js';
import {readSignature} from '../src/auth/methods/hmac.js';
import {HmacKey} from '../src/auth/partner/hmac-key.js';
import {stringToHash} from '../src/auth/string-to-hash.js';
import {writeLog} from '../src/cli/output/output.js';
import type {ProcessPayloadRequest} from '../src/contract/process-payload.js';
import {testKeyRing} from '../src/engine/dukpt/key-ring.js';
import {processPayload} from '../src/engine/process-payload.js';
import {launch} from '../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../src/service/registry/demo-registry.js';

/**
 * `bare` and `fastify` only read and parse the body; `signed` also does the HMAC and the operation.
 * `tls` is paylens over TLS, `real` in real mode, `inspected` the same with its inspector.
 */
export type ServerKind = 'bare' | 'fastify' | 'signed' | 'paylens' | 'tls' | 'real' | 'inspected';

/** Usage of a server so far: microseconds of CPU, bytes of memory. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
  /** Longest delay of its event loop since the last time, in milliseconds. */
  readonly delay: number;
}

const NONCES = 3_000_000;
const [kind = '', replyBytes = '0', more = '{}'] = process.argv.slice(2);
const keys = testKeyRing();
const delays = monitorEventLoopDelay({resolution: 1});
delays.enable();
const hmacKey = new HmacKey(Buffer.from(DEMO_PARTNER.sharedKey));
const reply = replyOf(Number(replyBytes));

process.on('disconnect', () => process.exit());
process.on('message', () => process.send?.(usage()));
process.send?.({port: await listen()});

async function listen(): Promise<number> {
  if (['paylens', 'tls', 'real', 'inspected'].includes(kind)) {
    const mode = kind === 'paylens' || kind === 'tls' ? 'demo' : 'real';
    const tls = kind === 'tls' ? newTlsFiles() : undefined;
    const inspector =
      kind === 'inspected' ? {token: 'T'.repeat(43), session: 'S'.repeat(43)} : undefined;
    const service = {mode, registry: demoRegistry(), writeLog, tls} as const;
    const options = {...service, nonces: NONCES, inspector, ...JSON.parse(more)};
    return Number(new URL((await launch(options)).url).port);
  }
  if (kind === 'fastify') {
    const app = fastify().post('*', (_, answer) => answer.type('application/json').send(reply));
    return Number(new URL(await app.listen({host: '127.0.0.1', port: 0})).port);
  }
  const server = createServer(kind === 'signed' ? serve(signedReply) : serve(bareReply));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function newTlsFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'paylens-bench-'));
  const tls = {cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem')};
  const files = ['-keyout', tls.key, '-out', tls.cert, '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files], {
    stdio: 'ignore',
  });
  return tls;
}

function usage(): Usage {
  globalThis.gc?.();
  const {user, system} = process.cpuUsage();
  const delay = delays.max / 1e6;
  delays.reset();
  return {cpu: user + system, memory: process.memoryUsage.rss(), delay};
}

function serve(answer: (request: IncomingMessage, body: Buffer) => string) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = answer(request, Buffer.concat(chunks));
      const length = Buffer.byteLength(text);
      response.writeHead(200, {'content-type': 'application/json', 'content-length': length});
      response.end(text);
    });
  };
}

function bareReply(_request: IncomingMessage, body: Buffer): string {
  JSON.parse(body.toString());
  return reply;
}

function signedReply(request: IncomingMessage, body: Buffer): string {
  const target = request.url ?? '';
  const credentials = parseAuthorization(request.headers.authorization ?? '');
  const fields = credentials && readSignature(credentials);
  if (!fields) throw new Error('expected an Hmac header');
  const expected = hmacKey.sign(
    stringToHash({method: 'POST', target, body}, fields.nonce, fields.timestamp),
  );
  if (!timingSafeEqual(expected, Buffer.from(fields.response, 'hex'))) throw new Error('refused');
  const parsed = JSON.parse(body.toString()) as ProcessPayloadRequest;
  const result = processPayload(parsed, keys);
  return JSON.stringify({success: true, messageId: '1'.padEnd(25, '0'), ...result});
}

/** JSON of the given length in bytes. */
function replyOf(bytes: number): string {
  const empty = JSON.stringify({success: true, data: ''});
  return JSON.stringify({success: true, data: 'x'.repeat(Math.max(0, bytes - empty.length))});
}
