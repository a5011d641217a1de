import {describe, expect, test} from 'vitest';
import {PaylensError} from '../../src/contract/paylens-error.js';
import {parseRedisAddress} from '../../src/service/replay/redis-address.js';

describe('the address of a replay store', () => {
  test.each([
    ['redis://cache', 'redis://cache:6379', {host: 'cache', port: 6379}, {}, 0, false],
    ['redis://cache:7000/3', 'redis://cache:7000', {host: 'cache', port: 7000}, {}, 3, false],
    ['rediss://cache/', 'rediss://cache:6379', {host: 'cache', port: 6379}, {}, 0, true],
    ['redis://[::1]:1', 'redis://[::1]:1', {host: '::1', port: 1}, {}, 0, false],
    ['redis://:p%40ss@c', 'redis://c:6379', {host: 'c', port: 6379}, {password: 'p@ss'}, 0, false],
    [
      'redis://me:pw@c',
      'redis://c:6379',
      {host: 'c', port: 6379},
      {username: 'me', password: 'pw'},
      0,
      false,
    ],
    ['unix:///run/redis.sock', 'unix:///run/redis.sock', {path: '/run/redis.sock'}, {}, 0, false],
    [
      'unix://me:pw@localhost/r.sock',
      'unix:///r.sock',
      {path: '/r.sock'},
      {username: 'me', password: 'pw'},
      0,
      false,
    ],
  ])('%s', (text, name, target, login, db, tls) => {
    expect(parseRedisAddress(text)).toEqual({name, target, login, db, tls});
  });

  test.each([
    '',
    'cache:6379',
    'http://:hidden-password@cache',
    'redis://',
    'redis://:hidden-password@cache/a',
    'redis://:hidden-password@cache/1/2',
    'redis://:hidden-password@cache?db=1',
    'redis://:hidden-password@cache#1',
    'redis://:hidden-password%zz@cache',
    'redis://:hidden-password@cache:99999',
    'unix://:hidden-password@elsewhere/r.sock',
    'unix:///',
  ])('%s is none: 9001, which does not repeat it', (text) => {
    const error = thrownBy(() => parseRedisAddress(text));
    expect(error).toMatchObject({code: 9001});
    expect([error.message, error.hint, error.stack].join()).not.toContain('hidden-password');
  });
});

function thrownBy(action: () => unknown): PaylensError {
  try {
    action();
  } catch (error) {
    if (error instanceof PaylensError) return error;
  }
  throw new Error('nothing was thrown');
}
