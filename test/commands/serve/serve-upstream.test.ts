import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {startServer} from '../../../src/service/start-server.js';
import {runBin} from '../../cli/run-bin.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {post, realFiles, SWIPE} from './real-service.js';
import {serve} from './serving.js';

const CLEAR = {deviceType: 'magtek', devicePayload: ';4111111111111111=28121010000000000?'};

it('records for this user alone, and sends again what was not masked', async () => {
  const folder = tempFolder();
  const {argv} = await realFiles(folder);
  await using endpoint = await startServer({
    partners: [{partnerId: 'WATERFORD', partnerKey: 'ef1ad938150fb15a1384b883a104ce70'}],
    devices: [],
  });
  const file = join(folder, 'session.jsonl');
  const proxy = await serve(['--upstream', endpoint.url, '--record', file, ...argv]);
  const requests = [
    ['/api/v1/partner/validate', {reference: 'a'}],
    ['/api/v1/decrypt/parser', SWIPE],
    ['/api/v1/decrypt/parser', CLEAR],
  ] as const;
  const statuses = [];
  for (const [path, body] of requests) statuses.push((await post(proxy.url, path, body)).status);
  proxy.kill('SIGTERM');
  expect((await proxy.ended()).exitCode).toBe(0);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).response.status)).toEqual(statuses);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  endpoint.forgetRequests();
  const key = join(folder, 'key.txt');
  writeFileSync(key, 'ef1ad938150fb15a1384b883a104ce70', {mode: 0o600});
  const sent = await runBin([
    ...['send', 'payload', '--replay', file, '--base-url', endpoint.url, '--method', 'basic'],
    ...['--partner', 'WATERFORD', '--partner-key-file', key],
  ]);
  expect(sent.stdout.trim().split('\n')).toHaveLength(2);
  expect(sent.stderr).toContain('Skipped: 1 ');
  expect(
    endpoint.requests().map(({operation, authentication}) => [operation, authentication]),
  ).toEqual([
    ['validate-partner', 'basic'],
    ['process-payload', 'basic'],
  ]);
});

it.each([
  [['--upstream', 'https://a.example/api'], 'without a path'],
  [['--upstream', 'http://a.example'], 'loopback'],
  [['--upstream', 'http://127.0.0.1:8080'], 'another port'],
  [['--upstream', 'https://a.example', '--demo'], '--demo'],
  [['--upstream', 'https://a.example', '--mock'], '--mock'],
  [['--upstream', 'https://a.example', '--latency', '1s'], '--latency'],
  [['--upstream', 'https://a.example', '--fail-rate', '5%'], '--fail-rate'],
  [['--upstream', 'https://a.example', '--replay', 'x.jsonl'], '--replay'],
  [['--upstream', 'https://a.example', '--host', '0.0.0.0', '--insecure-http'], 'loopback'],
  [['--mock', '--record', 'x.jsonl'], '--upstream'],
])('refuses %j', async (argv, words) => {
  const {stdout, stderr, exitCode} = await runBin(['serve', ...argv]);
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toContain(words);
});

it('refuses a record that is none, or is not there', async () => {
  const file = join(tempFolder(), 'x.jsonl');
  for (const text of [undefined, 'no JSON\n']) {
    if (text !== undefined) writeFileSync(file, text);
    const {stderr, exitCode} = await runBin(['serve', '--replay', file, '--port', '0']);
    expect(stderr).toContain('Error 9002');
    expect(exitCode).toBe(4);
  }
});
