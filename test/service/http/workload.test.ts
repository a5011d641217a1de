import {describe, expect, it} from 'vitest';
import {Turn} from '../../../src/service/http/turn.js';
import {LOAD_LIMITS, loadLimits, Workload} from '../../../src/service/http/workload.js';

describe('the limits of a service', () => {
  it.each([
    ['plain', {}, false, 4096],
    ['TLS, whose connections hold more memory', {}, true, 2048],
    ['TLS with a limit of its own', {connections: 9}, true, 9],
  ])('for %s', (_, set, hasTls, connections) => {
    expect(loadLimits(set, hasTls)).toEqual({...LOAD_LIMITS, connections});
  });
});

describe('the room of a service', () => {
  it('is half of it for pages, the rest for operations', () => {
    const workload = new Workload({...LOAD_LIMITS, requests: 4}, new Turn());
    expect([1, 2, 3].map(() => workload.beginPage(0))).toEqual([true, true, false]);
    expect([1, 2, 3].map(() => workload.begin(0))).toEqual([true, true, false]);
    workload.endPage();
    expect(workload.beginPage(0)).toBe(true);
    workload.end();
    expect([workload.beginPage(0), workload.begin(0)]).toEqual([false, true]);
  });

  it('is all of it for operations', () => {
    const workload = new Workload({...LOAD_LIMITS, requests: 2}, new Turn());
    expect([1, 2, 3].map(() => workload.begin(0))).toEqual([true, true, false]);
    expect(workload.beginPage(0)).toBe(false);
  });
});
