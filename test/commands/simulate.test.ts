import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runBin} from '../cli/run-bin.js';
import {runCommand} from '../cli/run-command.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'paylens-simulate-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function simulate(...argv: string[]) {
  return runCommand('simulate', [...argv, '--test-keys']);
}

async function codeOf(...argv: string[]): Promise<number> {
  const {stdout} = await simulate(...argv, '--json');
  return JSON.parse(stdout).errCode;
}

/** Decrypts `payload` as it came out of simulate. */
async function decrypted(payload: string, ...flags: string[]) {
  const file = path.join(folder, 'payload');
  writeFileSync(file, payload);
  const run = await runCommand('decrypt', ['--file', file, '--test-keys', '--json', ...flags]);
  return JSON.parse(run.stdout);
}

describe('simulate', () => {
  it('prints a payload that decrypt reads', async () => {
    const {stdout, exitCode} = await simulate('--device-type', 'idtech', '--card', 'amex');
    expect(exitCode).toBe(0);
    expect((await decrypted(stdout)).extracted.PAN).toBe('378282246310005');
  });

  it('prints the whole request with --json', async () => {
    const {stdout} = await simulate('--device-type', 'generic', '--mode', 'emv', '--json');
    expect(Object.keys(JSON.parse(stdout))).toStrictEqual(['deviceType', 'devicePayload']);
    expect((await decrypted(stdout)).meta.mode).toBe('emv');
  });

  it('takes a card of its own', async () => {
    const {stdout} = await simulate(
      ...['--device-type', 'idtech', '--pan', '4012888888881881', '--expiry', '3001'],
      ...['--name', 'DOE/JANE', '--service-code', '221', '--discretionary', '99'],
    );
    expect((await decrypted(stdout)).extracted).toStrictEqual({
      PAN: '4012888888881881',
      EXPY: '0130',
      FirstName: 'JANE',
      Surname: 'DOE',
      ServiceCode: '221',
      Discretionary: '99',
    });
  });

  it('sets the counter in the KSN', async () => {
    const {stdout} = await simulate('--device-type', 'generic', '--counter', '6');
    expect(JSON.parse(stdout).ksn).toBe('FFFF9876543210E00006');
  });

  it('tells on stderr what the payload does not carry', async () => {
    const {stderr} = await simulate('--device-type', 'generic', '--option', 'ksn=request');
    expect(stderr).toBe('Not in the payload; decrypt needs: --ksn FFFF9876543210E00001\n');
  });

  it('prints JSONL with advancing counters with --count', async () => {
    const {stdout} = await simulate('--device-type', 'generic', '--count', '3');
    const ksns = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(JSON.parse(line).devicePayload).ksn.slice(-2));
    expect(ksns).toStrictEqual(['01', '02', '03']);
  });

  it('spoils the payload with --damage', async () => {
    const {stdout} = await simulate('--device-type', 'idtech', '--damage', 'lrc');
    expect((await decrypted(stdout, '--device-type', 'idtech')).errCode).toBe(2101);
  });

  it('prints a binary payload as bytes', async () => {
    const {stdout} = await runBin([
      ...['simulate', '--device-type', 'idtech', '--option', 'form=binary', '--test-keys'],
    ]);
    expect(stdout.charCodeAt(0)).toBe(0x02);
  });

  it('lists the test cards', async () => {
    const {stdout} = await simulate('--list-cards', '--json');
    expect(JSON.parse(stdout)[0]).toMatchObject({id: 'visa', pan: '4111111111111111'});
  });

  it('lists the settings of a format', async () => {
    const {stdout} = await simulate('--device-type', 'idtech', '--list-options', '--json');
    expect(JSON.parse(stdout).options[0]).toMatchObject({
      name: 'form',
      values: ['hex', 'keyboard', 'binary'],
    });
  });

  it('lists the settings as a table', async () => {
    const {stdout} = await simulate('--device-type', 'idtech', '--list-options');
    expect(stdout).toContain('wrong LRC');
  });

  it.each([
    ['no device type', [], 2000],
    ['an unknown card', ['--device-type', 'idtech', '--card', 'monopoly'], 9001],
    ['a malformed option', ['--device-type', 'idtech', '--option', 'form'], 9001],
    [
      'an option given twice',
      ['--device-type', 'idtech', '--option', 'hash=sha1', '--option', 'hash=null'],
      9001,
    ],
    ['an unknown option', ['--device-type', 'idtech', '--option', 'colour=blue'], 9001],
    ['a counter that no terminal sends', ['--device-type', 'idtech', '--counter', '2047'], 2400],
    ['a name in lower case', ['--device-type', 'idtech', '--name', 'Doe/Jane'], 9001],
  ])('refuses %s', async (_, argv, code) => {
    expect(await codeOf(...argv)).toBe(code);
  });

  it('needs a keyfile or the test keys', async () => {
    const {exitCode} = await runCommand('simulate', [
      ...['--device-type', 'idtech', '--keyfile', path.join(folder, 'none.age')],
    ]);
    expect(exitCode).toBe(3);
  });
});
