import {createServer} from 'node:http';
import {describe, expect, it} from 'vitest';
import {Limits, LOAD_LIMITS} from '../../../src/service/http/limits.js';

describe('the limits of a service', () => {
  it.each([
    ['plain', {}, false, 4096],
    ['TLS, whose connections need more memory', {}, true, 2048],
    ['TLS with a limit of its own', {connections: 9}, true, 9],
  ])('for %s', (_, set, hasTls, connections) => {
    const server = createServer();
    new Limits(set, hasTls).watch(server);
    server.emit('close');
    expect(server.maxConnections).toBe(connections);
  });
});

describe('the capacity of a service', () => {
  it('is half for pages, the rest for operations', () => {
    const limits = new Limits({...LOAD_LIMITS, requests: 4});
    expect([1, 2, 3].map(() => limits.begin('page', 0))).toEqual([true, true, false]);
    expect([1, 2, 3].map(() => limits.begin('operation', 0))).toEqual([true, true, false]);
    limits.end('page');
    expect(limits.begin('page', 0)).toBe(true);
    limits.end('operation');
    expect([limits.begin('page', 0), limits.begin('operation', 0)]).toEqual([false, true]);
  });

  it('is all for operations', () => {
    const limits = new Limits({...LOAD_LIMITS, requests: 2});
    expect([1, 2, 3].map(() => limits.begin('operation', 0))).toEqual([true, true, false]);
    expect(limits.begin('page', 0)).toBe(false);
  });
});
