import {describe, expect, it} from 'vitest';
import {redactKeys} from '../../../src/contract/masks/redact-keys.js';

describe('redactKeys', () => {
  it.each([
    ['a TDES key', 'at 0123456789ABCDEFFEDCBA9876543210.', 'at [hidden].'],
    ['a key in lower case', '0123456789abcdeffedcba9876543210', '[hidden]'],
    ['an AES-256 key', 'F1'.repeat(32), '[hidden]'],
  ])('hides %s', (_, text, redacted) => {
    expect(redactKeys(text)).toBe(redacted);
  });

  it.each([
    ['a KSN of 10 bytes', 'FFFF9876543210E00001'],
    ['a KSN of 12 bytes', '123456789012345600000001'],
    ['a messageId', '1201607010023571033712211'],
  ])('leaves %s alone', (_, text) => {
    expect(redactKeys(text)).toBe(text);
  });
});
