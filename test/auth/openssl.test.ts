import {createPrivateKey} from 'node:crypto';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {signatureHeader, signHmac} from '../../src/auth/methods/hmac.js';
import {signRsa} from '../../src/auth/methods/rsa.js';
import {HmacKey} from '../../src/auth/partner/hmac-key.js';
import {stringToHash} from '../../src/auth/string-to-hash.js';
import {NOW, SHARED_KEY, TARGET, testPartner, testServer} from './auth-fixture.js';

const BODY = Buffer.from(' {"reference":"r-1"}\r\n');
const REQUEST = {method: 'POST', target: TARGET, body: BODY};
const SIGNER = {partnerId: 'WATERFORD', nonce: 'n-1', timestamp: NOW};
const MESSAGE = stringToHash(REQUEST, SIGNER.nonce, String(NOW));

let folder = '';
const file = (name: string) => path.join(folder, name);
const openssl = async (argv: readonly string[], input?: string) =>
  (await execa('openssl', argv, {encoding: 'buffer', ...(input !== undefined && {input})})).stdout;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'paylens-openssl-'));
  await openssl([
    'genpkey',
    '-algorithm',
    'RSA',
    '-pkeyopt',
    'rsa_keygen_bits:2048',
    '-out',
    file('key.pem'),
  ]);
  await openssl(['pkey', '-in', file('key.pem'), '-pubout', '-out', file('public.pem')]);
});

afterAll(() => rm(folder, {recursive: true, force: true}));

describe('the openssl command', () => {
  it('makes an HMAC that we accept', async () => {
    const output = await openssl(['dgst', '-sha256', '-hmac', SHARED_KEY], MESSAGE);
    const response = Buffer.from(output).toString().trim().split(' ').at(-1) ?? '';
    const authorization = [signatureHeader('Hmac', SIGNER, response)];
    expect(await testServer().answer({body: BODY, authorization})).toBe('accepted');
  });

  it('makes the same HMAC as we do', async () => {
    const output = await openssl(['dgst', '-sha256', '-hmac', SHARED_KEY], MESSAGE);
    const header = signHmac(REQUEST, SIGNER, new HmacKey(Buffer.from(SHARED_KEY)));
    expect(header).toContain(Buffer.from(output).toString().trim().split(' ').at(-1));
  });

  it('makes an RSA signature that we accept', async () => {
    const signature = await openssl(['dgst', '-sha256', '-sign', file('key.pem')], MESSAGE);
    const rsaPublicKey = Buffer.from(
      await openssl(['pkey', '-pubin', '-in', file('public.pem')]),
    ).toString();
    const response = Buffer.from(signature).toString('hex');
    const {answer} = testServer([testPartner({rsaPublicKey})]);
    const authorization = [signatureHeader('Rsa', SIGNER, response)];
    expect(await answer({body: BODY, authorization})).toBe('accepted');
  });

  it('verifies our RSA signature', async () => {
    const pem = Buffer.from(await openssl(['pkey', '-in', file('key.pem')])).toString();
    const header = await signRsa(REQUEST, SIGNER, createPrivateKey(pem));
    await writeFile(file('signature'), Buffer.from(/[0-9a-f]{512}/.exec(header)?.[0] ?? '', 'hex'));
    const verify = [
      'dgst',
      '-sha256',
      '-verify',
      file('public.pem'),
      '-signature',
      file('signature'),
    ];
    expect(Buffer.from(await openssl(verify, MESSAGE)).toString()).toContain('Verified OK');
  });
});
