import {describe, expect, it} from 'vitest';
import {redactCardNumbers} from '../../src/contract/redact-card-numbers.js';

describe('redactCardNumbers', () => {
  it.each([
    ['4111111111111111', '411111******1111'],
    ['pan 4111 1111 1111 1111.', 'pan 4111 11** **** 1111.'],
    ['4111-1111-1111-1111', '4111-11**-****-1111'],
    ['374245001751006', '374245*****1006'],
    ['4222222222222', '422222***2222'],
    ['6304000000000000000', '630400*********0000'],
    ['at 12 4111111111111111 of 20', 'at 12 411111******1111 of 20'],
    ['4111111111111111 5454545454545454', '411111******1111 545454******5454'],
    [';4111111111111111=25121011', ';411111******1111=25121011'],
    ['41111111-1111-1111-9', '411111**-****-1111-9'],
    ['41111111-1111-1111-9111-111111111111-a', '411111**-****-1111-9111-111111111111-a'],
    ['x4111111111111111x', 'x411111******1111x'],
    [
      `${'ab'.repeat(16)}4111111111111111${'cd'.repeat(8)}`,
      `${'ab'.repeat(16)}411111******1111${'cd'.repeat(8)}`,
    ],
  ])('masks the card number in %j', (text, redacted) => {
    expect(redactCardNumbers(text)).toBe(redacted);
  });

  it.each([
    ['a messageId of 25 digits', '1201607010023571033712211'],
    ['12 digits', '411111111111'],
    ['16 digits that fail Luhn', '4111111111111112'],
    ['a UUID', '8716c8ba-2423-4411-1005-5a77fc894659'],
    ['a sentence without numbers', 'expected 03, found 04 at byte 12'],
  ])('leaves %s alone', (_, text) => {
    expect(redactCardNumbers(text)).toBe(text);
  });
});
