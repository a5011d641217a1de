import {describe, expect, it} from 'vitest';
import {isSameTarget} from '../../src/auth/methods/digest.js';

const PATH = '/api/v1/decrypt/parser';

describe('the uri of a Digest header', () => {
  it.each([
    [PATH, PATH, true],
    [PATH, `http://localhost${PATH}`, true],
    [`http://localhost${PATH}`, `http://localhost${PATH}`, true],
    [`http://other.example${PATH}`, PATH, false],
    [`http://other.example${PATH}`, `http://localhost${PATH}`, false],
    [`${PATH}?a=1`, PATH, false],
    [`x://y${PATH}`, PATH, false],
  ])('%s for the target %s: %s', (uri, target, isSame) => {
    expect(isSameTarget(uri, target)).toBe(isSame);
  });
});
