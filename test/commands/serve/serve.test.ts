import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, writeFileSync} from 'node:fs';
import {request} from 'node:https';
import {connect, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {BIN, runBins} from '../../cli/run-bin.js';
import {PASSPHRASE, TEST_BDK} from '../../keyfile/sample-keyfile.js';
import {tempFolder} from '../../keyfile/temp-folder.js';
import {tenthOf} from '../../long.js';
import {
  PAN,
  PARTNER_KEY,
  post,
  put,
  putDevices,
  putKeyfile,
  realFiles,
  SERIAL,
  SHARED_KEY,
  SWIPE,
} from './real-service.js';
import {type Serving, serve} from './serving.js';

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';

describe('the ready line', () => {
  it.each(['--demo', '--mock'])('of %s names the partner that may call it', async (mode) => {
    const service = await serve([mode]);
    const {url, ready} = service;
    const partner = ready.partner as Record<string, string>;
    expect(Object.keys(ready)).toEqual(['url', 'partner']);
    expect(Object.keys(partner)).toEqual(['partnerId', 'partnerKey', 'sharedKey']);
    expect((await post(url, PARTNER, partner)).status).toBe(200);
    // And it says loudly what it is.
    await service.logged('offers no protection');
    expect(service.log()[0]).toMatchObject({level: 40});
  });

  it('is all that goes to stdout', async () => {
    const service = await serve(['--demo']);
    await post(service.url, PARTNER);
    service.kill('SIGTERM');
    const {stdout} = await service.ended();
    expect(stdout).toBe(`${JSON.stringify(service.ready)}\n`);
  });
});

describe('the log', () => {
  it('is JSON on stderr and holds no secret and no PAN', async () => {
    const {argv} = await realFiles(tempFolder());
    const service = await serve(argv);
    await post(service.url, PARSER, {...SWIPE, reference: PAN});
    await post(service.url, PARSER, {...SWIPE, deviceType: PAN});
    await post(service.url, PARSER, {deviceType: 'generic', devicePayload: `;${PAN}=2512?`});
    await post(service.url, PARTNER, {partnerKey: `${PARTNER_KEY}x`});
    await post(service.url, `/api/${PAN}`);
    await post(service.url, DEVICE, {serial: PAN, firmware: PAN, clientId: PAN});
    service.kill('SIGTERM');
    await service.ended();
    expect(service.log().filter(({msg}) => msg === 'request').length).toBeGreaterThan(4);
    for (const secret of [PAN, PARTNER_KEY, SHARED_KEY, PASSPHRASE, TEST_BDK]) {
      expect(service.stderr().toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  it('warns of a published test key and of the keyfile, and serves all the same', async () => {
    const {argv, keyfile} = await realFiles(tempFolder());
    chmodSync(keyfile, 0o644);
    const service = await serve(argv);
    expect(service.ready).toEqual({url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)});
    for (const warning of ['"lab" is a published', 'chmod 600'])
      expect(service.log()).toContainEqual(
        expect.objectContaining({level: 40, msg: expect.stringContaining(warning)}),
      );
    expect((await post(service.url, PARSER, SWIPE)).status).toBe(200);
  });

  it('may lose its reader: the service goes on', async () => {
    const script = `exec "${process.execPath}" bin/run.js serve --demo --port 0 2> >(head -1 >/dev/null)`;
    const child = execa('bash', ['-c', script], {reject: false});
    try {
      const [chunk] = await once(child.stdout, 'data');
      const {url, partner} = JSON.parse(String(chunk));
      for (let sent = 0; sent < 5; sent++) {
        expect((await post(url, PARTNER, partner)).status).toBe(200);
        await wait(50);
      }
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('ends an idle service with exit code 0', async () => {
    const service = await serve(['--demo']);
    await post(service.url, PARTNER);
    service.kill(signal);
    expect((await service.ended()).exitCode).toBe(0);
  });

  it('ends it with 0 as soon as the ready line is out', async () => {
    const argv = [BIN, 'serve', '--demo', '--port', '0'];
    const child = execa(process.execPath, argv, {reject: false, buffer: false});
    await once(child.stdout, 'data');
    child.kill(signal);
    expect((await child).exitCode).toBe(0);
  });

  it('given twice ends at once', async () => {
    const service = await serve(['--demo', '--latency', '15s']);
    const cut = post(service.url, PARTNER, demoPartner(service)).catch(() => 'cut');
    await wait(300);
    service.kill(signal);
    await service.logged('stopping');
    service.kill(signal);
    expect((await service.ended()).exitCode).toBe(130);
    // It did not wait for its answer.
    expect(await cut).toBe('cut');
  });
});

describe.each(tenthOf(['SIGTERM', 'SIGINT'] as const, (signal) => signal))('%s', (signal) => {
  it('lets requests in flight finish, refuses new ones with 503, and exits with 0', async () => {
    const service = await serve(['--demo', '--latency', '5s']);
    const inFlight = Array.from({length: 5}, () =>
      post(service.url, PARTNER, demoPartner(service)),
    );
    await wait(1500);
    service.kill(signal);
    await service.logged('stopping');
    const late = await post(service.url, PARTNER, demoPartner(service));
    expect((await Promise.all(inFlight)).map(({status}) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect(late).toMatchObject({status: 503, answer: {success: false, errCode: 2}});
    expect((await service.ended()).exitCode).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('SIGUSR1', () => {
  it('opens no debugger', async () => {
    const service = await serve(['--demo']);
    process.kill(service.pid, 'SIGUSR1');
    await wait(1000);
    expect((await post(service.url, PARTNER, demoPartner(service))).status).toBe(200);
    expect(service.stderr()).not.toMatch(/debugger|inspector/i);
  });
});

describe('a stop waits', () => {
  it('for a body that is still being sent', async () => {
    const {argv} = await realFiles(tempFolder());
    const service = await serve(argv);
    const body = JSON.stringify({partnerId: 'WATERFORD', partnerKey: PARTNER_KEY});
    const socket = await rawPost(service.url, body.slice(0, 10), body.length);
    await wait(1000);
    service.kill('SIGTERM');
    await service.logged('stopping');
    socket.write(body.slice(10));
    expect(await received(socket)).toMatch(
      /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*connection: close\r\n/i,
    );
    expect((await service.ended()).exitCode).toBe(0);
  });

  it('not for connections that send nothing, nor for answers that never come', async () => {
    const service = await serve(['--mock']);
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
    silent.on('error', () => {});
    const reference = 'fault:timeout';
    post(service.url, PARTNER, {...demoPartner(service), reference}).catch(() => {});
    await wait(300);
    const started = performance.now();
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('SIGHUP', () => {
  it('takes over new keyfiles and devices without dropping a request', async () => {
    const {argv, keyfile, devices} = await realFiles(tempFolder());
    const service = await serve(argv);
    const load = startLoad(service.url);
    for (let round = 1; round <= 5; round++) {
      await putKeyfile(keyfile);
      putDevices(devices, [{}, {serial: `R${round}`}]);
      service.kill('SIGHUP');
      await waitFor(() => service.log().filter(({msg}) => msg === 'reloaded').length === round);
      const known = await post(service.url, DEVICE, {serial: `R${round}`, firmware: '1'});
      expect(known.status).toBe(200);
    }
    const statuses = await load.stop();
    expect(statuses.length).toBeGreaterThan(50);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('puts the last state in force when it is given many times at once', async () => {
    const {argv, devices} = await realFiles(tempFolder());
    const service = await serve(argv);
    for (let round = 0; round < 10; round++) {
      putDevices(devices, [{serial: `R${round}`}]);
      service.kill('SIGHUP');
    }
    await waitFor(async () => {
      const {status} = await post(service.url, DEVICE, {serial: 'R9', firmware: '1'});
      return status === 200;
    });
    expect((await post(service.url, DEVICE, {serial: 'R8', firmware: '1'})).status).toBe(400);
  });

  it('makes a rotated partnerKey valid and the old one not', async () => {
    const {argv, keyfile} = await realFiles(tempFolder());
    const service = await serve(argv);
    await putKeyfile(keyfile, 'a new partnerKey');
    service.kill('SIGHUP');
    await service.logged('reloaded');
    expect((await post(service.url, PARTNER)).status).toBe(401);
    const {status} = await post(service.url, PARTNER, {partnerKey: 'a new partnerKey'});
    expect(status).toBe(200);
  });

  it.each<[string, (files: {keyfile: string; devices: string}) => unknown, string]>([
    ['a keyfile that is damaged', ({keyfile}) => put(keyfile, Buffer.from('x')), 'Keyfile damaged'],
    ['a keyfile that is missing', ({keyfile}) => execFileSync('rm', [keyfile]), 'Keyfile missing'],
    ['a method without its key', ({keyfile}) => putKeyfile(keyfile, '', ['rsa']), 'rsa is enabled'],
    [
      'a devices file that is damaged',
      ({devices}) => writeFileSync(devices, '{"partnerId":'),
      'line 1: column 14: expected a value, found the end',
    ],
  ])('keeps serving the old for %s, and logs why', async (_, damage, why) => {
    const files = await realFiles(tempFolder());
    const service = await serve([...files.argv, '--devices', files.devices]);
    await damage(files);
    service.kill('SIGHUP');
    await service.logged('reload failed');
    const [line] = service.log().filter(({msg}) => String(msg).startsWith('reload failed'));
    expect(line).toMatchObject({level: 50, why: expect.stringContaining(why)});
    expect((await post(service.url, PARSER, SWIPE)).status).toBe(200);
  });

  it('opens the keyfile again with the passphrase that the environment had', async () => {
    const {keyfile, devices} = await realFiles(tempFolder());
    const service = await serve(['--keyfile', keyfile], {PAYLENS_PASSPHRASE: PASSPHRASE});
    putDevices(devices, [{serial: 'NEW'}]);
    service.kill('SIGHUP');
    await service.logged('reloaded');
    expect((await post(service.url, DEVICE, {serial: 'new', firmware: '1'})).status).toBe(200);
  });
});

describe('a real service looks devices up', () => {
  const CASES: readonly (readonly [string, object[], string, object, number | undefined])[] = [
    ['a registered device', [{}], DEVICE, {serial: SERIAL, firmware: '1'}, undefined],
    ['other zeros', [{serial: '0A1'}], DEVICE, {serial: '00a1', firmware: '1'}, undefined],
    [
      'an activating one',
      [{status: 'activating'}],
      DEVICE,
      {serial: SERIAL, firmware: '1'},
      undefined,
    ],
    ['no serial', [{}], DEVICE, {firmware: '1'}, 1201],
    ['an empty serial', [{}], DEVICE, {serial: '', firmware: '1'}, 1201],
    ['an unknown device', [], DEVICE, {serial: SERIAL, firmware: '1'}, 1202],
    ["another partner's device", [{partnerId: 'B'}], DEVICE, {serial: SERIAL, firmware: '1'}, 1202],
    ['an inactive one', [{status: 'inactive'}], DEVICE, {serial: SERIAL, firmware: '1'}, 1203],
    ['a stored one', [{status: 'stored'}], DEVICE, {serial: SERIAL, firmware: '1'}, 1203],
    ['other firmware', [{firmware: ['2']}], DEVICE, {serial: SERIAL, firmware: '1'}, 1204],
    ['no firmware', [{}], DEVICE, {serial: SERIAL}, 1204],
    [
      'two clients and no clientId',
      [{clientId: 'C1'}, {clientId: 'C2'}],
      DEVICE,
      {serial: SERIAL, firmware: '1'},
      1205,
    ],
    [
      'the clientId of one of two',
      [{clientId: 'C1'}, {clientId: 'C2'}],
      DEVICE,
      {serial: SERIAL, firmware: '1', clientId: 'C2'},
      undefined,
    ],
    ['a read of a registered device', [{}], PARSER, SWIPE, undefined],
    ['a read, whatever its firmware', [{firmware: ['2']}], PARSER, SWIPE, undefined],
    ['a read of an unknown device', [], PARSER, SWIPE, 1202],
    ['a read of an inactive device', [{status: 'inactive'}], PARSER, SWIPE, 1203],
    ['a read of two clients', [{clientId: 'C1'}, {clientId: 'C2'}], PARSER, SWIPE, 1205],
    ['a read of a client', [{clientId: 'C1'}], PARSER, {...SWIPE, clientId: 'C1'}, undefined],
  ];

  it('and answers as the contract says', async () => {
    const {argv, devices} = await realFiles(tempFolder());
    const service = await serve(argv);
    for (const [index, [name, registered, path, body, code]] of CASES.entries()) {
      putDevices(devices, registered);
      service.kill('SIGHUP');
      await waitFor(() => service.log().filter(({msg}) => msg === 'reloaded').length > index);
      const {status, answer} = await post(service.url, path, body);
      expect({name, status, code: answer.errCode}).toEqual({
        name,
        status: code === undefined ? 200 : 400,
        code,
      });
    }
  });

  it('unless it is started with --allow-unregistered', async () => {
    const {argv} = await realFiles(tempFolder(), []);
    const service = await serve([...argv, '--allow-unregistered']);
    expect((await post(service.url, PARSER, SWIPE)).status).toBe(200);
  });
});

describe('serve does not start', () => {
  const start = async (argv: readonly string[], env = {}) => {
    const [run] = await starts([argv], env);
    if (!run) throw new Error('nothing was run');
    return run;
  };
  const starts = (argvs: readonly (readonly string[])[], env = {}) =>
    runBins(
      argvs.map((argv) => ['serve', ...(argv.includes('--port') ? [] : ['--port', '0']), ...argv]),
      {PAYLENS_PASSPHRASE: '', ...env},
    );

  it('on a port that is taken: 9020, exit code 6', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const {port} = taken.address() as {port: number};
    const {stdout, stderr, exitCode} = await start(['--demo', '--port', String(port)]);
    taken.close();
    expect(stderr).toMatch(new RegExp(`Error 9020: .* port ${port}: port already in use`));
    expect([stdout, exitCode]).toEqual(['', 6]);
  });

  it('on an address that is not of this machine: 9020', async () => {
    const {stderr} = await start(['--demo', '--insecure-http', '--host', '192.0.2.1']);
    expect(stderr).toContain('Error 9020');
  });

  it('with a certificate or key of no use: 9002, exit code 4', async () => {
    const folder = tempFolder();
    const {cert, key} = selfSigned(folder, 'a');
    const other = selfSigned(folder, 'b').key;
    const cases: readonly (readonly [cert: string, key: string, message: RegExp])[] = [
      ['no.pem', key, /certificate no\.pem: no such file/],
      [cert, 'no.pem', /TLS key --tls-key-file: no such file/],
      [folder, key, /certificate .*directory/],
      [key, key, /expected a certificate in PEM form/],
      [cert, cert, /expected a private key in PEM form/],
      [cert, other, /key of the certificate/],
    ];
    const argvs = cases.map(([certificate, tlsKey]) => {
      return ['--demo', '--tls-cert-file', certificate, '--tls-key-file', tlsKey];
    });
    for (const [i, {stderr, exitCode}] of (await starts(argvs)).entries()) {
      // A certificate in place of the key may be read by all, which is warned of before.
      expect(stderr).toMatch(/^Error 9002: /m);
      expect(stderr).toMatch(cases[i]?.[2] ?? '');
      expect(exitCode).toBe(4);
    }
  });

  it.each([
    ['is missing', undefined, 'Error 9010'],
    ['is broken', Buffer.from('age-encryption.org/v1\n-> x'), 'Error 9012'],
  ])('when the keyfile %s: exit code 3', async (_, bytes, error) => {
    const path = join(tempFolder(), 'keys.age');
    if (bytes) writeFileSync(path, bytes, {mode: 0o600});
    const {stdout, stderr, exitCode} = await start(['--keyfile', path]);
    expect(stderr).toContain(error);
    expect([stdout, exitCode]).toEqual(['', 3]);
  });

  it('with a wrong passphrase: 9011, exit code 3, and does not repeat it', async () => {
    const {keyfile} = await realFiles(tempFolder());
    const env = {PAYLENS_PASSPHRASE: 'not the right one'};
    const {stderr, exitCode} = await start(['--keyfile', keyfile], env);
    expect(stderr).toContain('Error 9011');
    expect(stderr).not.toContain('not the right one');
    expect(exitCode).toBe(3);
  });

  it('with a devices file that was named and is missing: 9002', async () => {
    const {argv} = await realFiles(tempFolder());
    const {stderr, exitCode} = await start([...argv, '--devices', 'no.jsonl']);
    expect(stderr).toContain('Error 9002');
    expect(exitCode).toBe(4);
  });

  it('with flags that contradict each other: wrong usage', async () => {
    const lines = [
      '--demo --host 0.0.0.0',
      '--demo --host ::',
      '--demo --keyfile keys.age',
      '--mock --devices devices.jsonl',
      '--demo --mock',
      '--demo --tls-cert-file a.pem',
      '--latency 5ms',
      '--demo --port 65536',
      '--demo --body-limit 131073',
    ];
    const runs = await starts(lines.map((line) => line.split(' ')));
    for (const [i, {stdout, stderr, exitCode}] of runs.entries()) {
      expect([lines[i], stderr]).toEqual([lines[i], expect.stringContaining('Error 9001')]);
      expect([stdout, exitCode]).toEqual(['', 2]);
    }
  });

  it('and says why as JSON with --json', async () => {
    const {stdout, exitCode} = await start(['--json', '--keyfile', 'no.age']);
    expect(JSON.parse(stdout)).toMatchObject({success: false, errCode: 9010});
    expect(exitCode).toBe(3);
  });
});

describe('--host localhost', () => {
  const TWO_ADDRESSES = `
    import dns from 'node:dns';
    const {lookup} = dns;
    const both = [{address: '127.0.0.1', family: 4}, {address: '::1', family: 6}];
    dns.lookup = (host, ...rest) => {
      const done = rest.at(-1);
      if (host !== 'localhost') lookup(host, ...rest);
      else setImmediate(() => rest[0].all ? done(null, both) : done(null, '127.0.0.1', 4));
    };`;

  it('is 127.0.0.1 alone, also where the system has two addresses for it', async () => {
    const patch = `--import data:text/javascript,${encodeURIComponent(TWO_ADDRESSES)}`;
    const {url} = await serve(['--demo', '--host', 'localhost'], {NODE_OPTIONS: patch});
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await expect(fetch(`${url.replace('127.0.0.1', '[::1]')}/healthz`)).rejects.toThrow();
  });
});

describe('beyond loopback', () => {
  it('it serves without TLS where --insecure-http allows it', async () => {
    const service = await serve(['--demo', '--host', '0.0.0.0', '--insecure-http']);
    const url = service.url.replace('0.0.0.0', '127.0.0.1');
    expect((await post(url, PARTNER, demoPartner(service))).status).toBe(200);
  });

  it('it serves with TLS, and plain HTTP to that port does no harm', async () => {
    const {cert, key} = selfSigned(tempFolder(), 'a');
    const argv = ['--demo', '--host', '0.0.0.0', '--tls-cert-file', cert, '--tls-key-file', key];
    const service = await serve(argv);
    expect(service.url).toMatch(/^https:/);
    const url = service.url.replace('0.0.0.0', 'localhost');
    await post(url.replace('https', 'http'), PARTNER).catch(() => {});
    expect(await postTls(url, demoPartner(service), execFileSync('cat', [cert]))).toBe(200);
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(0);
  });
});

function demoPartner({ready}: Serving): object {
  return ready.partner as object;
}

/** Sends requests without a pause, four at a time, until it is stopped: then their statuses. */
function startLoad(url: string) {
  let running = true;
  const statuses: number[] = [];
  const worker = async () => {
    while (running) {
      const sent = statuses.length % 2 === 0 ? post(url, PARTNER) : post(url, PARSER, SWIPE);
      statuses.push((await sent.catch(() => ({status: 0}))).status);
    }
  };
  const workers = Array.from({length: 4}, worker);
  return {
    stop: async () => {
      running = false;
      await Promise.all(workers);
      return statuses;
    },
  };
}

async function waitFor(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await done()); tries++) {
    if (tries > 2500) throw new Error('it did not happen within 50 s');
    await wait(20);
  }
}

async function rawPost(url: string, start: string, length: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  const lines = [
    `POST ${PARTNER} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${start}`);
  return socket;
}

async function received(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

function selfSigned(folder: string, name: string) {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const files = ['-keyout', key, '-out', cert];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
    stdio: 'ignore',
  });
  return {cert, key};
}

function postTls(url: string, body: object, ca: Uint8Array): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {'content-type': 'application/json'};
    const options = {method: 'POST', headers, ca: Buffer.from(ca)};
    const sent = request(url + PARTNER, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}
