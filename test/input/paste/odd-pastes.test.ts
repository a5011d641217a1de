import {describe, expect, it} from 'vitest';
import {judge, mayBePaste} from '../../../src/input/paste/judge.js';
import {readPaste} from '../../../src/input/paste/read-paste.js';
import {readSamples} from '../../engine/samples.js';

const [INTACT, WEAK, TEXT, DAMAGED, CUT] = [
  ['idtech', 'moneris-keyed-orig-85-a'],
  ['wisepad', 'wn-wisepad-swipe-visa'],
  ['ingenico-rba', 'synth-rba-23-manual'],
  ['idtech', 'neg-idtech-lrc'],
  ['ifsf', 'neg-ifsf-cut'],
].map(([type = '', id]) => {
  const sample = readSamples(type).find((one) => one.id === id);
  return sample?.request.devicePayload ?? '';
}) as [string, string, string, string, string];

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const array = (hex: string) => [...bytes(hex)].map((byte) => `0x${byte.toString(16)}`).join(', ');
const base64 = (hex: string) => bytes(hex).toString('base64');
const IGNORED = '; text around it ignored';

/** Pastes with the payload in them and what was undone; undefined where nothing was, or nothing is read. */
const CASES: readonly (readonly [
  title: string,
  text: string,
  read?: readonly [payload: string, notation: string, around?: string],
])[] = [
  ['a payload', INTACT],
  ['a payload between blanks', ` ${INTACT}\n`],
  ['lower case', INTACT.toLowerCase(), [INTACT, 'hex digits']],
  ['quotes', `"${INTACT}"`, [INTACT, 'hex digits']],
  ['a name', `payload=${INTACT}`, [INTACT, 'hex digits', IGNORED]],
  ['words around', `before "${INTACT}" after`, [INTACT, 'hex digits', IGNORED]],
  ['an array', `{${array(INTACT)}}`, [INTACT, 'array of bytes']],
  ['an array with a name', `x = {${array(INTACT)}};`, [INTACT, 'array of bytes', IGNORED]],
  ['base64', base64(INTACT), [INTACT, 'base64']],
  ['base64 of digits', Buffer.from(INTACT).toString('base64'), [INTACT, 'base64']],
  ['base64url', bytes(INTACT).toString('base64url'), [INTACT, 'base64url']],
  ['a character without width', INTACT.replace(/^.{40}/, '$&\u200b'), [INTACT, 'hex digits']],
  [
    'lines with a name each',
    INTACT.replaceAll(/.{1,64}/g, 'rx: $&\n'),
    [INTACT, 'hex digits in lines', IGNORED],
  ],
  ['a payload of weak signs', WEAK],
  ['weak signs in quotes', `'${WEAK}'`, [WEAK, 'hex digits']],
  ['weak signs in an array', `[${array(WEAK)}]`, [WEAK, 'array of bytes']],
  ['text of a reader', TEXT],
  ['text behind a word', `read: ${TEXT}`, [TEXT, 'text', IGNORED]],
  ['text in JSON', JSON.stringify(TEXT), [TEXT, 'text']],
  ['text in a URL', encodeURIComponent(TEXT), [TEXT, 'URL encoding']],
  ['a damaged payload', DAMAGED],
  ['a damaged payload in words', `x ${DAMAGED} y`],
  ['a damaged array', array(DAMAGED), [DAMAGED, 'array of bytes']],
  ['damaged base64', base64(DAMAGED), [DAMAGED, 'base64']],
  ['a cut payload', CUT],
  ['a cut array', array(CUT), [CUT, 'array of bytes']],
  ['cut base64', base64(CUT)],
  ['words', 'hello world'],
  ['nothing', ''],
  ['a request', `{"deviceType":"x","p":"${INTACT}"}`],
  ['a request in other quotes', `{'device_type':'x','p':'${INTACT}'}`],
  ['a request with a payload', `{"devicePayload": "${INTACT}"}`],
  ['a text that is too long', `"${INTACT}"${' x'.repeat(60_000)}`],
];

describe('readPaste', () => {
  it.each(CASES.map(([title, text, read]) => ({title, text, read})))(
    'reads $title',
    ({text, read}) => {
      const [payload, notation, around = ''] = read ?? [];
      const note = `Payload read as ${notation}${around}.`;
      const found = readPaste(text);
      expect(found && {...found, payload: found.payload.toUpperCase()}).toEqual(
        read && {payload: payload?.toUpperCase(), note},
      );
    },
  );

  it('asks the named terminal only', () => {
    expect(readPaste(`"${INTACT}"`, 'generic')).toBeUndefined();
    expect(readPaste(`"${INTACT}"`, 'idtech')?.payload).toBe(INTACT);
  });

  it.each([
    [
      `${INTACT} ${INTACT}`,
      'line 1 column 1 to line 1 column 144',
      'line 1 column 146 to line 1 column 289',
    ],
    [
      `${INTACT}\n${WEAK}`,
      'line 1 column 1 to line 1 column 144',
      'line 2 column 1 to line 2 column 48',
    ],
  ])('refuses two payloads: %s', (text, first, second) => {
    const detail = `the text can be read as two payloads: hex digits at ${first}, and hex digits at ${second}`;
    expect(() => readPaste(text)).toThrow(
      expect.objectContaining({code: 2100, detail, hint: 'Paste one payload only.'}),
    );
  });
});

describe('judge', () => {
  it.each([
    [INTACT, 'intact'],
    [WEAK, 'weak'],
    [TEXT, 'intact'],
    [DAMAGED, 'damaged'],
    [CUT, 'cut'],
    ['hello pad', 'none'],
  ])('says of %s: %s', (text, judgement) => expect(judge(text)).toBe(judgement));
});

describe('mayBePaste', () => {
  it.each([
    [INTACT, false],
    [`${WEAK}\r\n`, false],
    [DAMAGED, true],
    [`"${INTACT}"`, true],
    [`{"deviceType":"${INTACT}"}`, false],
    [`{"devicePayload":"${INTACT}"}`, false],
    ['hello', true],
  ])('of %j is %s', (text, expected) => expect(mayBePaste(text)).toBe(expected));
});
