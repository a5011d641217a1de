import {randomBytes} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {combineComponents} from '../../../src/keyfile/keys/combine-components.js';

describe('combineComponents', () => {
  it.each([2, 3, 4])('XORs %i components', (count) => {
    const parts = Array.from({length: count}, () => randomBytes(16));
    const expected = parts
      .map((part) => BigInt(`0x${part.toString('hex')}`))
      .reduce((left, right) => left ^ right);
    const key = combineComponents(parts.map((part) => new Secret(part)));
    expect(BigInt(`0x${Buffer.from(key.reveal()).toString('hex')}`)).toBe(expected);
  });

  it('leaves the components as they are', () => {
    const part = Buffer.from('0123456789ABCDEF', 'hex');
    const secret = new Secret(part);
    combineComponents([secret, new Secret(Buffer.alloc(8, 1))]);
    expect(secret.equals(new Secret(part))).toBe(true);
  });

  it.each([
    ['no component', []],
    ['one component', [16]],
    ['components of other lengths', [16, 24]],
  ])('refuses %s with 9015', (_, lengths) => {
    const parts = lengths.map((length) => new Secret(Buffer.alloc(length, length)));
    expect(() => combineComponents(parts)).toThrow(expect.objectContaining({code: 9015}));
  });

  it('refuses components that cancel out with 9015', () => {
    const parts = [new Secret(Buffer.alloc(16, 7)), new Secret(Buffer.alloc(16, 7))];
    expect(() => combineComponents(parts)).toThrow(/XOR to zero/);
  });
});
