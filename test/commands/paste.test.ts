import {describe, expect, it} from 'vitest';
import {runCommand} from '../cli/run-command.js';
import {readSamples} from '../engine/samples.js';

const {devicePayload: HEX = ''} =
  readSamples('idtech').find(({id}) => id === 'securemag-enh-3trk-hex')?.request ?? {};
const BYTES = Buffer.from(HEX, 'hex');
/** Track 1 of ANSI X9.24-1:2009, Annex A. */
const CIPHERTEXT =
  'C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12';
const LOG = `13:00:01 INFO read ${BYTES.toString('base64')} from COM3`;

const REQUEST = {deviceType: 'idtech', devicePayload: HEX};
const TRACKS = {ksn: 'FFFF9876543210E00008', track1: CIPHERTEXT, variant: 'pin'};

const COMMANDS = ['decrypt', 'inspect', 'diagnose'] as const;

function argvOf(command: (typeof COMMANDS)[number], payload: string) {
  const keys = command === 'inspect' ? [] : ['--test-keys'];
  return ['--payload', payload, '--json', ...keys];
}

describe.each(COMMANDS)('a paste given to %s', (command) => {
  it('is read, and a note says how', async () => {
    const {stdout, stderr, exitCode} = await runCommand(command, argvOf(command, LOG));
    expect(stderr).toContain('read as base64; text around it ignored.\n');
    expect([JSON.parse(stdout).success, exitCode]).not.toEqual([false, 0]);
    expect(exitCode).toBe(0);
  });

  it('leaves the payload itself alone', async () => {
    const {stderr, exitCode} = await runCommand(command, argvOf(command, HEX));
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it.each([
    ['quoted in a mail', JSON.stringify(REQUEST, null, 2).replaceAll(/^/gm, '> ')],
    ['between blanks of a web page', `\u00a0${JSON.stringify(REQUEST)}\u00a0`],
  ])('is read as a request %s', async (_, given) => {
    const {stderr, exitCode} = await runCommand(command, argvOf(command, given));
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it('is read as text between blanks of a web page', async () => {
    const given = `\u00a0${JSON.stringify(TRACKS)}\u00a0`;
    const {exitCode} = await runCommand(command, argvOf(command, given));
    expect(exitCode).toBe(0);
  });

  it('is refused when it is two', async () => {
    const {stdout} = await runCommand(command, argvOf(command, `${LOG}\n${LOG}`));
    expect(JSON.parse(stdout)).toMatchObject({success: false, errCode: 2100});
  });
});
