import {describe, expect, it} from 'vitest';
import {canonicalTarget} from '../../src/auth/string-to-hash.js';

// RFC 9112, 3.2: origin form, absolute form, asterisk form.
describe('canonicalTarget', () => {
  it.each([
    ['/a/b?c=d', '/a/b?c=d'],
    ['/a?u=http://x/y', '/a?u=http://x/y'],
    ['http://host/a', '/a'],
    ['https://host:1/a?b', '/a?b'],
    ['http://host', '/'],
    ['http://host?b', '/?b'],
    ['http:///a', '/a'],
    ['://host/a', '/a'],
    ['*', '*'],
    ['', ''],
  ])('of %j is %j', (target, path) => {
    expect(canonicalTarget(target)).toBe(path);
  });
});
