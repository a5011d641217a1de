import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {redactCardNumbers} from '../../../src/contract/masks/redact-card-numbers.js';

/** The check digit by the definition of ISO/IEC 7812-1, not as the masks calculate it. */
function isValid(digits: string): boolean {
  let total = 0;
  [...digits].reverse().forEach((digit, i) => {
    const doubled = i % 2 === 1 ? String(2 * Number(digit)) : digit;
    for (const one of doubled) total += Number(one);
  });
  return total % 10 === 0;
}

const cards = fc
  .tuple(
    fc.integer({min: 10, max: 17}),
    fc.constantFrom(...'23456'),
    fc.array(fc.nat({max: 9}), {minLength: 17, maxLength: 17}),
  )
  .map(([length, first, digits]) => {
    const body = first + digits.slice(0, length).join('');
    return body + [...'0123456789'].find((check) => isValid(body + check));
  });

const single = fc.constantFrom(...' -./_:|,;\t\n+~*·•=^#\u00a0\u2009\u2013\u3000\u202f');
const soft = fc
  .array(fc.constantFrom(...' ,-.'), {minLength: 1, maxLength: 3})
  .map((all) => all.join(''));

/** A card in groups of any size, with anything allowed between each two. */
const grouped = cards.chain((card) =>
  fc
    .tuple(
      fc.array(fc.integer({min: 2, max: 6}), {minLength: 9, maxLength: 9}),
      fc.array(fc.oneof(single, soft), {minLength: 9, maxLength: 9}),
    )
    .map(([sizes, gaps]) => {
      let rest = card;
      let written = '';
      for (let i = 0; rest.length > (sizes[i] ?? 19); i++) {
        written += rest.slice(0, sizes[i]) + gaps[i];
        rest = rest.slice(sizes[i]);
      }
      return {card, written: written + rest};
    }),
);

/** What may stand before and after a number. */
const FRONTS = [
  '',
  'pan=',
  '"',
  'card: ',
  '2026-11-22T10:07:59.123Z ',
  'x',
  ';',
  '%B',
  '12 ',
  '<b>',
];
const ENDS = [
  '',
  '=25121011000?',
  ' 12/28',
  '^DOE/J^2512',
  '"',
  '.',
  'D2512101',
  ' 737',
  'x',
  '\n',
];

const scriptFrom = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const eachByte = (before: string, encoding: BufferEncoding) => (text: string) =>
  Buffer.from(text, encoding).toString('hex').replace(/../g, `${before}$&`);
const each = (write: (character: string) => string) => (text: string) =>
  [...text].map(write).join('');

/** How a text with a card may be written. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  ...Object.fromEntries(
    [0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x1d7ce, 0x1d7f6, 0x1fbf0].map((zero) => [
      `digits from U+${zero.toString(16)}`,
      scriptFrom(zero),
    ]),
  ),
  keycaps: (text) => text.replace(/\d/g, '$&\ufe0f\u20e3'),
  'circled digits': (text) => text.replace(/[1-9]/g, (digit) => '①②③④⑤⑥⑦⑧⑨'.charAt(+digit - 1)),
  'zero-width characters': (text) => text.replace(/\d/g, '$&\u200b\u2060\ufeff'),
  'soft hyphens': (text) => text.replace(/\d/g, '\u00ad$&'),
  'hex of ASCII': eachByte('', 'latin1'),
  'hex of ASCII in upper case': (text) => eachByte('', 'latin1')(text).toUpperCase(),
  'hex of ASCII with spaces': eachByte(' ', 'latin1'),
  'hex of UTF-16': eachByte('', 'utf16le'),
  'hex of UTF-16, big-endian': (text) =>
    Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase(),
  'percent escapes': eachByte('%', 'latin1'),
  'percent escapes, twice': eachByte('%25', 'latin1'),
  'percent escapes of all but digits': (text) => text.replace(/[^\d]/g, encodeURIComponent),
  'bytes of a string': eachByte('\\x', 'latin1'),
  'decimal entities': each((character) => `&#${character.charCodeAt(0)};`),
  'hex entities': each((character) => `&#x${character.charCodeAt(0).toString(16)};`),
  base64: (text) => Buffer.from(text, 'latin1').toString('base64'),
  'base64 for addresses': (text) => Buffer.from(text, 'latin1').toString('base64url'),
  'base64 in lines': (text) =>
    Buffer.from(text, 'latin1').toString('base64').replace(/.{20}/g, '$&\r\n'),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'hex of hex': (text) => eachByte('', 'latin1')(eachByte('', 'latin1')(text)),
};
const LATIN1_ONLY = /hex|percent|bytes|base64/;

function isMasked(text: string): boolean {
  return redactCardNumbers(text) !== text;
}

describe('a planted card number', () => {
  it.each(Object.entries(ENCODINGS))('is masked %s', (name, encode) => {
    const property = fc.property(
      grouped,
      fc.constantFrom(...FRONTS),
      fc.constantFrom(...ENDS),
      ({written}, front, end) => {
        const plain = LATIN1_ONLY.test(name) ? written.replace(/[^\0-\xff]/g, ' ') : written;
        const text = front + plain + end;
        // A letter between digits of the number would be none between groups.
        expect(isMasked(encode(text)), JSON.stringify(encode(text))).toBe(true);
      },
    );
    fc.assert(property, {numRuns: 150, seed: 3008});
  });

  it('shows at most its first six and last four digits', () => {
    const property = fc.property(grouped, fc.constantFrom(...FRONTS), ({card, written}, front) => {
      const masked = redactCardNumbers(`${front}${written}`);
      const shown = card.length === 12 ? 4 : 10;
      const hidden = masked.replace(/[^*]/g, '').length - written.replace(/[^*]/g, '').length;
      expect(hidden).toBeGreaterThanOrEqual(card.length - shown);
      expect(masked.replace(/\D/g, '')).not.toContain(card);
    });
    fc.assert(property, {numRuns: 1000, seed: 3008});
  });

  it.each(['F', '0'])('is masked in hex bytes that begin with %s', (before) => {
    const property = fc.property(cards, (card) =>
      isMasked(`pan ${[...card].map((digit) => before + digit).join('')}.`),
    );
    fc.assert(property, {numRuns: 300, seed: 3008});
  });

  it('is masked as packed digits', () => {
    const property = fc.property(
      cards,
      fc.constantFrom('', ' ', ':', '%', ', 0x', '\\x'),
      (card, gap) => {
        const packed = card.length % 2 === 0 ? card : `${card}F`;
        return isMasked(`AB${packed.replace(/../g, `${gap}$&`)}EF`);
      },
    );
    fc.assert(property, {numRuns: 300, seed: 3008});
  });
});

/** Moments of a century, and numbers for what comes with them. */
const times = Array.from({length: 10_000}, (_, i) => new Date(631_152_000_000 + i * 86_399_123));
/** Of the years 2014 to 2033. */
const millis = (i: number) => 1_400_000_000_000 + i * 59_999_123;
const pad = (value: number, length = 2) => String(value).padStart(length, '0');
const octets = (i: number, count: number) =>
  Array.from({length: count}, (_, k) => Math.imul(i * 16 + k + 1, 0x9e3779b1) >>> 24);
const hexOf = (i: number, bytes: number) =>
  octets(i, bytes)
    .map((one) => one.toString(16).padStart(2, '0'))
    .join('');

describe('what is no card number', () => {
  it.each<[string, (time: Date, i: number) => string]>([
    ['ISO 8601', (time) => time.toISOString()],
    ['ISO 8601 with a space', (time) => time.toISOString().replace('T', ' ').replace('Z', '')],
    [
      'a comma before milliseconds',
      (time) => time.toISOString().replace(/T/, ' ').replace('.', ','),
    ],
    [
      'microseconds and an offset',
      (time, i) => time.toISOString().replace('Z', `${pad(i % 1000, 3)}+01:00`),
    ],
    ['nanoseconds', (time, i) => time.toISOString().replace('Z', `${pad(i * 91, 6)}Z`)],
    ['ISO 8601, basic', (time) => time.toISOString().replace(/[-:]/g, '')],
    [
      'an interval',
      (time) => `${time.toISOString().slice(0, 10)}/${time.toISOString().slice(0, 10)}`,
    ],
    ['14 digits', (time) => time.toISOString().replace(/\D/g, '').slice(0, 14)],
    ['milliseconds since 1970', (_, i) => `{"level":30,"time":${millis(i)},"pid":71}`],
    ['seconds since 1970', (_, i) => `${(millis(i) / 1000).toFixed(3)} accept`],
    ['percent escapes', (time) => `t=${encodeURIComponent(time.toISOString().replace('T', ' '))}`],
    [
      'day first',
      (time) =>
        `${pad(time.getUTCDate())}.${pad(time.getUTCMonth() + 1)}.${time.getUTCFullYear()} ${time.toISOString().slice(11, 19)}`,
    ],
    ['RFC 2822', (time) => time.toUTCString()],
    ['a date in words', (time) => `${time.toString().slice(0, 24)} GMT+0000`],
    [
      'the date of a commit',
      (time) => time.toString().replace(/(\w+ \w+) (\d+) (\d+) ([\d:]+).*/, '$1 $2 $4 $3 +0000'),
    ],
    ['the name of a file', (time) => time.toISOString().slice(0, 19).replaceAll(/\D/g, '_')],
    [
      'a web server log',
      (time, i) =>
        `${octets(i, 4).join('.')} - - [${time.toUTCString().slice(5, 16).replace(/ /g, '/')}:${time.toISOString().slice(11, 19)} +0000] "GET / HTTP/1.1" 200 ${i}`,
    ],
    [
      'a line of the log',
      (time, i) =>
        `{"level":30,"time":"${time.toISOString()}","messageId":"1201607010023571033712211","status":200,"ms":${i / 100},"msg":"request"}`,
    ],
    [
      'the log for people',
      (time, i) =>
        `${time.toISOString().slice(11, 19)}  processPayload  200  DEMO  idtech GN-700412  ${i % 100} ms`,
    ],
    ['IPv4', (_, i) => `from ${octets(i, 4).join('.')}:${i + 1024}`],
    ['IPv6', (_, i) => `2001:${hexOf(i, 14).replace(/.{4}(?=.)/g, '$&:')}`],
    [
      'UUID',
      (_, i) =>
        hexOf(i, 16)
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-4a$3-$4-')
          .replace(/-4a../, '-4a'),
    ],
    ['KSN', (_, i) => `ksn FFFF98765${pad(i, 5)}0E${pad(i, 5)}`],
    ['messageId', (_, i) => `id 12016070100235710337${pad(i, 5)}`],
  ])('stays: %s', (_, write) => {
    const texts = times.map(write);
    expect(texts.filter((text) => redactCardNumbers(text) !== text).slice(0, 5)).toEqual([]);
  });
});
