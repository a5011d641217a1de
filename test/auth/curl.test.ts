import {createServer, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {authenticate} from '../../src/auth/authenticate.js';
import {challenges} from '../../src/auth/challenges.js';
import {NOW, PARTNER_KEY, TARGET, testServer} from './auth-fixture.js';

const {context} = testServer();
let server: Server;
let url = '';
/** Schemes of the challenges that are sent. */
let offered = /^/;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const authorization = request.headersDistinct.authorization ?? [];
    const {method = '', url: target = ''} = request;
    try {
      const body = await bodyOf(request);
      const {method: used} = await authenticate({method, target, body, authorization}, context);
      response.end(used);
    } catch {
      const nonce = context.digestNonces.issue(NOW * 1000);
      response.statusCode = 401;
      response.setHeader(
        'WWW-Authenticate',
        challenges({nonce}).filter((one) => offered.test(one)),
      );
      response.end('refused');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${TARGET}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function curl(...argv: readonly string[]): Promise<string> {
  const body = ['--json', '{"reference":"r-1"}'];
  return (await execa('curl', ['-s', '--noproxy', '*', ...argv, ...body, url])).stdout;
}

describe('curl', () => {
  it('authenticates with -u', async () => {
    expect(await curl('-u', `WATERFORD:${PARTNER_KEY}`)).toBe('basic');
  });

  it('authenticates with --digest', async () => {
    expect(await curl('--digest', '-u', `WATERFORD:${PARTNER_KEY}`)).toBe('digest');
  });

  it('authenticates with --digest several times over one nonce', async () => {
    const {stdout} = await execa('curl', [
      ...['-s', '--noproxy', '*', '--digest', '-u', `WATERFORD:${PARTNER_KEY}`],
      ...['-d', '{}', url, url, url],
    ]);
    expect(stdout).toBe('digestdigestdigest');
  });

  it('takes the Digest challenge with --anyauth', async () => {
    expect(await curl('--anyauth', '-u', `WATERFORD:${PARTNER_KEY}`)).toBe('digest');
  });

  it('is refused with a wrong key', async () => {
    expect(await curl('--digest', '-u', 'WATERFORD:wrong')).toBe('refused');
  });

  it('without Digest among the challenges sends no credentials for it', async () => {
    offered = /^(?:Hmac|Basic)/;
    expect(await curl('--digest', '-u', `WATERFORD:${PARTNER_KEY}`)).toBe('refused');
    offered = /^/;
  });
});

describe('the challenges', () => {
  it('are one for each method, for Digest SHA-256 before MD5', () => {
    expect(challenges({nonce: 'n'})).toEqual([
      'Hmac realm="Users"',
      'Rsa realm="Users"',
      'Digest realm="Users", qop="auth", algorithm=SHA-256, nonce="n", charset=UTF-8',
      'Digest realm="Users", qop="auth", algorithm=MD5, nonce="n", charset=UTF-8',
      'Basic realm="Users", charset="UTF-8"',
    ]);
  });

  it('say stale=true when only the nonce was wrong', () => {
    const stale = challenges({nonce: 'n', stale: true}).filter((one) =>
      one.endsWith(', stale=true'),
    );
    expect(stale.map((one) => one.split(' ')[0])).toEqual(['Digest', 'Digest']);
  });
});
