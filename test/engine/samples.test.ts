import {describe, expect, it} from 'vitest';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {answer, readSamples, ringOf} from './samples.js';

for (const name of TERMINAL_TYPES) {
  describe(`published and made-up reads of ${name}`, () => {
    for (const {id, title, request, keys, expect: expected} of readSamples(name)) {
      it(`${id}: ${title}`, () => {
        expect(answer(request, ringOf(keys))).toMatchObject(expected);
      });
    }
  });
}
