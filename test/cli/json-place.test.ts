import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import type {COMMANDS} from '../../src/command-list.js';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {runCommand} from './run-command.js';

/** What must not be repeated: it could be a card, a key, a passphrase. */
const CANARY = 'canary7391';
const ONE_LINE = `{"deviceType": "idtech", "keys": [{"hex": "${CANARY}"}], "devicePayload": ${CANARY}}`;
const PLACE = `column ${ONE_LINE.lastIndexOf(CANARY) + 1}: expected a value, found a letter`;

const folder = mkdtempSync(path.join(tmpdir(), 'json-place-'));
const file = path.join(folder, 'broken.json');
const lines = path.join(folder, 'broken.jsonl');
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  writeFileSync(file, `\n\r\n${ONE_LINE}\n`);
  writeFileSync(lines, `\n\r\n${ONE_LINE}\n`);
  mkdirSync(path.join(folder, 'paylens'));
});
beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('PAYLENS_KEYFILE', '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(folder, {recursive: true});
});

describe('JSON that does not parse is told by line, column and kind of character', () => {
  it.each<[string, keyof typeof COMMANDS, string[]]>([
    ['a request to decrypt', 'decrypt', [file, '--test-keys']],
    ['a request to inspect', 'inspect', [file]],
    ['a case to diagnose', 'diagnose', [file]],
    ['keys to import', 'key:import', [file, '--keyfile', path.join(folder, 'none.age')]],
    ['devices to import', 'device:import', [lines, '--devices', path.join(folder, 'new.jsonl')]],
    ['a devices file', 'device:list', ['--devices', lines]],
    ['a configuration of verify', 'verify', ['http://127.0.0.1:1', '--config', file]],
  ])('in %s', async (_what, id, argv) => {
    for (const json of [[], ['--json']]) {
      const {stdout, stderr} = await runCommand(id, [...argv, ...json]);
      expect(stdout + stderr).toMatch(new RegExp(`line 3[,:] ${PLACE}`));
      expect(stdout + stderr).not.toContain(CANARY);
    }
  });

  it('in the profiles', async () => {
    writeFileSync(path.join(folder, 'paylens/profiles.json'), `\n\n${ONE_LINE}`);
    const {stderr} = await runCommand('profile:list', []);
    expect(stderr).toContain(`line 3, ${PLACE}`);
    expect(stderr).not.toContain(CANARY);
  });

  it('in a line of a batch', async () => {
    const {stdout} = await runCommand('decrypt', ['--batch', lines, '--test-keys']);
    expect(stdout).toContain(`line 1, ${PLACE}`);
    expect(stdout).not.toContain(CANARY);
  });

  it.each(['/api/v1/partner/validate', '/api/v1/device/validate', '/api/v1/decrypt/parser'])(
    'in the body of %s',
    async (target) => {
      const answer = await fetch(`${server.url}${target}`, {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: `\n\r\n${ONE_LINE}`,
      });
      const text = await answer.text();
      expect([answer.status, JSON.parse(text).errCode]).toEqual([400, 2004]);
      expect(text).toContain(`line 3, ${PLACE}`);
      expect(text).not.toContain(CANARY);
    },
  );
});
