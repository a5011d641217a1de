import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {execa} from 'execa';
import {describe, expect, it} from 'vitest';
import {tempFolder} from '../keyfile/temp-folder.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/checks/check-secrets.mjs', import.meta.url));

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

describe('the check for secrets', () => {
  it('passes for this repository', async () => {
    const {stdout, exitCode} = await execa(process.execPath, [SCRIPT], {reject: false});
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^secrets: \d+ files hold none/)]);
  });

  it('finds an age identity, and does not quote it', async () => {
    const {stderr, exitCode} = await check({
      'notes.bin': `# mine\nAGE-${'SECRET-KEY'}-1${'Q'.repeat(58)}\n`,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^notes\.bin:\d+: an age identity, SHA-256 [\da-f]{64}$/m);
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

  it.each([
    ['a published test card', '4111111111111111 and 4111 1111 1111 1111'],
    ['what does not satisfy Luhn', String(Number(PAN) + 1)],
    ['digits inside hex', `DE${PAN}AF00`],
    ['a longer number', `${PAN}12345678`],
  ])('passes %s', async (_, content) => {
    expect(await check({'notes.txt': content})).toEqual({stderr: '', exitCode: 0});
  });

  it('looks at what git ignores not', async () => {
    const {exitCode} = await check({'.gitignore': 'private/\n*.secret\n', 'a.secret': PAN});
    expect(exitCode).toBe(0);
  });
});
