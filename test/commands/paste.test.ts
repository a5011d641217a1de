import {describe, expect, it} from 'vitest';
import {runCommand} from '../cli/run-command.js';
import {readSamples} from '../engine/samples.js';

const {devicePayload: HEX = ''} =
  readSamples('idtech').find(({id}) => id === 'securemag-enh-3trk-hex')?.request ?? {};
const BYTES = Buffer.from(HEX, 'hex');
const LOG = `13:00:01 INFO read ${BYTES.toString('base64')} from COM3`;

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

  it('is refused when it is two', async () => {
    const {stdout} = await runCommand(command, argvOf(command, `${LOG}\n${LOG}`));
    expect(JSON.parse(stdout)).toMatchObject({success: false, errCode: 2100});
  });
});
