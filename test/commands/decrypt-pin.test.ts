import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {decrypt} from '../../src/index.js';
import {runCommand} from '../cli/run-command.js';
import {CARD, CARRIERS, encryptedPin, KSN, PIN_KSN} from '../engine/pin/pin-blocks.js';

const sample = (name: string) => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
const SAMPLE = sample('idtech-pin.json');
/** As the author of the sample states it. */
const PIN = '1234';

function run(...argv: string[]) {
  return runCommand('decrypt', [...argv, '--test-keys']);
}

/** Whose digits occur nowhere else in the message. */
const RARE = '739154';
const MIURA =
  CARRIERS.miura?.[0]?.(encryptedPin({pin: RARE, pan: CARD.pan, format: 0}, PIN_KSN), PIN_KSN) ??
  '';

describe('decrypt --pin', () => {
  it('takes the block in the stated format only', async () => {
    const stated = (format: string) => run(SAMPLE, '--pin', '--reveal', '--pin-format', format);
    expect((await stated('4')).stdout).toMatch(/^PIN\t1234 \(format 4\)$/m);
    const refused = await stated('1');
    expect([refused.exitCode, refused.stderr]).toEqual([4, expect.stringContaining('Error 9051')]);
    expect((await stated('2')).exitCode).toBe(2);
    expect((await run(SAMPLE, '--pin-format', '4')).exitCode).toBe(2);
  });

  it('shows the PIN only with --reveal, in JSON too', async () => {
    const digitsOf = async (...argv: string[]) =>
      JSON.parse((await run(SAMPLE, '--pin', '--json', ...argv)).stdout).pin;
    const ksn = 'BFFF987654321000000A';
    expect(await digitsOf()).toEqual({digits: '****', format: 4, ksn});
    expect(await digitsOf('--reveal')).toEqual({digits: PIN, format: 4, ksn});
    expect((await run(SAMPLE, '--pin')).stdout).toMatch(/^PIN\t\*{4} \(format 4\)$/m);
    expect((await run(SAMPLE, '--pin', '--reveal')).stdout).toMatch(/^PIN\t1234 \(format 4\)$/m);
  });

  it.each([
    ['without --reveal', ['--pin']],
    ['in JSON', ['--pin', '--json', '--explain']],
    ['explained', ['--pin', '--explain']],
    ['without --pin', ['--json']],
    ['revealed without --pin', ['--reveal']],
    ['traced', ['--pin', '--verbose']],
  ])('writes none of its digits %s', async (_, flags) => {
    const {stdout, stderr} = await run('--payload', MIURA, '--device-type', 'miura', ...flags);
    expect(stdout + stderr).not.toContain(RARE);
  });

  it('is explained with the key and the KSN of the PIN', async () => {
    const {stdout} = await run('--payload', MIURA, '-d', 'miura', '--pin', '--json', '--explain');
    const {fields, members} = JSON.parse(stdout).explanation;
    const proof = [expect.stringMatching(/^PIN block of format/)];
    expect(members.at(-1)).toEqual({member: 'pin', from: 'tag DFAE04', agreed: proof});
    expect(fields.at(-1)).toMatchObject({
      name: 'tag DFAE04',
      usage: 'pin',
      ksn: {text: PIN_KSN},
    });
  });

  it('fails without a PIN block, and for one of another card number', async () => {
    const codeOf = async (...argv: string[]) => {
      const {stdout, exitCode} = await run(...argv, '--pin', '--json');
      return [JSON.parse(stdout).errCode, exitCode];
    };
    const block = encryptedPin({pin: RARE, pan: '5413330089020011', format: 0}, KSN);
    const other = CARRIERS.miura?.[0]?.(block, KSN) ?? '';
    expect(await codeOf(sample('idtech-swipe.json'))).toEqual([9050, 4]);
    expect(await codeOf('--payload', other, '-d', 'miura')).toEqual([9051, 4]);
  });

  it('is refused with --batch', async () => {
    const {stderr, exitCode} = await run(SAMPLE, '--pin', '--batch');
    expect([exitCode, /--pin/.test(stderr)]).toEqual([2, true]);
  });
});

describe('decrypt of the library', () => {
  const {devicePayload} = JSON.parse(readFileSync(SAMPLE, 'utf8'));

  it('gives the PIN if it is asked for', () => {
    const pin = {digits: PIN, format: 4, ksn: 'BFFF987654321000000A'};
    expect(decrypt(devicePayload, {testKeys: true, pin: true}).pin).toEqual(pin);
    expect(decrypt(devicePayload, {testKeys: true})).not.toHaveProperty('pin');
  });
});
