import {execFileSync, spawn} from 'node:child_process';
import {createHash, createHmac, createPrivateKey, randomUUID, sign} from 'node:crypto';
import {copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {
  COPY_FORMS,
  type CopyForm,
  hashCommand,
  signCommand,
} from '../../../src/export/copy-forms.js';
import {type LaunchedService, launch} from '../../../src/service/launch.js';
import {DEMO_PARTNER, demoRegistry} from '../../../src/service/registry/demo-registry.js';
import {BIN} from '../../cli/run-bin.js';
import {tell} from '../../service/control/control-client.js';
import {act, rowsOf} from '../../service/inspector/inspector-client.js';
import {hmacHeader} from '../../service/node-signature.js';
import {PARSER, swipe} from './inspector-page.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const {partnerId, partnerKey, sharedKey} = DEMO_PARTNER;
const folder = mkdtempSync(path.join(tmpdir(), 'paylens-copies-'));
const rsaKey = path.resolve('samples/demo-rsa-key.pem');

let demo: LaunchedService;

beforeAll(async () => {
  demo = await launch({mode: 'demo', registry: demoRegistry()});
  writeFileSync(path.join(folder, 'paylens'), `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`, {
    mode: 0o755,
  });
  copyFileSync(rsaKey, path.join(folder, 'rsa-private-key.pem'));
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, {recursive: true});
});

interface Sent {
  readonly target: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an answer says, apart from what is of one request alone. */
interface Answered {
  readonly status: number;
  readonly object: Readonly<Record<string, unknown>>;
}

async function answered(status: number, body: string): Promise<Answered> {
  const {messageId: _, ...object} = JSON.parse(body);
  return {status, object};
}

async function send({target, body, headers}: Sent): Promise<Answered> {
  const all = {'content-type': 'application/json', ...headers};
  const response = await fetch(demo.url + target, {method: 'POST', headers: all, body});
  return answered(response.status, await response.text());
}

/** The text that the page puts into the clipboard. */
async function copied(form: CopyForm): Promise<string> {
  const row = (await rowsOf(demo.url, 1)).at(-1);
  const {object} = await act(demo.url, 'copy', {request: `${row?.process}-${row?.sequence}`});
  return COPY_FORMS[form](object);
}

/** Another process, so that this one can answer it. */
async function run(program: string, args: readonly string[], input: string) {
  const child = spawn(program, [...args], {
    stdio: 'pipe',
    cwd: folder,
    env: {
      PATH: `${folder}:${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      PAYLENS_PARTNER_KEY: partnerKey,
      PAYLENS_SHARED_KEY: sharedKey,
    },
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return {stdout, stderr};
}

/** Runs a copied text as whoever copied it would; what it was answered. */
const RUN: Readonly<Record<CopyForm, (copy: string) => Promise<Answered>>> = {
  curl: async (copy) => {
    const {stdout, stderr} = await run('bash', ['-c', `${copy} -w '\\n%{http_code}'`], '');
    expect(stderr).toBe('');
    const at = stdout.lastIndexOf('\n');
    return answered(Number(stdout.slice(at + 1)), stdout.slice(0, at));
  },
  paylens: async (copy) => {
    const {stdout} = await run('bash', ['-c', `${copy} --json`], '');
    const {status, response} = JSON.parse(stdout);
    return answered(status, json(response));
  },
  fetch: async (copy) => {
    const {stdout, stderr} = await run('node', ['--input-type=module'], copy);
    expect(stderr).toBe('');
    const at = stdout.indexOf(' ');
    return answered(Number(stdout.slice(0, at)), stdout.slice(at + 1));
  },
  Python: async (copy) => {
    const {stdout, stderr} = await run('python3', ['-'], copy);
    expect(stderr).toBe('');
    const at = stdout.indexOf(' ');
    return answered(Number(stdout.slice(0, at)), stdout.slice(at + 1));
  },
};
const FORMS = Object.keys(COPY_FORMS) as CopyForm[];

const json = (object: object) => JSON.stringify(object);
const hashed = (algorithm: string, given: string) =>
  createHash(algorithm).update(given).digest('hex');

function rsaHeader(target: string, body: string): string {
  const nonce = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const message = `POST ${target}\n${nonce}\n${timestamp}\n\n${hashed('sha256', body)}`;
  const key = createPrivateKey(readFileSync(rsaKey));
  const response = sign('sha256', Buffer.from(message), key).toString('hex');
  return `Rsa username="${partnerId}", nonce="${nonce}", timestamp=${timestamp}, response="${response}"`;
}

function preemptiveHeader(target: string): string {
  const nonce = randomUUID();
  const ha1 = hashed('md5', `${partnerId}:Users:${partnerKey}`);
  const response = hashed('md5', `${ha1}:${nonce}:${hashed('md5', `POST:${target}`)}`);
  return `Digest username="${partnerId}", realm="Users", nonce="${nonce}", uri="${target}", response="${response}"`;
}

const NASTY = `it's $(touch pwned) \`touch pwned\` "!" \\ % é </b>\t`;
const device = json({serial: 'DEMO0003', reference: NASTY});
const payload = json({...swipe(), reference: 'r'});
const REQUESTS: Readonly<Record<string, () => Sent>> = {
  'an HMAC payload': () => ({
    target: PARSER,
    body: payload,
    headers: {authorization: hmacHeader({target: PARSER, body: payload})},
  }),
  'an HMAC device that is refused': () => ({
    target: DEVICE,
    body: device,
    headers: {authorization: hmacHeader({target: DEVICE, body: device})},
  }),
  'an RSA partner': () => ({
    target: PARTNER,
    body: '{"reference":"r"}',
    headers: {authorization: rsaHeader(PARTNER, '{"reference":"r"}')},
  }),
  'a Basic partner': () => ({
    target: PARTNER,
    body: json({reference: NASTY}),
    headers: {
      authorization: `Basic ${Buffer.from(`${partnerId}:${partnerKey}`).toString('base64')}`,
    },
  }),
  'a pre-emptive Digest partner': () => ({
    target: PARTNER,
    body: '{"reference":"r"}',
    headers: {authorization: preemptiveHeader(PARTNER)},
  }),
  'credentials in the body': () => ({
    target: PARSER,
    body: json({partnerId, partnerKey, ...swipe(), reference: NASTY}),
    headers: {},
  }),
  'a body with line ends and blanks': () => {
    const body = `{\n  "reference":\t"r"\r\n }`;
    return {target: PARTNER, body, headers: {authorization: hmacHeader({body})}};
  },
};

describe.each(Object.keys(REQUESTS))('%s is answered the same when it is copied', (name) => {
  test.each(FORMS)('as %s', {timeout: 20_000}, async (form) => {
    await tell(demo.url, 'POST /_reset');
    const first = await send((REQUESTS[name] as () => Sent)());
    const again = await (RUN[form] as (copy: string) => Promise<Answered>)(await copied(form));
    expect(again).toEqual(first);
    expect(existsSync(path.join(folder, 'pwned'))).toBe(false);
  });
});

describe('the commands for openssl', () => {
  const run = (command: string) =>
    execFileSync('bash', ['-c', command], {cwd: folder, encoding: 'utf8'}).trim().split(' ').at(-1);
  const bodies = ['{"a":"it\'s $(id) `x` %s \\\\ é"}', '{\r\n\t"b": "1"\n}\n', '-n'];

  test.each(bodies)('hash the body %j as it was sent', (body) => {
    const hashed = createHash('sha256').update(body).digest('hex');
    const bodyBase64 = Buffer.from(body).toString('base64');
    const copy = {url: '', headers: {}} as unknown as Parameters<typeof hashCommand>[0];
    expect(run(hashCommand({...copy, body}))).toBe(hashed);
    expect(run(hashCommand({...copy, bodyBase64}))).toBe(hashed);
  });

  test('sign the string by the method of the request', () => {
    const text = "DEMO\nPOST\n/api?x='1'\n";
    writeFileSync(path.join(folder, 'shared-key.txt'), sharedKey);
    const signed = (header: string) => {
      const detail = {headers: [['Authorization', header]]} as unknown as Parameters<
        typeof signCommand
      >[1];
      return run(signCommand(text, detail));
    };
    expect(signed('Hmac username="DEMO"')).toBe(
      createHmac('sha256', sharedKey).update(text).digest('hex'),
    );
    expect(signed('RSA username="DEMO"')).toBe(
      sign('sha256', Buffer.from(text), createPrivateKey(readFileSync(rsaKey))).toString('hex'),
    );
  });
});
