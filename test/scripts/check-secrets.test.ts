import {generateKeyPairSync} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/checks/check-secrets.mjs', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

async function check(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = tempFolder();
  await execa('git', ['init', '-q'], {cwd: root});
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(root, name), content);
  const {stderr, exitCode} = await execa(process.execPath, [SCRIPT, root], {reject: false});
  return {stderr, exitCode};
}

/** Digits with the check digit that makes them a card number, which must not stand in a file here. */
function cardNumber(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? 2 * Number(digit) : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

const PAN = cardNumber('453210000000876');
const AMEX = cardNumber('37000000000876');
const GROUPS = (PAN.match(/.{4}/g) ?? []).join(' ');
const {privateKey: rsa} = generateKeyPairSync('rsa', {modulusLength: 2048});
const {privateKey: ec} = generateKeyPairSync('ec', {namedCurve: 'P-256'});
const {privateKey: ed} = generateKeyPairSync('ed25519');
const der = rsa.export({type: 'pkcs8', format: 'der'});

describe('the check for secrets', () => {
  it('passes for this repository', async () => {
    const {stdout, exitCode} = await execa(process.execPath, [SCRIPT], {reject: false});
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^secrets: \d+ files hold none/)]);
  });

  it.each<[string, string | Uint8Array]>([
    ['an RSA key', rsa.export({type: 'pkcs1', format: 'pem'})],
    ['a PKCS #8 key', rsa.export({type: 'pkcs8', format: 'pem'})],
    ['an EC key', ec.export({type: 'sec1', format: 'pem'})],
    ['an Ed25519 key', ed.export({type: 'pkcs8', format: 'pem'})],
    [
      'an encrypted key',
      rsa.export({type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x'}),
    ],
    ['a key in JSON', JSON.stringify({key: rsa.export({type: 'pkcs8', format: 'pem'})})],
    [
      'a key with CRLF',
      String(rsa.export({type: 'pkcs8', format: 'pem'})).replaceAll('\n', '\r\n'),
    ],
    ['a key in DER', der],
    ['a key in base64', `key: ${der.toString('base64')}\n`],
    ['a JSON Web Key', JSON.stringify(ec.export({format: 'jwk'}))],
    ['an age identity', `# mine\nAGE-${'SECRET-KEY'}-1${'Q'.repeat(58)}\n`],
  ])('finds %s, and does not quote it', async (_, content) => {
    const {stderr, exitCode} = await check({'notes.bin': content});
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^notes\.bin:\d+: a private key, SHA-256 [\da-f]{64}$/m);
  });

  it.each([
    ['a card number', `one ${PAN}.`],
    ['one in groups', `card: ${GROUPS}`],
    ['one with hyphens', GROUPS.replaceAll(' ', '-')],
    ['one of 15 digits in groups', AMEX.replace(/^(.{4})(.{6})(.*)$/, '$1 $2 $3')],
    ['one in JSON', JSON.stringify({pan: PAN, number: Number(AMEX)})],
    ['one in track 1', `%B${PAN}^NAME/A^2512201?`],
    ['one in track 2', `;${PAN}=25122010000?`],
    ['one in a track 2 equivalent', `57 13 ${PAN}D25122010000`],
    ['one behind a line', `a\nb\n${PAN}\n`],
  ])('finds %s, and does not quote it', async (_, content) => {
    const {stderr, exitCode} = await check({'notes.txt': content});
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^notes\.txt:\d: a card number, SHA-256 [\da-f]{64}$/m);
    expect(stderr.replaceAll(/[\da-f]{64}/g, '')).not.toMatch(/\d{6}/);
  });

  it.each<[string, string | Uint8Array]>([
    ['a published test card', '4111111111111111 and 4111 1111 1111 1111'],
    ['what does not satisfy Luhn', String(Number(PAN) + 1)],
    ['digits inside hex', `DE${PAN}AF00`],
    ['a longer number', `${PAN}12345678`],
    [
      'a public key',
      String(generateKeyPairSync('ed25519').publicKey.export({type: 'spki', format: 'pem'})),
    ],
    ['words about private keys', '-----BEGIN PRIVATE KEY----- is how it begins'],
    ['a key on the list', readFileSync(path.join(SAMPLES, 'demo-rsa-key.pem'))],
  ])('passes %s', async (_, content) => {
    expect(await check({'notes.txt': content})).toEqual({stderr: '', exitCode: 0});
  });

  it('looks at what git ignores not', async () => {
    const {exitCode} = await check({'.gitignore': 'private/\n*.secret\n', 'a.secret': PAN});
    expect(exitCode).toBe(0);
  });
});
