import {describe, expect, it} from 'vitest';
import {didYouMean, nearestName} from '../../src/contract/nearest-name.js';

const NAMES = ['decrypt', 'derive', 'device add', 'diagnose', 'key', 'test-keys'];

describe('nearestName', () => {
  it.each([
    ['decript', 'decrypt'],
    ['DECRYPT', 'decrypt'],
    ['derve', 'derive'],
    ['kye', 'key'],
    ['eyk', undefined],
    ['kei', 'key'],
    ['dia', 'diagnose'],
    ['test', 'test-keys'],
    ['di', undefined],
    ['', undefined],
    ['unlike-anything', undefined],
  ])('%j is %j', (typed, meant) => {
    expect(nearestName(typed, NAMES)).toBe(meant);
  });

  it('is none where there are no names', () => {
    expect([nearestName('x', []), didYouMean('x', [])]).toEqual([undefined, undefined]);
  });

  it('prefers the nearer name to the first, and the first of two as near', () => {
    expect(nearestName('visb', ['visa-x', 'visa', 'vise'])).toBe('visa');
  });

  it('prefers the one with the same first letter among names as near', () => {
    expect(nearestName('fsh', ['bash', 'zsh', 'fish'])).toBe('fish');
    expect(nearestName('xsh', ['bash', 'zsh', 'fish'])).toBe('zsh');
  });

  it('is none where half of what was typed would be wrong', () => {
    expect(nearestName('ksn', ['json', 'key-file'])).toBe(undefined);
    expect(nearestName('sevre', ['serve'])).toBe('serve');
  });

  it('never repeats what was typed', () => {
    expect(didYouMean('decript', NAMES, 'paylens ')).toBe('Did you mean: paylens decrypt');
  });
});
