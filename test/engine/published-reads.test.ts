import {describe, expect, it} from 'vitest';
import {PUBLISHED_READS} from './published-reads.js';
import {answer, ringOf} from './samples.js';

const OTHER_BDK = '0123456789ABCDEFFEDCBA9876543232';

describe('a published read', () => {
  for (const {name, request, PAN, EXPY, mode} of PUBLISHED_READS) {
    it(`opens: ${name}`, () => {
      expect(answer(request)).toMatchObject({
        response: {meta: {mode}, extracted: {PAN, EXPY}},
      });
    });

    it(`is refused under another key: ${name}`, () => {
      const keys = ringOf([{kind: 'bdk', hex: OTHER_BDK}]);
      expect(answer(request, keys)).toMatchObject({errCode: 2601});
    });
  }
});
