import {once} from 'node:events';
import {chmodSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi} from 'vitest';
import {startServer, type TestServer} from '../../src/service/start-server.js';
import {runCommand} from '../cli/run-command.js';
import {tempFolder} from '../keyfile/temp-folder.js';
import {hasTerminal, runOnTerminal} from './on-terminal.js';

const SWIPE = fileURLToPath(new URL('../../samples/idtech-swipe.json', import.meta.url));
const PAN = '4266841088889999';

let server: TestServer;
let folder = '';

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

beforeEach(() => {
  folder = tempFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  vi.stubEnv('PAYLENS_PARTNER_KEY', server.partner.partnerKey);
  vi.stubEnv('PAYLENS_SHARED_KEY', server.partner.sharedKey);
});
afterEach(() => vi.unstubAllEnvs());

const to = () => ['--base-url', server.url, '--partner', 'DEMO'];
const file = (name: string, text: string) => {
  writeFileSync(path.join(folder, name), text);
  chmodSync(path.join(folder, name), 0o600);
  return path.join(folder, name);
};

describe('send partner', () => {
  it('shows status, time and messageId', async () => {
    const {stdout, exitCode} = await runCommand('send:partner', [...to(), '--reference', 'r-7']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/200, success.*time\t[\d.]+ ms.*messageId\t\d{25}.*r-7/s);
  });

  it('gives JSON', async () => {
    const {stdout} = await runCommand('send:partner', [...to(), '--json']);
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      status: 200,
      milliseconds: expect.any(Number),
      attempts: 1,
      response: {success: true, messageId: expect.stringMatching(/^\d{25}$/)},
    });
  });

  it('explains an error code and ends with its exit code', async () => {
    vi.stubEnv('PAYLENS_SHARED_KEY', 'wrong');
    const {stdout, exitCode} = await runCommand('send:partner', to());
    expect([exitCode, stdout]).toEqual([
      5,
      expect.stringMatching(/1003.*Authentication required.*Check partnerId, key and method/s),
    ]);
  });

  it('explains an error code in JSON too', async () => {
    vi.stubEnv('PAYLENS_SHARED_KEY', 'wrong');
    const {stdout} = await runCommand('send:partner', [...to(), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      status: 401,
      response: {errCode: 1003},
      explanation: {message: 'Authentication required'},
    });
  });

  it.each([[], ['--json']])('shows no card number that an error quotes %s', async (...format) => {
    const card = '4111111111111111';
    const quoting = createServer((_, response) => {
      response.writeHead(400, {'content-type': 'application/json'});
      const errMessage = `found ${card} and ${Buffer.from(card).toString('hex')}`;
      const others = {
        messageId: '1201607010023571033712211',
        reference: `\u0010${card}`,
        detail: {[card]: [{pan: card}, Number(card), null, 7]},
      };
      response.end(JSON.stringify({success: false, errCode: 2000, errMessage, ...others}));
    });
    await once(quoting.listen(0, '127.0.0.1'), 'listening');
    const {port} = quoting.address() as AddressInfo;
    const argv = ['--base-url', `http://127.0.0.1:${port}`, '--partner', 'DEMO', ...format];
    const {stdout} = await runCommand('send:partner', argv);
    quoting.close();
    expect(stdout).toContain('found 411111******1111');
    expect(stdout).toContain('1201607010023571033712211');
    expect(stdout).not.toContain(Buffer.from(card).toString('hex'));
    expect(stdout).not.toContain(card);
  });

  it('sends a body as it is', async () => {
    const body = file('body.json', ' {"reference": "as it is"}\n');
    const {stdout} = await runCommand('send:partner', [...to(), '--json', '--body-file', body]);
    expect(JSON.parse(stdout).response.reference).toBe('as it is');
  });

  it('repeats, with a table of latencies', async () => {
    const {stdout, stderr} = await runCommand('send:partner', [
      ...to(),
      '--count',
      '20',
      '--concurrency',
      '4',
    ]);
    expect([stderr, stdout]).toEqual([
      '',
      expect.stringMatching(/20, 20 successful.*status 200.*p50 ms.*p95 ms.*p99 ms/s),
    ]);
  });

  it('repeats, and gives the figures as JSON', async () => {
    const argv = [...to(), '--count', '5', '--method', 'digest', '--json'];
    const {stdout} = await runCommand('send:partner', argv);
    expect(JSON.parse(stdout)).toMatchObject({requests: 5, succeeded: 5, outcomes: {'200': 5}});
  });

  it('repeats, and fails when one fails', async () => {
    vi.stubEnv('PAYLENS_SHARED_KEY', 'wrong');
    const {exitCode} = await runCommand('send:partner', [...to(), '--count', '2']);
    expect(exitCode).toBe(5);
  });
});

describe('a base URL with a path of the interface at its end', () => {
  it.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v1/partner/validate',
    '/api/decrypt/parser',
  ])('%s is understood, with a note', async (end) => {
    const argv = ['--base-url', `${server.url}${end}`, '--partner', 'DEMO', '--json'];
    const {stdout, stderr} = await runCommand('send:partner', argv);
    expect(JSON.parse(stdout)).toMatchObject({status: 200, success: true});
    expect(stderr).toContain(`Base URL: ${server.url} (`);
  });

  it.each(['/api', '/api/v1'])('%s is understood by profile add and verify', async (end) => {
    const url = `${server.url}${end}`;
    const {stdout} = await runCommand('profile:add', ['mine', '--base-url', url, '--json']);
    expect(JSON.parse(stdout).url).toBe(server.url);
    const run = await runCommand('verify', [url, '--only', 'partner-id-missing', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({passed: 1, failed: 0});
  });

  it.each([
    ['http://api', 'http://api'],
    ['http://api/v1', 'http://api/v1'],
    ['http://host/my/api', 'http://host/my'],
    ['http://host/myapi', 'http://host/myapi'],
    ['http://host/api/v2', 'http://host/api/v2'],
  ])('%s becomes %s', async (url, root) => {
    const {stdout} = await runCommand('profile:add', ['mine', '--base-url', url, '--json']);
    expect(JSON.parse(stdout).url).toBe(root);
  });

  it.each([
    ['parser.example.com/api', 'Example: https://parser.example.com/api'],
    ['localhost:8080', 'Example: http://localhost:8080'],
    ['http://me:word@host', 'Example: https://parser.example.com'],
    ['http://host?key=word', 'Example: https://parser.example.com'],
  ])('%s is refused with an example', async (url, example) => {
    for (const argv of [[url], ['mine', '--base-url', url]]) {
      const {exitCode, stderr} = await runCommand(argv.length > 1 ? 'profile:add' : 'verify', argv);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${example}\n`)]);
      expect(stderr).not.toContain('word');
    }
  });
});

describe('send --verbose', () => {
  it('shows the request before an error that names the URL', async () => {
    const argv = ['--base-url', 'http://127.0.0.1:1', '--partner', 'DEMO', '--verbose'];
    const {stderr, exitCode} = await runCommand('send:partner', argv);
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/^> POST http:\/\/127\.0\.0\.1:1\/api\/v1\/partner\/validate\n/);
    expect(stderr).toContain(
      'Network error: POST http://127.0.0.1:1/api/v1/partner/validate: conn',
    );
  });

  it.each(['hmac', 'basic', 'digest', 'transparent'])('of %s hides keys', async (method) => {
    const argv = [...to(), '--method', method, '--verbose', '--reference', 'seen'];
    const {stderr, stdout} = await runCommand('send:partner', argv);
    expect(stdout).toContain('200, success');
    expect(stderr).toMatch(/> {3}"reference": "seen"[\s\S]*< HTTP 200\n[\s\S]*"success": true/);
    const {partnerKey, sharedKey} = server.partner;
    const basic = Buffer.from(`DEMO:${partnerKey}`).toString('base64');
    for (const secret of [partnerKey, sharedKey, basic]) expect(stderr).not.toContain(secret);
    expect(stderr).not.toMatch(/response="[^[]/);
  });

  it('shows nothing of the card but its masked copies', async () => {
    const {stderr} = await runCommand('send:payload', [SWIPE, ...to(), '--verbose']);
    expect(stderr).toContain('"devicePayload": "[hidden, ');
    expect(stderr).toContain('"PAN": "[hidden, 16 characters]"');
    expect(stderr).toContain('"masked": ');
    for (const secret of [PAN, 'BUSH', '0809101'])
      expect(stderr.replaceAll(/"masked": ".*"/g, '')).not.toContain(secret);
  });

  it('hides whatever another server may call a secret', async () => {
    const odd = createServer((_, response) => {
      response.writeHead(400, {'set-cookie': 'sid=hush', 'x-api-key': 'hush'});
      const answer = {
        success: false,
        errCode: 2000,
        errMessage: 'x',
        pin: 90817263,
        'hush hush': 1,
      };
      response.end(JSON.stringify({...answer, list: ['hush', {key: 'hush'}]}));
    });
    await once(odd.listen(0, '127.0.0.1'), 'listening');
    const {port} = odd.address() as AddressInfo;
    const argv = ['--base-url', `http://127.0.0.1:${port}`, '--partner', 'DEMO', '--verbose'];
    const {stderr} = await runCommand('send:partner', argv);
    odd.close();
    expect(stderr).toContain('< set-cookie: [hidden]');
    expect(stderr).not.toMatch(/hush|90817263/);
  });
});

describe('send device', () => {
  it.each([
    [['DEMO0001', '--firmware', '1.0'], 0],
    [['DEMO0003', '--firmware', '1.0'], 4],
    [['DEMO0005', '--firmware', '1.0', '--client', 'client-1'], 0],
  ])('%j ends with exit code %i', async (argv, exit) => {
    expect((await runCommand('send:device', [...to(), ...argv])).exitCode).toBe(exit);
  });

  it('needs a serial number where nobody can be asked', async () => {
    const {exitCode, stderr} = await runCommand('send:device', to());
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('missing argument SERIAL')]);
  });
});

describe('send payload', () => {
  it('shows the card masked', async () => {
    const {stdout, stderr} = await runCommand('send:payload', [SWIPE, ...to()]);
    expect([stdout.includes('426684******9999'), (stdout + stderr).includes(PAN)]).toEqual([
      true,
      false,
    ]);
  });

  it('shows it unmasked when asked', async () => {
    expect((await runCommand('send:payload', [SWIPE, ...to(), '--reveal'])).stdout).toContain(PAN);
  });

  it('sends a raw payload with what the flags say', async () => {
    const {devicePayload} = JSON.parse(readFileSync(SWIPE, 'utf8'));
    const argv = [
      '--payload',
      devicePayload,
      '--device-type',
      'idtech',
      '--reference',
      'r-9',
      '--json',
    ];
    const {stdout} = await runCommand('send:payload', [...argv, ...to()]);
    expect(JSON.parse(stdout).response).toMatchObject({
      success: true,
      reference: 'r-9',
      extracted: {PAN},
    });
  });

  it.each(['{"partnerKey": "x", "devicePayload": "02"}', '{"keys": [], "devicePayload": "02"}'])(
    'refuses %s as an argument',
    async (json) => {
      const {exitCode, stderr} = await runCommand('send:payload', [json, ...to()]);
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining('keys are not accepted as arguments'),
      ]);
    },
  );

  it('takes JSON with a ksn as an argument', async () => {
    const json = '{"deviceType": "generic", "devicePayload": "x", "ksn": "FFFF9876543210E00001"}';
    const {stdout} = await runCommand('send:payload', [json, ...to(), '--json']);
    expect(JSON.parse(stdout)).toHaveProperty('response.errCode');
  });
});

describe('send refuses', () => {
  it.each([
    ['an address with credentials', ['--base-url', 'http://a:b@host']],
    ['another protocol', ['--base-url', 'ftp://host']],
    ['a query', ['--base-url', 'http://host?a=b']],
    ['no address', []],
    ['a profile that is not there', ['--profile', 'nobody']],
  ])('%s', async (_, argv) => {
    expect((await runCommand('send:partner', ['--partner', 'A', ...argv])).exitCode).toBe(2);
  });
});

describe('profiles', () => {
  const profile = (name: string, argv: string[] = []) =>
    runCommand('profile:add', [name, '--base-url', server.url, ...argv]);

  it('say where to send and who sends', async () => {
    await profile('demo', ['--partner', 'DEMO', '--method', 'basic']);
    expect((await runCommand('send:partner', [])).exitCode).toBe(0);
    expect(server.requests().at(-1)).toMatchObject({status: 200});
  });

  it('are chosen by name', async () => {
    await runCommand('profile:add', [
      'first',
      '--base-url',
      'http://127.0.0.1:1',
      '--partner',
      'DEMO',
    ]);
    await profile('second', ['--partner', 'DEMO']);
    const argv = ['--profile', 'second'];
    expect((await runCommand('send:partner', argv)).exitCode).toBe(0);
  });

  it.each([
    ['in use', []],
    ['named', ['--profile', 'first']],
  ])('say who sends when the address is given, %s', async (_, argv) => {
    const address = ['--base-url', 'http://127.0.0.1:1', '--partner', 'DEMO', '--method', 'basic'];
    await runCommand('profile:add', ['first', ...address]);
    const sent = await runCommand('send:partner', ['--base-url', server.url, ...argv]);
    expect(sent.exitCode).toBe(0);
    expect(server.requests().at(-1)).toMatchObject({authentication: 'basic', partnerId: 'DEMO'});
  });

  it('stand back when address and partner are given', async () => {
    await runCommand('profile:add', ['first', '--base-url', 'http://127.0.0.1:1']);
    expect((await runCommand('send:partner', to())).exitCode).toBe(0);
  });

  it('are listed, the one in use with a star', async () => {
    await profile('first', ['--partner', 'DEMO']);
    await profile('second');
    await runCommand('profile:use', ['second']);
    expect((await runCommand('profile:list', [])).stdout).toMatch(/^ {2}first.*^\* second/ms);
  });

  it('are listed as JSON', async () => {
    await profile('first', ['--partner', 'DEMO']);
    expect(JSON.parse((await runCommand('profile:list', ['--json'])).stdout)).toEqual([
      {name: 'first', current: true, url: server.url, partner: 'DEMO'},
    ]);
  });

  it('are removed', async () => {
    await profile('first');
    await runCommand('profile:remove', ['first']);
    expect((await runCommand('profile:list', ['--json'])).stdout).toBe('[]\n');
  });

  it('hold no key, whatever the environment holds', async () => {
    await profile('first', ['--partner', 'DEMO', '--method', 'hmac']);
    const saved = readFileSync(path.join(folder, 'paylens', 'profiles.json'), 'utf8');
    expect(saved).not.toMatch(
      new RegExp(`${server.partner.partnerKey}|${server.partner.sharedKey}`),
    );
  });

  it('leave no other file behind', async () => {
    await profile('first');
    await profile('second');
    expect(readdirSync(path.join(folder, 'paylens'))).toEqual(['profiles.json']);
  });

  it.each([
    ['profile:use', ['nobody'], 2],
    ['profile:remove', ['constructor'], 2],
    ['profile:add', ['a b', '--base-url', 'http://h'], 2],
    ['profile:add', ['__proto__', '--base-url', 'http://h'], 2],
    ['profile:add', ['a', '--base-url', 'http://user:secret@h'], 2],
  ] as const)('%s %j is refused', async (id, argv, exit) => {
    expect((await runCommand(id, [...argv])).exitCode).toBe(exit);
  });

  it('in a damaged file are an error', async () => {
    await profile('first');
    writeFileSync(path.join(folder, 'paylens', 'profiles.json'), '{"profiles": {"a": 1}}');
    expect((await runCommand('profile:list', [])).exitCode).toBe(4);
  });
});

describe.runIf(hasTerminal)('on a terminal send', () => {
  it('asks for the key, hidden', async () => {
    const {seen, stdout, exitCode} = await runOnTerminal(
      ['send', 'device', 'DEMO0001', '--firmware', '1.0', ...to(), '--method', 'basic', '--json'],
      [['partnerKey of DEMO:', `${server.partner.partnerKey}\n`]],
      {PAYLENS_PARTNER_KEY: '', XDG_CONFIG_HOME: folder},
    );
    expect([exitCode, JSON.parse(stdout).status]).toEqual([0, 200]);
    expect(seen).not.toContain(server.partner.partnerKey);
  });
});
