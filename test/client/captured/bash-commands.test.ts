import {execaSync} from 'execa';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {bashCommands} from '../../../src/client/captured/bash-commands.js';

/** What bash gives a program called curl for each text: its words, one byte a character. */
function wordsOfBash(texts: readonly string[]): string[][][] {
  const script = `exec 3>&1
curl() { { for word; do printf '%s\\0' "$word"; done; printf '\\1\\0'; } >&3; }
for text in "$@"; do eval "$text"; printf '\\2\\0'; done`;
  const {stdout} = execaSync('bash', ['-c', script, 'bash', ...texts], {
    encoding: 'buffer',
    env: {LC_ALL: 'C.UTF-8'},
    cwd: '/proc',
  });
  const answers = Buffer.from(stdout).toString('latin1').split('\u0002\0').slice(0, -1);
  return answers.map((answer) =>
    answer
      .split('\u0001\0')
      .slice(0, -1)
      .map((words) => words.split('\0').slice(0, -1)),
  );
}

function ourWords(text: string): string[][] {
  const bytes = Buffer.from(text).toString('latin1');
  return bashCommands(bytes).map((words) => words.slice(1));
}

const TEXTS = [
  `curl 'a b' "c d" e\\ f`,
  `curl -d '{"a":"it'\\''s"}'`,
  `curl -d "{\\"a\\":\\"\\$5\\",\\"b\\":\\"\\\\n\\"}"`,
  `curl -d "a\\qb\\\ncd"`,
  `curl -d $'a\\n\\t\\\\\\'\\"\\u0021\\xc3\\xa9\\303\\251\\e\\q\\cA\\?'`,
  `curl -d $'a\\0b' c`,
  `curl -d $'\\u00e9\\u20ac\\U0001f4b3\\ud83d'`,
  `curl $"a b" '' "" x`,
  'curl a \\\n  -H b \\\n  -d c',
  'curl a # comment -d x\ncurl b',
  'curl a#b; curl c',
  'curl a 2>/dev/null >/dev/null b',
  `curl a > /dev/null 2>&1`,
  'curl http://x/?a=1',
  'curl {a} a} {a:b}',
  `curl caf\u00e9\u00a0x '\u20ac'`,
  'curl $ a$ "b$" "c$ d"',
  'curl a=b [x] ~x- !x',
];

describe('words of bash', () => {
  it('are those that bash makes', () => {
    const expected = wordsOfBash(TEXTS);
    for (const [i, text] of TEXTS.entries()) expect(ourWords(text), text).toEqual(expected[i]);
  });

  it('are those that bash makes of any mixture of quotes', () => {
    const plain = fc.stringMatching(/^[\w/:.,=@%+!^~é€-]{0,6}$/);
    const inner = fc.stringMatching(/^[\w "{}[\]:,;|&<>()*?#é€\n-]{0,12}$/);
    const part = fc.oneof(
      plain.filter((text) => !text.startsWith('~')),
      inner.map((text) => `'${text}'`),
      inner.map((text) => `'${text.replaceAll('"', '\\')}'`),
      inner.map((text) => `"${text.replaceAll('"', '\\"')}"`),
      inner.map((text) => `$'${text.replaceAll('"', "\\'")}'`),
      fc.stringMatching(/^[\\"'$`a ]$/).map((text) => `\\${text}`),
      fc
        .stringMatching(/^(?:\\(?:[abefnrtv\\'"?]|x[1-7][0-9a-f]|1[0-7]{2}|u00[4-9][0-9])){0,3}$/)
        .map((text) => `$'${text}'`),
    );
    const word = fc.array(part, {minLength: 1, maxLength: 4}).map((parts) => `x${parts.join('')}`);
    const line = fc
      .array(fc.tuple(fc.constantFrom(' ', '  ', '\t', ' \\\n '), word), {maxLength: 6})
      .map((words) => `curl${words.flat().join('')}`);
    const texts = fc.sample(line, {numRuns: 400, seed: 4711});
    const expected = wordsOfBash(texts);
    for (const [i, text] of texts.entries()) expect(ourWords(text), text).toEqual(expected[i]);
  });

  it.each([
    ["curl 'a", /line 1, column 6: unterminated single quote/],
    ['curl a \\\n  -d "x', /line 2, column 6: unterminated double quote/],
    ["curl $'a\\", /unterminated \$'/],
    ['curl -d "$BODY"', /column 10: found a shell variable/],
    ['curl $(date)', /variable or substitution/],
    ['curl "`date`"', /command substitution/],
    ['curl `date`', /backtick/],
    ['curl (a)', /parenthesis/],
    ['curl -d {"a":1,"b":2}', /found \{ \} outside quotes/],
    ['curl {1..3}', /found \{ \} outside quotes/],
    ['curl -d @- <<EOF\nx\nEOF', /here-document/],
  ])('are refused where bash would replace text or wait for more: %s', (text, message) => {
    expect(() => bashCommands(text)).toThrow(message);
  });

  it('are read in linear time', () => {
    const body = JSON.stringify({devicePayload: 'A"\\\'$'.repeat(100_000)});
    for (const text of [
      `curl -d '${body.replaceAll("'", "'\\''")}'`,
      `curl -d "${body.replaceAll(/["\\$]/g, '\\$&')}"`,
      `curl -d $'${body.replaceAll(/[\\']/g, '\\$&')}'`,
    ]) {
      expect(ourWords(text)).toEqual([['-d', body]]);
    }
    for (const piece of ['{', '"', "'", '\\', '$', '<', '> ', '{a', 'x ', '2>'])
      try {
        bashCommands(`curl ${piece.repeat(100_000)}`);
      } catch (error) {
        expect(error).toMatchObject({code: 9002});
      }
  });
});
