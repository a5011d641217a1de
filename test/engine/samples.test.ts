import {describe, expect, it} from 'vitest';
import {answer, readSamples, ringOf} from './samples.js';

const NAMES = [
  ...['idtech', 'generic', 'miura', 'verifone', 'prima', 'phressiapad'],
  ...['wisepad', 'wisepad2'],
];

for (const name of NAMES) {
  describe(`published and made-up reads of ${name}`, () => {
    for (const {id, title, request, keys, expect: expected} of readSamples(name)) {
      it(`${id}: ${title}`, () => {
        expect(answer(request, ringOf(keys))).toMatchObject(expected);
      });
    }
  });
}
