import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {allOrNone} from '../../../src/keyfile/keys/all-or-none.js';

const failing = (errors: readonly unknown[]) => () =>
  allOrNone(errors, (error) => {
    throw error;
  });

describe('allOrNone', () => {
  it('gives what is made of every item, with its index', () => {
    expect(allOrNone(['a', 'b'], (item, index) => `${item}${index}`)).toEqual(['a0', 'b1']);
  });

  it('reports all unusable items in one error', () => {
    const [first, second] = ['keys[0]: kind', 'keys[1]: hex'].map(
      (detail) => new PaylensError(9015, detail),
    );
    expect(failing([first])).toThrow(first);
    expect(failing([first, second])).toThrow(
      expect.objectContaining({code: 9015, detail: 'keys[0]: kind; keys[1]: hex'}),
    );
  });

  it.each([[new TypeError('a defect')], [new PaylensError(9012, 'no keyfile')]])(
    'passes on at once what says nothing of an item: %s',
    (error) => {
      expect(failing([error, new PaylensError(9015, 'keys[1]: hex')])).toThrow(error);
    },
  );
});
