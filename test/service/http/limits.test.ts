import {createServer} from 'node:http';
import {Server} from 'node:net';
import {describe, expect, it, vi} from 'vitest';
import {Limits, LOAD_LIMITS} from '../../../src/service/http/limits.js';
import {startServer} from '../../../src/service/start-server.js';

it('as many connections as it takes may wait to be accepted, since the system drops others', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  await (await startServer()).close();
  expect(listen.mock.calls[0]?.[0]).toMatchObject({backlog: LOAD_LIMITS.connections});
  listen.mockRestore();
});

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
  const begin = (limits: Limits, kind: 'page' | 'operation', count: number, now = 0) =>
    Array.from({length: count}, () => limits.begin(kind, now)).filter(Boolean).length;

  it('is the limit for operations, and a quarter of it for pages', () => {
    const limits = new Limits({...LOAD_LIMITS, requests: 8});
    expect([begin(limits, 'page', 9), begin(limits, 'operation', 9)]).toEqual([2, 8]);
    limits.end('page');
    expect([begin(limits, 'page', 9), begin(limits, 'operation', 9)]).toEqual([1, 0]);
    limits.end('operation');
    expect([begin(limits, 'page', 9), begin(limits, 'operation', 9)]).toEqual([0, 1]);
  });

  it('ends for pages after a quarter of the time of a turn', () => {
    const limits = new Limits({...LOAD_LIMITS, turn: 100});
    expect(begin(limits, 'operation', 1)).toBe(1);
    expect([begin(limits, 'page', 1, 25), begin(limits, 'page', 1, 26)]).toEqual([1, 0]);
    expect([begin(limits, 'operation', 1, 100), begin(limits, 'operation', 1, 101)]).toEqual([
      1, 0,
    ]);
  });
});
