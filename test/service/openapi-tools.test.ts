import {existsSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {tempFolder} from '../keyfile/temp-folder.js';

const TOOLS = path.resolve('test/tools/node_modules');
const OFFLINE = {REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true'};

/** Uses every operation as its types allow, and what they must not allow. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type {paths} from './schema.js';

declare const process: {readonly argv: readonly string[]};
const [, , baseUrl = '', sample = ''] = process.argv;
const client = createClient<paths>({baseUrl});
const credentials = {partnerId: 'DEMO', partnerKey: 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0'};

const partner = await client.POST('/api/v1/partner/validate', {body: credentials});
const device = await client.POST('/api/v1/device/validate', {
  body: {...credentials, serial: 'NONE', firmware: '1.0'},
});
const card = await client.POST('/api/v1/decrypt/parser', {
  body: {...credentials, deviceType: 'idtech', devicePayload: sample},
});

const pan: string | undefined = card.data?.extracted.PAN;
const code: number | undefined = device.error?.errCode;
// @ts-expect-error: there is no such path
void (() => client.POST('/api/v1/nothing', {body: credentials}));
// @ts-expect-error: there is no such device type
void (() => client.POST('/api/v1/decrypt/parser', {body: {deviceType: 'x', devicePayload: ''}}));
// @ts-expect-error: it cannot give this error
void (partner.error?.errCode === 2601);
console.log(JSON.stringify([partner.data?.success, code, pan]));
`;

const run = (tool: string, argv: readonly string[], cwd = '.') =>
  execa(path.join(TOOLS, '.bin', tool), argv, {cwd, env: OFFLINE, reject: false, all: true});

// Without `npm ci` in test/tools there is nothing to judge with: .ci/run does that.
describe.skipIf(!existsSync(TOOLS))('the OpenAPI document', () => {
  let server: TestServer;
  let document: string;

  beforeAll(async () => {
    server = await startServer();
    document = await (await fetch(`${server.url}/openapi.json`)).text();
  });
  afterAll(() => server.close());

  function folderWith(text: string): string {
    const folder = tempFolder();
    symlinkSync(TOOLS, path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(path.join(folder, 'openapi.json'), text);
    return folder;
  }

  const lint = (text: string) =>
    run(
      'redocly',
      ['lint', 'openapi.json', '--extends', 'recommended-strict', '--format', 'json'],
      folderWith(text),
    );

  test('has nothing that a linter finds', async () => {
    const {exitCode, stdout} = await lint(document);
    expect(JSON.parse(stdout)).toMatchObject({totals: {errors: 0, warnings: 0, ignored: 0}});
    expect(exitCode).toBe(0);
  });

  test('without its licence has something that the linter finds', async () => {
    const {info, ...rest} = JSON.parse(document);
    const {exitCode} = await lint(JSON.stringify({...rest, info: {...info, license: undefined}}));
    expect(exitCode).toBe(1);
  });

  test('makes a client that type-checks and calls the demo', async () => {
    const cwd = folderWith(document);
    const generated = await run('openapi-typescript', ['openapi.json', '-o', 'schema.ts'], cwd);
    expect(generated.exitCode, generated.all).toBe(0);
    writeFileSync(path.join(cwd, 'client.ts'), CLIENT);
    const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
    const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
    const compiled = await run('tsc', [...strict, ...target, 'client.ts'], cwd);
    expect(compiled.exitCode, compiled.all).toBe(0);
    const sample = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8')).devicePayload;
    const {stdout, stderr} = await execa(process.execPath, ['client.js', server.url, sample], {
      cwd,
    });
    expect([stdout, stderr]).toEqual(['[true,1202,"4266841088889999"]', '']);
  });
});
