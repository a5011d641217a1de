import {describe, expect, it} from 'vitest';
import {LOAD_LIMITS, loadLimits} from '../../../src/service/http/workload.js';

describe('the limits of a service', () => {
  it.each([
    ['plain', {}, false, 4096],
    ['TLS, whose connections hold more memory', {}, true, 2048],
    ['TLS with a limit of its own', {connections: 9}, true, 9],
  ])('for %s', (_, set, hasTls, connections) => {
    expect(loadLimits(set, hasTls)).toEqual({...LOAD_LIMITS, connections});
  });
});
