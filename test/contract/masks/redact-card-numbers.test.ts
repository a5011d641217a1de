import {describe, expect, it} from 'vitest';
import {Layer} from '../../../src/contract/masks/layer.js';
import {normalised} from '../../../src/contract/masks/normalised.js';
import {redactCardNumbers} from '../../../src/contract/masks/redact-card-numbers.js';
import {superLinear} from '../../sweep/measure.js';

const CARD = '4111111111111111';
const UUID = '8716c8ba-2423-4411-1005-5a77fc894659';

/** Its digits are a card number, and its one letter is the last character. */
const CARD_UUID = '41111111-1111-1111-9111-22222222201a';
const NO_UUID = '411111**-****-1111-9111-22222222201';

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
    ['411111111117', '********1117'],
    ['34313131313131313131313131313131', '343131313131************31313131'],
    [`%3B${asciiHex(CARD)}3D`, '%3B343131313131************313131313D'],
    [asciiHex(asciiHex(CARD)), asciiHex('343131313131') + '*'.repeat(24) + asciiHex('31313131')],
    [asciiHex('411111111117'), `${'*'.repeat(16)}31313137`],
    [`x${CARD_UUID}`, `x${NO_UUID}a`],
    [`${CARD_UUID}1`, `${NO_UUID}a1`],
    [`${CARD_UUID}g`, `${NO_UUID}ag`],
    [CARD_UUID.replace('a', '1'), `${NO_UUID}1`],
    [CARD_UUID.replace('a', 'g'), `${NO_UUID}g`],
    ['%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31', '%34%31%31%31%31%31******%31%31%31%31'],
    ['4111.1111.1111.1111', '4111.11**.****.1111'],
    ['4111  1111  1111  1111', '4111  11**  ****  1111'],
    ['41111111_11111111', '411111**_****1111'],
    ['4111.1111-1111.1111', '4111.11**-****.1111'],
    ['422222  2222222', '422222  ***2222'],
    ['4111_1111_1111_1111', '4111_11**_****_1111'],
    ['4111\u00a01111\u00a01111\u00a01111', '4111\u00a011**\u00a0****\u00a01111'],
    ['4111\\n1111\\n1111\\n1111', '4111\\n11**\\n****\\n1111'],
    ['3742.450017.51006', '3742.45****.*1006'],
    ['/?pan=4111+1111+1111+1111&', '/?pan=4111+11**+****+1111&'],
    ['/?pan=4111%201111%201111%201111', '/?pan=4111%2011**%20****%201111'],
    ['%34111%311111111111%31', '%34111%311******111%31'],
    [
      asciiPercent(CARD, '%253'),
      `${asciiPercent('411111', '%253')}******${asciiPercent('1111', '%253')}`,
    ],
    ['100%4111111111111111', '100%411111******1111'],
    ['４１１１１１１１１１１１１１１１', '４１１１１１******１１１１'],
    [utf16(CARD), utf16('411111') + '**00'.repeat(6) + utf16('1111')],
    [`00${utf16(CARD)}`, `00${utf16('411111')}${'**00'.repeat(6)}${utf16('1111')}`],
    [
      utf16('4111 1111 1111 1111'),
      `${utf16('4111 11')}**00**002000${'**00'.repeat(4)}2000${utf16('1111')}`,
    ],
    [base64(CARD), 'NDExMTEx********MTExMQ=='],
    [base64(CARD).replace('==', ''), 'NDExMTEx********MTExMQ'],
    ...['', 'A', 'AB', '{"pan":"', '\0\xff'].flatMap((front) =>
      [CARD, '4111 1111 1111 1111', '374245001751006', '6304000000000000000'].map((card) => [
        base64(`${front}${card}"}`),
        starredBase64(front, card, '"}'),
      ]),
    ),
    // Its base64 has `0x` in it, which divides hex.
    [base64('pan=5915 0642-16 53 07'), starredBase64('pan=', '5915 0642-16 53', ' 07')],
    ['4111<br>1111<br>1111<br>1111', '4111<br>11**<br>****<br>1111'],
    ['4111 - 1111 - 1111 - 1111', '4111 - 11** - **** - 1111'],
    ['4111&nbsp;1111&nbsp;1111&nbsp;1111', '4111&nbsp;11**&nbsp;****&nbsp;1111'],
    ['&#52;111111&#x31;11111111', '&#52;11111******1111'],
    [spelled('F', '')(CARD), `F4F1F1F1F1F1${'*'.repeat(12)}F1F1F1F1`],
    [spelled('0', '')(CARD), `040101010101${'*'.repeat(12)}01010101`],
    [
      '0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11',
      '0x41, 0x11, 0x11, 0x**, 0x**, 0x**, 0x11, 0x11',
    ],
    ['\u0664\u0661١١١١١١١١١١١١١١', '\u0664\u0661١١١١******١١١١'],
    [
      `${'word '.repeat(1000)}${CARD} ${'word '.repeat(1000)}${CARD}`,
      `${'word '.repeat(1000)}411111******1111 ${'word '.repeat(1000)}411111******1111`,
    ],
    [`/v1/a/${base64(CARD)}`, '/v1/a/NDExMTEx********MTExMQ=='],
    [
      `x=${base64(CARD)}&y=${base64(CARD)}`,
      'x=NDExMTEx********MTExMQ==&y=NDExMTEx********MTExMQ==',
    ],
    [`${UUID} ${CARD}`, `${UUID} 411111******1111`],
    [`${UUID}-${CARD}`, `${UUID}-411111******1111`],
    [`${UUID}, ${UUID} ${CARD} ${UUID}`, `${UUID}, ${UUID} 411111******1111 ${UUID}`],
    [`${CARD} ${UUID}`, `411111******1111 ${UUID}`],
    [`12345678-${UUID}`, `12345678-${UUID}`],
    [
      `${'ab'.repeat(16)}4111111111111111${'cd'.repeat(8)}`,
      `${'ab'.repeat(16)}411111******1111${'cd'.repeat(8)}`,
    ],
  ])('masks the card number in %j', (text, redacted) => {
    expect(redactCardNumbers(text)).toBe(redacted);
  });

  describe.each([
    ...['%20', '%22', '%c7', '%25', '%2520', '%2525', '%252520'],
    ...['\\x07', '\\x90', '\\u001f', '\\u00a5'],
  ])('masks the card number behind the escape %s', (front) => {
    const card = '4012888888881881';
    it.each([
      card,
      '4012 8888 8888 1881',
      '4012.8888.8888.1881',
      '4012%208888%208888%201881',
      asciiPercent(card, '%3'),
      `${card} of 3`,
      `${card}${front}${card}`,
    ])('as %s', (written) => {
      const redacted = redactCardNumbers(`pan=${front}${written}`);
      expect(redacted.replace(/%20|%3(?=\d)|[ .]/g, '')).not.toMatch(/8{5}/);
    });

    it('but no messageId', () => {
      const text = `id=${front}1201607010023571033712211`;
      expect(redactCardNumbers(text)).toBe(text);
    });
  });

  it.each([
    ['a messageId of 25 digits', '1201607010023571033712211'],
    ['12 digits', '411111111111'],
    ['16 digits that fail Luhn', '4111111111111112'],
    ['16 digits in base64 that fail Luhn', base64('4111111111111112')],
    ['11 digits in base64', base64('41111111112')],
    ['a messageId in base64', base64('1201607010023571033712211')],
    ['16 digits in UTF-16 that fail Luhn', utf16('4111111111111112')],
    ['a UUID', '8716c8ba-2423-4411-1005-5a77fc894659'],
    ['a UUID with one letter, the last', CARD_UUID],
    ['a UUID in upper case', CARD_UUID.toUpperCase()],
    ['11 digits that satisfy Luhn', '41111111112'],
    ['groups that fail Luhn', '4111.1111.1111.1112'],
    ['groups with a letter between', '4111x1111x1111x1111'],
    ['groups with four characters between', '4111 - -1111 - -1111 - -1111'],
    ['a time with dots', '2026.11.22 10.07.59.123'],
    ['20 digits that satisfy Luhn', '41111111111111111115'],
    ['a sentence without numbers', 'expected 03, found 04 at byte 12'],
  ])('leaves %s alone', (_, text) => {
    expect(redactCardNumbers(text)).toBe(text);
  });

  it.each([
    ['digits', '1'],
    ['zeros', '0'],
    ['digits with blanks between', '0 '],
    ['digits with hyphens between', '0-'],
    ['groups of two', '12 '],
    ['card numbers', `${CARD} `],
    ['twelve digits and a letter', '111111111111x'],
    ['hex of ASCII', '30'],
    ['hex of the digit three', '33'],
    ['percent-encoded digits', '%34'],
    ['digits encoded twice', '%2534'],
    ['groups with dots between', '4111.'],
    ['escapes', '%20'],
    ['escapes and digits', '\\u00004'],
    ['escaped percent signs', '%25'],
    ['what escaped percent signs hold', '25'],
    ['groups and two blanks', '4111  '],
    ['dots', '.'],
    ['digits in base64', 'MTEx'],
    ['card numbers in base64', `${base64(`${CARD} `)}/`],
    ['digits in base64 at every place', 'MTExMTAx/MTEx'],
    ['digits in UTF-16', '0031'],
    ['UUIDs', `${UUID} `],
    ['UUIDs and card numbers', `${UUID} ${CARD} `],
    ['what is nearly a UUID', `${UUID.slice(0, -1)}-`],
    ['backslashes', '\\\\'],
    ['escaped digits', '\\\\u0034'],
    ['entities', '&#52;'],
    ['Arabic digits', '\u0664'],
    ['bytes with colons', '34:'],
    ['digits of EBCDIC', 'F4'],
    ['unpacked digits', '04'],
    ['hex of groups', '343131312d'],
    ['card numbers with dots', '4111.1111.1111.1111 '],
    ['card numbers and escapes', `${CARD}%20`],
    ['bytes of a string', '\\x34'],
    ['escapes and groups', '4111%25344111 111134'],
    ['blanks between tags', '4111<br>'],
    ['characters that stand for words', '\ufdfa'],
    ['fractions', '½'],
    ['base64 of threes', 'Mz'],
    ['base64 of other bytes', 'g'],
    ['bytes of an array', '0x34'],
    ['digits and joiners', '1\u200b'],
    ['mathematical digits', '\u{1d7d2}'],
    ['beginnings of entities', '&#'],
    ['combining marks', '1\u0301'],
  ])('takes linear time for %s', async (title, unit) => {
    const ofSize = (size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const masks = {name: 'redactCardNumbers', run: redactCardNumbers};
    expect(await superLinear(masks, {title, ofSize})).toBeUndefined();
  });
});

describe('normalised', () => {
  it.each([
    ['a word', '\ufdfa', 'x'],
    ['a unit with hex digits', '\ufb00', 'ff'],
    ['a digit in parentheses', '\u2474', '(1)'],
    ['an Arabic digit', '\u0664', '4'],
    ['a joiner', '\u200d', ''],
  ])('reads %s', (_, character, ascii) => {
    expect(normalised(new Layer(character.repeat(3), false)).text).toBe(ascii.repeat(3));
  });
});

/** What people, keyboards and printers put between groups of digits. */
const BETWEEN = [
  ...[...' -./_:|,;\t\n\0+~*·•\\'],
  ...[0xa0, 0xad, 0x2000, 0x2007, 0x2009, 0x200b, 0x2010, 0x2011, 0x2013, 0x2014, 0x202f].map(
    (code) => String.fromCharCode(code),
  ),
  ...['\u2060', '\u2212', '\u3000', '\ufeff', '  ', '   ', ' - ', ', ', '","', '\r\n'],
  ...['&ensp;', '&thinsp;', '&shy;', '&zwj;', '&zwnj;'],
  ...['%20', '&nbsp;', '&#160;', '&#x20;', '\\u0020', '\\u00a0', '\\n', '\\t'],
];

const digitsFrom = (zero: number) => (card: string) =>
  [...card].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
const spelled = (before: string, behind: string) => (card: string) =>
  [...card].map((digit) => before + digit + behind).join('');

const SPELLINGS: Readonly<Record<string, (card: string) => string>> = {
  ...Object.fromEntries(
    [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xe50, 0x1946, 0xff10, 0x1d7ce, 0x1d7f6].map((zero) => [
      `digits from U+${zero.toString(16)}`,
      digitsFrom(zero),
    ]),
  ),
  'Arabic digits in groups': (card) => digitsFrom(0x660)(card).replace(/.{4}(?=.)/gu, '$& '),
  'full-width digits with dots': (card) => digitsFrom(0xff10)(card).replace(/.{4}(?=.)/gu, '$&.'),
  'JSON escapes': spelled('\\u003', ''),
  'JSON escapes in a string': spelled('\\\\u003', ''),
  'one JSON escape': (card) => `${card.slice(0, 5)}\\u003${card.slice(5)}`,
  'escapes of JavaScript': spelled('\\x3', ''),
  'escapes with braces': spelled('\\u{3', '}'),
  'hex entities': spelled('&#x3', ';'),
  'decimal entities': (card) => [...card].map((digit) => `&#${48 + Number(digit)};`).join(''),
  'decimal entities without semicolons': (card) =>
    [...card].map((digit) => `&#${48 + Number(digit)}`).join(''),
  'entities with many zeros': (card) =>
    [...card].map((digit) => `&#${'0'.repeat(14)}${48 + Number(digit)};`).join(''),
  'escaped entities': (card) => [...card].map((digit) => `&amp;#${48 + Number(digit)};`).join(''),
  'JSON escapes of mathematical digits': (card) =>
    [...digitsFrom(0x1d7ce)(card)]
      .map((digit) => digit.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`))
      .join(''),
  'digits with joiners': (card) => [...card].join('\u200d'),
  'percent escapes, four times': spelled('%2525253', ''),
  'one entity': (card) => `${card.slice(0, 5)}&#x3${card.charAt(5)};${card.slice(6)}`,
  'one percent-encoded digit': (card) => `${card.slice(0, 5)}%3${card.slice(5)}`,
  EBCDIC: spelled('F', ''),
  'unpacked digits': spelled('0', ''),
  'bytes of an array': spelled('0x3', ', '),
  'bytes with spaces': (card) => asciiHex(card).replace(/..(?=.)/g, '$& '),
  'bytes with colons': (card) => asciiHex(card).replace(/..(?=.)/g, '$&:'),
  'packed digits with colons': (card) => card.replace(/..(?=.)/g, '$&:'),
  'hex of groups': (card) => asciiHex(card.replace(/.{4}(?=.)/g, '$& ')),
  'hex of groups with hyphens': (card) => asciiHex(card.replace(/.{4}(?=.)/g, '$&-')),
  'packed bytes of an array': (card) =>
    even(card)
      .replace(/..(?=.)/g, '$&, 0x')
      .replace(/^/, '0x'),
  'packed bytes of a string': (card) => even(card).replace(/../g, '\\x$&'),
  'packed bytes, percent-encoded': (card) => even(card).replace(/../g, '%$&'),
  ...Object.fromEntries(
    ['\t', '\n', '\r\n', ';', '; ', '  ', '~', '%09', '\\n'].flatMap((between) => [
      [
        `pairs with ${JSON.stringify(between)}`,
        (card: string) => card.replace(/..(?=.)/g, `$&${between}`),
      ],
      [
        `digits with ${JSON.stringify(between)}`,
        (card: string) => card.replace(/.(?=.)/g, `$&${between}`),
      ],
    ]),
  ),
  'groups with tags': (card) => card.replace(/.{4}(?=.)/g, '$&<br>'),
  'cells of a table': (card) => card.replace(/.{4}(?=.)/g, '$&</td><td>'),
  'raised digits': (card) => [...card].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).join(''),
  'lowered digits': digitsFrom(0x2080),
  'base64 of UTF-16': (card) => Buffer.from(card, 'utf16le').toString('base64'),
  'groups with a space encoded twice': (card) => card.replace(/.{4}(?=.)/g, '$&%2520'),
  ...Object.fromEntries(
    ['\u00a0', '\u00ad', '\u2009', '\u200b', '\u2013', '\u3000', '\ufeff'].flatMap((between) =>
      (['hex', 'base64'] as const).map((encoding) => [
        `${encoding} of UTF-8 with ${JSON.stringify(between)}`,
        (card: string) =>
          Buffer.from(card.replace(/.{4}(?=.)/g, `$&${between}`)).toString(encoding),
      ]),
    ),
  ),
  'hex inside other hex': (card) => `a${asciiHex(card)}b`,
};

/** A card number of each length, for each first digit that one has. */
const CARDS = Array.from({length: 8}, (_, i) => i + 12).flatMap((length) =>
  ['2', '3', '4', '5', '6'].map((first, i) => withCheckDigit(first, length - 1, 7919 * (i + 1))),
);

function withCheckDigit(first: string, length: number, seed: number): string {
  const body = (first + String(BigInt(seed) ** 6n)).slice(0, length).padEnd(length, '90817263');
  return body + [...'0123456789'].find((digit) => isLuhn(body + digit));
}

function isLuhn(digits: string): boolean {
  const weights = [...digits].reverse().map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 2));
  return weights.reduce((sum, one) => sum + (one > 9 ? one - 9 : one), 0) % 10 === 0;
}

/** Packed digits are in whole bytes. */
function even(card: string): string {
  return card.length % 2 === 0 ? card : `${card}F`;
}

/** How many digits the output hides: all but ten, of twelve all but four. */
function hiddenIn(text: string, redacted: string): number {
  return redacted.split('*').length - text.split('*').length;
}

describe('a card number of any length', () => {
  it('is tried in each', () => {
    expect(CARDS.filter(isLuhn)).toHaveLength(40);
  });

  it.each(BETWEEN)('in groups of four with %j between', (between) => {
    const shown = CARDS.flatMap((card) => {
      const text = `pan ${card.replace(/.{4}(?=.)/g, `$&${between.replaceAll('$', '$$')}`)} x`;
      return hiddenIn(text, redactCardNumbers(text)) < card.length - 10 ? [text] : [];
    });
    expect(shown).toEqual([]);
  });

  it.each(BETWEEN)('in groups of four, six and more with %j between', (between) => {
    const cards = CARDS.filter(({length}) => length === 14 || length === 15);
    const shown = cards.flatMap((card) => {
      const text = [card.slice(0, 4), card.slice(4, 10), card.slice(10)].join(between);
      return hiddenIn(text, redactCardNumbers(text)) < card.length - 10 ? [text] : [];
    });
    expect(shown).toEqual([]);
  });

  it.each(Object.entries(SPELLINGS))('as %s', (_, spell) => {
    for (const [front, behind] of [
      ['', ''],
      ['pan=', '&x=1'],
      ['"', '"'],
      ['of 1: ', '.'],
    ]) {
      const shown = CARDS.flatMap((card) => {
        const text = front + spell(card) + behind;
        return hiddenIn(text, redactCardNumbers(text)) < card.length - 10 ? [text] : [];
      });
      expect(shown).toEqual([]);
    }
  });
});

describe('numbers that satisfy Luhn, but are no card', () => {
  /** Every place of a number is tried until its digits satisfy Luhn. */
  const lucky = (numbers: readonly string[]) =>
    numbers.filter((text) => isLuhn(text.replaceAll(/\D/g, '')));
  const upTo = (count: number) => Array.from({length: count}, (_, i) => i);

  it.each([
    ['IP addresses', lucky(upTo(100).map((i) => `192.168.100.${100 + i}`))],
    ['times', lucky(upTo(60).map((i) => `2026-11-22T10:07:${i + 10}.123Z`))],
    ['dates and times', lucky(upTo(60).map((i) => `2026-11-22 10:07:${i + 10}`))],
    ['fractions', lucky(upTo(90).map((i) => `12.345678 of 3.1415${i + 10}`))],
    ['KSNs', lucky(upTo(90).map((i) => `FFFF98765432${i + 10}E00001`))],
    ['messageIds', lucky(upTo(90).map((i) => `12016070100235710337122${i + 10}`))],
  ])('%s stay', (_, texts) => {
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(redactCardNumbers(text)).toBe(text);
  });
});

function asciiPercent(text: string, three: string): string {
  return [...text].map((digit) => three + digit).join('');
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').toString('hex').toUpperCase();
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}

/** Every character of base64 that holds a bit of a hidden digit is a star. */
function starredBase64(front: string, card: string, behind: string): string {
  const hidden = redactCardNumbers(card);
  const bits = [...`${front}${hidden}${behind}`].flatMap((c) => Array<boolean>(8).fill(c === '*'));
  const encoded = base64(front + card + behind);
  return encoded.replace(/./g, (c, i) => (bits.slice(6 * i, 6 * i + 6).includes(true) ? '*' : c));
}

function asciiHex(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex');
}
