import {createCipheriv} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runCommand} from '../cli/run-command.js';

const BDK = '0123456789ABCDEFFEDCBA9876543210';
const IK = '6AC292FAA1315B4D858AB3A3D7D5933A';
const AES_BDK = 'FEDCBA9876543210F1F1F1F1F1F1F1F1';
const AES_KSN = '123456789012345600000001';

let folder = '';
// A random name may look like a card number, which no message shows.
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-derive-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function fileOf(hex: string): string {
  const name = path.join(folder, `${++files}`);
  writeFileSync(name, `${hex}\n`, {mode: 0o600});
  return name;
}

/** The keys that are revealed, by name. */
async function keysOf(...argv: string[]): Promise<Record<string, string>> {
  const {stdout} = await runCommand('derive', [...argv, '--reveal', '--json']);
  const {keys} = JSON.parse(stdout);
  return Object.fromEntries(keys.map((each: {name: string; key: string}) => [each.name, each.key]));
}

async function codeOf(...argv: string[]): Promise<number> {
  const {stdout} = await runCommand('derive', [...argv, '--json']);
  return JSON.parse(stdout).errCode;
}

/** The first three bytes of eight zero bytes under a TDES key of two parts, by OpenSSL. */
function kcvByOpenssl(hex: string): string {
  const key = Buffer.from(hex + hex.slice(0, 16), 'hex');
  const cipher = createCipheriv('des-ede3', key, null);
  return cipher.update(Buffer.alloc(8)).subarray(0, 3).toString('hex').toUpperCase();
}

describe('derive, TDES DUKPT', () => {
  // ANSI X9.24-1:2009, Annex A.4; openemv/dukpt, test/dukpt_tdes_test.c.
  it('gives the published initial key and transaction key', async () => {
    expect(await keysOf('FFFF9876543210E00001', '--test-keys')).toMatchObject({
      IK,
      'transaction key': '042666B49184CFA368DE9628D0397BC9',
    });
  });

  // MagTek MagneSafe V5 manual: the PIN variant of this KSN decrypts the printed read.
  it('gives the published PIN key', async () => {
    expect((await keysOf('FFFF9876543210E00008', '--test-keys')).PIN).toBe(
      '27F66D5244FF621EAA6F6120EDEB427F',
    );
  });

  // camcima/dukpt-php, tests; ID TECH SecureMag manual.
  it.each([
    ['FFFF9876543210E00001', '448D3F076D8304036A55A3D7E0055A78'],
    ['62994901190000000003', '895250336175515C4120CF45F41ABF1C'],
  ])('gives the published data key of %s', async (ksn, key) => {
    expect((await keysOf(ksn, '--test-keys'))['data request, self-encrypted']).toBe(key);
  });

  it('gives every variant: the transaction key XORed with its mask', async () => {
    const keys = await keysOf('FFFF9876543210E00001', '--test-keys');
    expect(keys).toMatchObject({
      PIN: '042666B49184CF5C68DE9628D0397B36',
      'MAC request': '042666B4918430A368DE9628D03984C9',
      'MAC response': '042666B46E84CFA368DE96282F397BC9',
      'data request': '042666B4917BCFA368DE9628D0C67BC9',
      'data response': '0426664B9184CFA368DE96D7D0397BC9',
    });
  });

  it('gives check values that OpenSSL gives, too', async () => {
    const {stdout} = await runCommand('derive', [
      ...['FFFF9876543210E00001', '--test-keys', '--reveal', '--json'],
    ]);
    for (const {key, kcv} of JSON.parse(stdout).keys.slice(1)) {
      expect(kcv).toBe(kcvByOpenssl(key));
    }
  });

  it('takes an initial key in place of a BDK', async () => {
    const keys = await keysOf('FFFF9876543210E00001', '--key-file', fileOf(IK), '--key-kind', 'ik');
    expect(keys).toMatchObject({IK, 'transaction key': '042666B49184CFA368DE9628D0397BC9'});
  });

  it('gives only the initial key for the initial KSN', async () => {
    expect(Object.keys(await keysOf('FFFF9876543210E00000', '--test-keys'))).toStrictEqual([
      'BDK',
      'IK',
    ]);
  });
});

describe('derive, AES DUKPT', () => {
  // X9.24-3 test vectors, as in openemv/dukpt, test/dukpt_aes128_test.c, and x9.org.
  it('gives the published keys of AES-128', async () => {
    expect(await keysOf(AES_KSN, '--test-keys')).toMatchObject({
      IK: '1273671EA26AC29AFA4D1084127652A1',
      'transaction key': '4F21B565BAD9835E112B6465635EAE44',
      'key encryption': '36A724B7BEFA5A25F5E7B5782A4554A2',
      PIN: 'AF8CB133A78F8DC2D1359F18527593FB',
      'MAC generation': 'A2DC23DE6FDE0824A2BC321E08E4B8B7',
      'data encryption': 'A35C412EFD41FDB98B69797C02DCD08F',
    });
  });

  // openemv/dukpt, test/dukpt_aes256_test.c.
  it('gives the published keys of AES-256', async () => {
    expect(await keysOf(AES_KSN, '--key-file', fileOf(AES_BDK + AES_BDK))).toMatchObject({
      'transaction key': '54AC2B32B145EA4A554CB8BC44B17467063A799856B1CCC2A138D36E8DBF78B3',
      PIN: '8C1AB7BEE973829E30242E0BBBDD4946D540C98FC1B5BDCF94790001A23FD502',
      'data encryption': '71EB36C9A6B7F801D1D1700C29741FC5A5C4E9B45D742DA7AF6992B8AA29AF58',
    });
  });

  // x9.org, X9.24 part 3 test vectors.
  it.each([
    ['2tdea', '630C706D9546E47D4449313F61C4D4AB', 'BD44121C223F831446A01EE3A4CB58D2'],
    [
      '3tdea',
      'EA8B3F37EB9B15831167EF2977FD8762D9B5913F35766F6A',
      'F716DFBC6B2D2D5825B694EEEE181A013F2F1C09380BBE0C',
    ],
  ])('gives the published working keys of type %s', async (type, pin, data) => {
    expect(await keysOf(AES_KSN, '--test-keys', '--key-type', type)).toMatchObject({
      PIN: pin,
      'data encryption': data,
    });
  });

  it('names usages by their indicator and shows five bytes of KCV', async () => {
    const {stdout} = await runCommand('derive', [AES_KSN, '--test-keys', '--json']);
    const pin = JSON.parse(stdout).keys.find(({name}: {name: string}) => name === 'PIN');
    expect(pin).toStrictEqual({
      name: 'PIN',
      usage: '1000',
      algorithm: 'aes',
      bytes: 16,
      kcv: expect.stringMatching(/^[0-9A-F]{10}$/),
    });
  });

  it('refuses a working key that is stronger than the base key', async () => {
    expect(await codeOf(AES_KSN, '--test-keys', '--key-type', 'aes256')).toBe(9015);
  });
});

describe('derive', () => {
  it('shows no key bytes without --reveal', async () => {
    const {stdout, stderr} = await runCommand('derive', ['FFFF9876543210E00001', '--test-keys']);
    expect(stdout).toContain('AF8C07');
    expect(stdout + stderr).not.toMatch(/[0-9A-F]{32}/);
  });

  it('never shows the base key', async () => {
    const argv = ['FFFF9876543210E00001', '--test-keys', '--reveal'];
    for (const run of [
      await runCommand('derive', argv),
      await runCommand('derive', [...argv, '--json']),
    ]) {
      expect(run.stdout).toContain(IK);
      expect(run.stdout).not.toContain(BDK);
    }
  });

  it.each([
    ['a KSN that is no hex', ['KSN', '--test-keys'], 2400],
    ['a KSN with too many counter bits', ['FFFF9876543210E007FF', '--test-keys'], 2400],
    ['a prompt without a terminal', ['FFFF9876543210E00001', '--key-prompt'], 9001],
    ['no KSN', ['--test-keys'], 9001],
    ['two sources of the key', ['FFFF9876543210E00001', '--key-prompt', '--test-keys'], 9001],
  ])('refuses %s', async (_, argv, code) => {
    expect(await codeOf(...argv)).toBe(code);
  });

  it('refuses a key of a wrong length', async () => {
    expect(await codeOf('FFFF9876543210E00001', '--key-file', fileOf('0123456789ABCDEF'))).toBe(
      9015,
    );
  });
});
