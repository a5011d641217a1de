import {describe, expect, it} from 'vitest';
import {collectClues} from '../../src/input/clues.js';
import {cpuMilliseconds} from '../cpu-time.js';
import {readSamples} from '../engine/samples.js';

const LIMIT_MS = 4000;
const NOTHING = {ciphertexts: [], writtenKeys: [], keys: []};

describe('what a text of 64 KiB holds is found in a moment', () => {
  it.each([
    'AB1',
    'A1 ',
    'KSN: 0123456789ABCDEF ',
    'key=0123456789ABCDEFFEDCBA9876543210\n',
    ' \t\r\n',
    '"":',
    '1, ',
    '00: ',
    '1=',
    '[ ',
  ])('of %j over and over', (unit) => {
    const payload = unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536);
    const took = cpuMilliseconds(() => collectClues({...NOTHING, payload}));
    expect(took).toBeLessThan(LIMIT_MS);
  });
});

describe('a masked card number of ten bytes is not a KSN', () => {
  const MASKED = ['542418FFFFFFFFF4563F', '542418FFFFFF4563FFFF'];
  const messages = readSamples('dspread')
    .map(({request}) => request.devicePayload)
    .filter((payload) => payload.includes('C408542418FFFFFF4563'))
    .flatMap((payload) => MASKED.map((masked) => ({payload, masked})));

  it.each(messages)('%#, cut anywhere after it', ({payload, masked}) => {
    const message = payload.replace('C408542418FFFFFF4563', `C40A${masked}`);
    for (let end = message.indexOf(masked) + 20; end < message.length; end += 16) {
      const {ksns} = collectClues({...NOTHING, payload: message.slice(0, end)});
      expect([...ksns.message, ...ksns.named]).not.toContain(masked);
    }
  });

  it('is tried with messages', () => {
    expect(messages.length).toBeGreaterThan(2);
  });
});
