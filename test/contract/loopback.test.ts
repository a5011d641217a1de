import {describe, expect, it} from 'vitest';
import {isLoopbackAddress, isLoopbackName, isLoopbackUrl} from '../../src/contract/loopback.js';

// RFC 1122, 3.2.1.3 (127.0.0.0/8), RFC 4291, 2.5.3 and 2.5.5.2 (::1, IPv4 within IPv6).
describe('isLoopbackAddress', () => {
  it.each([
    ['127.0.0.0', true],
    ['127.0.0.1', true],
    ['127.255.255.255', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['126.255.255.255', false],
    ['128.0.0.0', false],
    ['::2', false],
    ['::ffff:128.0.0.1', false],
    ['localhost', false],
    ['', false],
  ])('of %j is %s', (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected);
  });
});

// RFC 6761, 6.3: localhost and every name below it.
describe('isLoopbackName', () => {
  it.each([
    ['localhost', true],
    ['a.localhost', true],
    ['a.b.localhost', true],
    ['notlocalhost', false],
    ['.localhost', false],
    ['localhost.example', false],
    ['', false],
  ])('of %j is %s', (name, expected) => {
    expect(isLoopbackName(name)).toBe(expected);
  });
});

describe('isLoopbackUrl', () => {
  it.each([
    ['http://127.1/', true],
    ['http://0x7f000001:8080/x', true],
    ['http://[::1]:80/', true],
    ['http://[::ffff:127.0.0.1]/', true],
    ['http://LOCALHOST./', true],
    ['http://0.0.0.0/', true],
    ['http://[::]/', true],
    ['http://[::ffff:0.0.0.0]/', true],
    ['http://ip6-localhost/', true],
    ['http://ip6-loopback./', true],
    ['http://localhost.localdomain/', true],
    ['http://localhost6.localdomain6/', true],
    ['http://localhost4/', true],
    ['http://localhost5/', false],
    ['http://localhost.localdomain.example/', false],
    ['http://127.0.0.1.example/', false],
    ['http://192.0.2.1/', false],
    ['http://[2001:db8::1]/', false],
    ['http://example.com/localhost', false],
  ])('of %j is %s', (url, expected) => {
    expect(isLoopbackUrl(url)).toBe(expected);
  });

  it('takes a URL as well as its text', () => {
    expect(isLoopbackUrl(new URL('https://localhost/'))).toBe(true);
  });
});
