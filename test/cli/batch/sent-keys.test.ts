import {describe, expect, it} from 'vitest';
import {sendKeys, takeKeys} from '../../../src/cli/batch/sent-keys.js';
import {keyEntryFrom} from '../../../src/keyfile/keys/key-entry.js';
import {TEST_BDK, TEST_IK} from '../../keyfile/sample-keyfile.js';

const BARE = keyEntryFrom({kind: 'bdk', hex: TEST_BDK}, 'keys[0]');
const FULL = keyEntryFrom(
  {
    name: 'lab',
    kind: 'ik',
    algorithm: 'aes',
    hex: TEST_IK,
    ksnPrefix: 'FFFF9876543210',
    compatibility: true,
  },
  'keys[1]',
);

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();

describe('keys on their way to a worker', () => {
  it('arrive as they were, with the members they had and no others', () => {
    const keys = [
      {...BARE, kind: 'bdk' as const},
      {...FULL, kind: 'ik' as const},
    ];
    const taken = takeKeys(structuredClone(sendKeys(keys)));
    expect(taken.map(({secret: _, ...rest}) => rest)).toStrictEqual([
      {kind: 'bdk'},
      {
        kind: 'ik',
        name: 'lab',
        algorithm: 'aes',
        ksnPrefix: 'FFFF9876543210',
        compatibility: true,
      },
    ]);
    expect(taken.map(({secret}) => hexOf(secret.reveal()))).toEqual([TEST_BDK, TEST_IK]);
  });

  it('are copies, each with a buffer of its own that can be transferred', () => {
    const [sent] = sendKeys([{...BARE, kind: 'bdk'}]);
    expect(sent?.bytes.buffer.byteLength).toBe(16);
    sent?.bytes.fill(0);
    expect(hexOf(BARE.secret.reveal())).toBe(TEST_BDK);
  });

  it('leave nothing in what carried them', () => {
    const sent = sendKeys([{...BARE, kind: 'bdk'}]);
    takeKeys(sent);
    expect(sent.map(({bytes}) => hexOf(bytes))).toEqual(['0'.repeat(32)]);
  });
});
