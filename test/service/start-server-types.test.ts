import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TSC = path.join(root, 'node_modules/typescript/bin/tsc');

const SUITE = `
import {
  startServer,
  type AnswerOrder,
  type StartServerOptions,
  type StartTerminalOptions,
  type TerminalOrder,
  type TestDevice,
  type TestKey,
  type TestPartner,
  type TestServer,
} from 'paylens/server';

type Absent<T> = {[K in keyof T as {} extends Pick<T, K> ? K : never]: undefined};

export const accepted = (
  server: Absent<StartServerOptions>,
  partner: Absent<TestPartner>,
  device: Absent<TestDevice>,
  key: Absent<TestKey>,
  terminal: Absent<StartTerminalOptions>,
  order: Absent<TerminalOrder>,
  answer: Absent<AnswerOrder>,
): [StartServerOptions, TestPartner, TestDevice, TestKey, StartTerminalOptions, TerminalOrder, AnswerOrder] => [
  server,
  {...partner, partnerId: 'a'},
  {...device, serial: '1'},
  {...key, key: '00'},
  {...terminal, deviceType: 'idtech'},
  {...order, answer: {}},
  {...answer, answer: {}},
];

async function closed(): Promise<string> {
  const order: AnswerOrder = {match: {reference: 'r'}, answer: {error: 2601}, times: 2};
  await using server: TestServer = await startServer({
    ...{mode: 'mock', fail: 0, port: undefined, devices: [{serial: '1', firmware: undefined}]},
    partners: [{partnerId: 'a', partnerKey: 'k', sharedKey: undefined}],
  });
  const id: string = server.answer(order);
  if (!server.answers().some((answer) => answer.id === id)) throw new Error('not queued');
  return server.url;
}

declare const fetch: (url: string) => Promise<{status: number}>;
declare const console: {log(text: string): void};

const url = await closed();
const after = await fetch(url + '/healthz').then(() => 'open', () => 'closed');
console.log(after);
`;

let project = '';

beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'paylens-types-'));
  mkdirSync(path.join(project, 'node_modules'));
  symlinkSync(root, path.join(project, 'node_modules/paylens'));
  writeFileSync(path.join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(project, 'suite.ts'), SUITE);
});
afterAll(() => rmSync(project, {recursive: true}));

describe('paylens/server in a suite compiled to ES2022', {timeout: 60_000}, () => {
  // The second library has the same declarations as our own.
  test.each(['es2022', 'es2022,esnext.disposable'])(
    'needs neither the types of Node nor more than its library: %s',
    async (lib) => {
      const settings = ['--target', 'es2022', '--lib', lib, '--module', 'nodenext', '--strict'];
      settings.push('--exactOptionalPropertyTypes');
      const argv = [TSC, ...settings, '--types', '', '--skipLibCheck', 'false', 'suite.ts'];
      const options = {cwd: project, reject: false, all: true} as const;
      const compiled = await execa(process.execPath, argv, options);
      expect([compiled.exitCode, compiled.all]).toEqual([0, '']);
      const run = await execa(process.execPath, ['suite.js'], options);
      expect([run.exitCode, run.all]).toEqual([0, 'closed']);
    },
  );
});
