import {describe, expect, it} from 'vitest';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {answer, readSamples, ringOf} from './samples.js';

for (const name of DEVICE_TYPES) {
  describe(`published and made-up reads of ${name}`, () => {
    for (const {id, title, request, keys, expect: expected} of readSamples(name)) {
      it(`${id}: ${title}`, () => {
        expect(answer(request, ringOf(keys))).toMatchObject(expected);
      });
    }
  });
}
