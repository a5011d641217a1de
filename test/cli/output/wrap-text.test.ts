import {describe, expect, it} from 'vitest';
import {wrapText} from '../../../src/cli/output/wrap-text.js';

describe('wrapText', () => {
  it.each([
    ['short text stays', 'bit 7', 5, 'bit 7'],
    ['long text breaks at a blank', 'serial present here', 10, 'serial\npresent\nhere'],
    ['text without blanks breaks at the width', '0123456789', 4, '0123\n4567\n89'],
  ])('%s', (_, text, width, wrapped) => {
    expect(wrapText(text, width)).toBe(wrapped);
  });
});
