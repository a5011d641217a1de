import {describe, expect, it} from 'vitest';
import {wrapText} from '../../../../src/cli/output/layout/wrap-text.js';

describe('wrapText', () => {
  it.each([
    ['short text stays', 'bit 7', 5, 'bit 7'],
    ['long text breaks at a blank', 'serial present here', 10, 'serial\npresent\nhere'],
    ['text without blanks breaks at the width', 'ghijklmnop', 4, 'ghij\nklmn\nop'],
    [
      'hex breaks at whole bytes',
      'KSN FFFF9876543210E00008.',
      7,
      'KSN\nFFFF98\n765432\n10E000\n08.',
    ],
    ['an escape stays whole', 'abc\\x1b[31mdef', 5, 'abc\n\\x1b[\n31mde\nf'],
    ['wide characters count twice', '決済端末', 5, '決済\n端末'],
    ['a mark stays with its letter', 'e\u0301e\u0301e\u0301', 2, 'e\u0301e\u0301\ne\u0301'],
    ['what is indented stays so', '  one two', 6, '  one\n  two'],
    ['a command that fits is not parted', 'Run `paylens help` now', 16, 'Run\n`paylens help`\nnow'],
    [
      'a longer one breaks at spaces',
      'Run `paylens key list` now',
      14,
      'Run\n`paylens key\nlist` now',
    ],
  ])('%s', (_, text, width, wrapped) => {
    expect(wrapText(text, width)).toBe(wrapped);
  });

  it('leaves what no terminal shows as it is', () => {
    const text = `${'a'.repeat(500)} ${'b '.repeat(500)}`;
    expect(wrapText(text, Number.POSITIVE_INFINITY)).toBe(text);
  });
});
