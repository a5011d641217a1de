import {execFileSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {resultOrError} from '../../../src/contract/paylens-error.js';
import {attempt} from '../../../src/input/attempt.js';
import {readPaste} from '../../../src/input/paste/read-paste.js';
import {requestBody} from '../../../src/input/paste/request-input.js';
import {readSamples} from '../../engine/samples.js';
import {tenthOf} from '../../long.js';
import {superLinear} from '../../sweep/measure.js';
import {NOTATIONS} from './notations.js';

const [SWIPE, OTHER] = ['securemag-enh-3trk-hex', 'miura-sdk-swipe'].map((id) => {
  const sample = [...readSamples('idtech'), ...readSamples('miura')].find((one) => one.id === id);
  return Buffer.from(sample?.request.devicePayload ?? '', 'hex');
}) as [Buffer, Buffer];

function written(notation: string, bytes: Buffer): string {
  const [text = ''] = NOTATIONS[notation]?.([bytes]) ?? [];
  return text;
}

function withoutLine(text: string, index: number): string {
  return text.split('\n').toSpliced(index, 1).join('\n');
}

const HEX = {swipe: SWIPE.toString('hex'), other: OTHER.toString('hex')};

const DUMPS = ['xxd', 'xxd, eight in a line', 'hexdump -C', 'od -A x -t x1z', 'od -A d -t x1'];

/** What no reader may take: its name, and the words of the refusal. */
const HOSTILE: readonly (readonly [string, string, RegExp])[] = [
  ...DUMPS.flatMap((name): [string, string, RegExp][] => {
    const text = written(name, SWIPE);
    const [first = '', ...others] = text.split('\n');
    return [
      [`${name} without its first line`, withoutLine(text, 0), /not at 0|not follow/],
      [`${name} without its second line`, withoutLine(text, 1), /does not follow/],
      [`${name} without its tenth line`, withoutLine(text, 9), /does not follow/],
      [`${name}, first line cut`, [first.slice(0, 20), ...others].join('\n'), /does not follow/],
      [`${name} with a line twice`, [first, others[0], ...others].join('\n'), /does not follow/],
      [`${name} with a star`, [first, '*', ...others.slice(3)].join('\n'), /repeated lines/],
    ];
  }),
  ['hexdump', shellOf('hexdump -v'), /words of 2 bytes/],
  ['hexdump -x', shellOf('hexdump -v -x'), /words of 2 bytes/],
  ['od -x', shellOf('od -v -x'), /words of 2 bytes/],
  ['od -t x4', shellOf('od -v -t x4'), /words of 4 bytes/],
  ['xxd -e', shellOf('xxd -e'), /swapped/],
  [
    'two dumps',
    written('xxd', SWIPE) + written('xxd', OTHER),
    /two payloads: a hex dump at line 1 .*a hex dump at line 27 /,
  ],
  ['one dump twice', written('xxd', SWIPE) + written('xxd', SWIPE), /two payloads/],
  [
    'two in a log line',
    `a="${HEX.swipe}" b="${HEX.other}"`,
    /two payloads: hex digits at line 1 column 4 .*hex digits at line 1 column 837 /,
  ],
  ['a cut one beside it', `a="${HEX.swipe}" b="${HEX.swipe.slice(0, -80)}"`, /two payloads/],
  [
    'base64 and an array',
    `${written('base64 in one line', SWIPE)} and ${written('array of C', OTHER)}`,
    /two payloads: base64 .*an array of bytes/,
  ],
  [
    'base64 twice',
    `x: ${written('base64 in one line', SWIPE)}\ny: ${written('base64 in one line', SWIPE)}`,
    /two payloads/,
  ],
];

function shellOf(command: string): string {
  return execFileSync('sh', ['-c', command], {input: SWIPE}).toString('latin1');
}

describe('a hostile paste is refused', () => {
  it.each(HOSTILE)('%s', (_, text, words) => {
    expect(() => readPaste(text)).toThrow(
      expect.objectContaining({code: 2100, message: expect.stringMatching(words)}),
    );
  });

  it('that is swapped words without offsets', () => {
    expect(readPaste(shellOf('od -v -An -x'))).toBeUndefined();
  });
});

describe('a request', () => {
  it.each(['{"deviceType":"idtech","devicePayload":"0x02, 0x98"}', '{"devicePayload": [2, 152]}'])(
    'is never taken apart: %s',
    (text) => {
      expect(
        readPaste(text.replace('0x02, 0x98', written('0x and commas', SWIPE))),
      ).toBeUndefined();
    },
  );
});

describe('a request with text around it', () => {
  const JSON_TEXT = JSON.stringify({deviceType: 'idtech', devicePayload: SWIPE.toString('hex')});

  it.each([
    ['a curl command', `curl http://127.0.0.1 -d '${JSON_TEXT}'`],
    ['a line of a log', `2026-01-01 INFO POST ${JSON_TEXT}`],
  ])('is 2004, not a payload: %s', (_, text) => {
    expect(readPaste(text)).toBeUndefined();
    expect(() => requestBody(text)).toThrow(
      expect.objectContaining({code: 2004, hint: expect.stringContaining('alone')}),
    );
  });
});

describe('JSON without its end', () => {
  it.each([
    ['names a request', '{"devicePayload":"0298AABBCCDDEEFF', 2004],
    ['holds nothing that a terminal sends', '{"a":1', 2004],
    ['holds what a terminal sends', '{"ksn":"FFFF9876543210E00001","track2":"AB', undefined],
  ])('%s: %s', (_, text, code) => {
    expect(resultOrError(() => requestBody(text))).toEqual(
      code === undefined ? undefined : expect.objectContaining({code}),
    );
  });
});

describe('a request out of a JSON string', () => {
  const request = {deviceType: 'idtech', devicePayload: SWIPE.toString('hex')};
  const string = JSON.stringify(JSON.stringify(request));

  it.each([
    ['with its quotes', string],
    ['without them', ` ${string.slice(1, -1)}\n`],
  ])('is read without its escapes: %s', (_, text) => expect(requestBody(text)).toEqual(request));
});

describe("a dump's text column", () => {
  it.each(DUMPS.slice(0, 4))('is ignored: %s', (name) => {
    const bytes = Buffer.from(HEX.swipe.toUpperCase());
    const lines = written(name, bytes).split('\n');
    const spoilt = lines.map((line) => line.replace(/( {2}[|>]?)\S+$/, '$102 98 01 80'));
    for (const text of [lines, spoilt]) {
      expect(readPaste(text.join('\n'))?.payload).toBe(bytes.toString());
    }
  });
});

describe('hostile text', () => {
  const PIECES = [
    ...['0x02, ', '02 ', '"', "'", '{', '}{', '[', '(', '<', 'a=', 'a: ', '\\x02', '\n', '*\n'],
    ...[
      '00000000: 02\n',
      '0000 02 ',
      '02FFFF',
      'QUJDRA',
      'QUJD\n',
      '12, ',
      '/*',
      '//',
      '%B4',
      '\\',
    ],
    ...['=\n', 'a\n', '00\n', '```\n', '\u200b', '%2', '&#1;', '=3D', '1: 00112233445566778899\n'],
    ...[
      '\\"',
      '0000: 00 01 02 03 04 05 06 07\n',
      '"a" ',
      '{"a":',
      '(byte) ',
      'TVP|',
      'a=b;',
      '02 98\n',
      '0000000 02 98\n',
    ],
  ];

  const paste = {name: 'readPaste', run: (text: string) => attempt(() => readPaste(text))};

  it.each(tenthOf(PIECES, (piece) => piece))('takes linear time: %j', async (piece) => {
    const ofSize = (size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
    expect(await superLinear(paste, {title: piece, ofSize})).toBeUndefined();
  });
});
