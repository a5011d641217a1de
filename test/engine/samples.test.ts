import {describe, expect, it} from 'vitest';
import {answer, readSamples, ringOf} from './samples.js';

for (const name of ['idtech', 'generic', 'wisepad', 'wisepad2']) {
  describe(`published and made-up reads of ${name}`, () => {
    for (const {id, title, request, keys, expect: expected} of readSamples(name)) {
      it(`${id}: ${title}`, () => {
        expect(answer(request, ringOf(keys))).toMatchObject(expected);
      });
    }
  });
}
