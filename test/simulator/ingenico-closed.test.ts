import {describe, expect, it} from 'vitest';
import type {DeviceType} from '../../src/contract/device-types.js';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {processPayload} from '../../src/engine/process-payload.js';
import type {Simulation} from '../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../src/simulator/test-cards.js';
import {simulate} from '../writers.js';

const keys = testKeyRing();
const KSN = 'FFFF9876543210E00001';
const [visa] = TEST_CARDS as readonly [TestCard];

function codeOf(deviceType: DeviceType, mode: Simulation['mode'], options: Simulation['options']) {
  try {
    const request = simulate({
      deviceType,
      mode,
      card: visa,
      ksn: KSN,
      keys,
      options: options ?? {},
    });
    processPayload(request, keys);
    return undefined;
  } catch (error) {
    return error instanceof PaylensError ? error.code : error;
  }
}

describe('closed schemes answer 2111:', () => {
  it.each(['swiped', 'emv', 'keyed'] as const)('On-Guard, %s', (mode) => {
    expect(codeOf('ingenico-rba', mode, {scheme: 'onguard'})).toBe(2111);
  });

  it.each(['23', '33', '41', '87', 'record'])('On-Guard in %s', (message) => {
    expect(codeOf('ingenico-rba', 'swiped', {scheme: 'onguard', message})).toBe(2111);
  });

  it.each(TEST_CARDS)('RA1, card $id', (card) => {
    const request = simulate({deviceType: 'ingenico-ra1', mode: 'swiped', card, ksn: KSN, keys});
    expect(() => processPayload(request, keys)).toThrow(expect.objectContaining({code: 2111}));
  });
});

describe('an RBA message', () => {
  it('with a wrong LRC answers 2101', () => {
    const simulation = {deviceType: 'ingenico-rba' as const, mode: 'swiped' as const};
    const request = simulate({...simulation, card: visa, ksn: KSN, keys, damage: 'lrc'});
    expect(() => processPayload(request, keys)).toThrow(expect.objectContaining({code: 2101}));
  });
});
