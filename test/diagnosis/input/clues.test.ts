import {performance} from 'node:perf_hooks';
import {describe, expect, it} from 'vitest';
import {gather} from '../../../src/diagnosis/input/clues.js';

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
    const start = performance.now();
    gather({...NOTHING, payload});
    expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  });
});
