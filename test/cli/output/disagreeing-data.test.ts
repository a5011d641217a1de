import {describe, expect, it} from 'vitest';
import {readSamples} from '../../engine/samples.js';
import {runCommand} from '../run-command.js';

const [{request} = {request: {devicePayload: ''}}] = readSamples('idtech').filter(
  ({id}) => id === 'securemag-enh-3trk-hex',
);

/** The frame with the SHA-1 of track 1 changed, and its LRC and checksum computed anew. */
function withOtherHash(hex: string): string {
  const frame = Buffer.from(hex, 'hex');
  const data = frame.subarray(3, -3);
  // A byte of the last 20 before the KSN is of the hash of the last track.
  data[data.length - 15]! ^= 1;
  const lrc = data.reduce((sum, byte) => sum ^ byte, 0);
  const sum = data.reduce((total, byte) => (total + byte) & 0xff, 0);
  frame.set([lrc, sum], frame.length - 3);
  return frame.toString('hex');
}

describe('a plaintext that something else contradicts', () => {
  it('is called decrypted, and its key is not doubted', async () => {
    const payload = withOtherHash(request.devicePayload);
    const {stderr, exitCode} = await runCommand('decrypt', ['--payload', payload, '--test-keys']);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/^Error 2601: The data decrypts, but parts of it disagree: track \d: /);
    expect(stderr).not.toContain('wrong key');
  });

  it('keeps the message of the interface with --json', async () => {
    const payload = withOtherHash(request.devicePayload);
    const argv = ['--payload', payload, '--test-keys', '--json'];
    const {errMessage} = JSON.parse((await runCommand('decrypt', argv)).stdout);
    expect(errMessage).toMatch(/^Decryption failed: the plaintext is not card data \(wrong key/);
  });
});
