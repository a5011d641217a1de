import {expect, test} from 'vitest';
import {decrypt} from '../../src/library/decrypt.js';
import {simulate} from '../../src/library/simulate.js';

const HUGE = '4'.repeat(50_000_000);
const GENERIC = {deviceType: 'generic', testKeys: true} as const;

test.each([
  ['a card id', () => simulate({...GENERIC, card: HUGE})],
  ['the id of a card', () => simulate({...GENERIC, card: {id: HUGE} as never})],
  ['a card number', () => simulate({...GENERIC, card: {pan: HUGE}})],
  ['keys', async () => decrypt('00', {deviceType: 'generic', keys: new Array(4e9)})],
])('%s of huge size is refused unread', async (_name, run: () => Promise<unknown>) => {
  const before = process.cpuUsage();
  await expect(run()).rejects.toMatchObject({code: 2005});
  const {user, system} = process.cpuUsage(before);
  expect(user + system).toBeLessThan(500_000);
});
