import {describe, expect, it} from 'vitest';
import {KNOWN_TERMINALS, TERMINAL_TYPES, TERMINALS} from '../../src/engine/families/registry.js';
import {readPayload} from '../../src/engine/read-payload.js';
import {recognise} from '../../src/engine/recognise.js';
import {Trace} from '../../src/engine/trace.js';
import {cpuMilliseconds} from '../cpu-time.js';
import {tenthOf} from '../long.js';
import {frame, KSN, vivo} from './families/idtech-frames.js';
import {answer, testRing} from './samples.js';
import {encrypt, tlv} from './terminal.js';

/**
 * Payloads of 64 KiB that could take quadratic time. They measure 2 to 30 ms on a slow machine; the
 * limit only keeps out what grows with the square.
 */
const LIMIT_MS = 2000;

/** 64 KiB, the limit of a request body. */
const MAX_PAYLOAD_CHARACTERS = 65_536;
const HALF = MAX_PAYLOAD_CHARACTERS / 2;

function full(unit: string, prefix = ''): string {
  return prefix + unit.repeat(Math.floor((MAX_PAYLOAD_CHARACTERS - prefix.length) / unit.length));
}

function nested(depth: number, tag: string): string {
  let object: Uint8Array = Buffer.alloc(0);
  for (let i = 0; i < depth && object.length < HALF - 8; i++) object = tlv(tag, object);
  return Buffer.from(object).toString('hex');
}

function generic(plain: string | Uint8Array): string {
  return JSON.stringify({ksn: KSN, data: encrypt(plain, {ksn: KSN}).toString('hex')});
}

const PLAIN_BYTES = HALF - 100;
const HOSTILE: Readonly<Record<string, string>> = {
  'zeros, hex': full('00'),
  NULs: full('\0'),
  'FF, hex': full('FF'),
  'FF, binary': full('\xff'),
  'FF and one 00': `${full('FF').slice(0, -2)}00`,
  'ISO padding over and over': full('8000'),
  'ISO padding and zeros, then 01': `${full('00', '80').slice(0, -2)}01`,
  'zeros, then 5A': `${full('00').slice(0, -2)}5A`,
  'empty tags': full('5A00'),
  'empty templates': full('E100'),
  'masked and encrypted pairs': full('57A1015757C10840414243', 'DFEE120AFFFF9876543210E00123'),
  'the same tag over and over': full('57081122334455667788', 'DFEE120AFFFF9876543210E00123'),
  'Augusta with many tags': full('57081122334455667788', 'DFEF5D0101'),
  'many KSN tags': full('DFEE1200'),
  'nested templates': nested(20_000, 'E1'),
  'templates to depth 7': full(nested(7, 'E1')),
  'question marks': full('?'),
  'percent signs': full('%'),
  'percent and question mark': full('%B1^?'),
  'keyboard text of stars': full('*', '02FFFF80'),
  digits: full('4'),
  blanks: full(' '),
  'line ends': full('\r\n'),
  'lines of one blank': full('\n '),
  'empty comments': full('\n// '),
  'beginnings of clear tracks': full('%B4'),
  'tracks that could not be read': full('E?'),
  'key=value pairs': full('a=b;'),
  semicolons: full(';'),
  'equal signs': full('='),
  'one huge value': full('A', 'ksn='),
  'huge JSON array': `{"encrypted":[${full('{},').slice(0, -30)}{}]}`,
  'huge array of values': `{"ksn":"${KSN}","encrypted":[${full('{"value":"00"},').slice(0, -80)}{}]}`,
  'huge JSON string': `{"data":"${full('A').slice(0, -20)}"}`,
  'huge JSON escapes': `{"data":"${full('\\\\').slice(0, -20)}"}`,
  'deep JSON arrays': `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  'deep JSON objects': '{"a":'.repeat(13_000),
  'many JSON members': `{${Array.from({length: 5_000}, (_, i) => `"m${i}":1`).join(',')}}`,
  'many different tags': full('9F2A00'),
  'frame of 32 KiB': frame([Buffer.from([0x80, 0x1f, 9, 9, 9, 7, 0xbf]), Buffer.alloc(32_000, 42)]),
  'message of 32 KiB': vivo(Buffer.alloc(32_000, 0x5a)),
  'plaintext of empty tags': generic(Buffer.alloc(PLAIN_BYTES / 2).fill('5A00', 'hex')),
  'plaintext of zeros': generic(Buffer.alloc(PLAIN_BYTES / 2)),
  'plaintext of digits': generic(';'.padEnd(PLAIN_BYTES / 2, '4')),
  'plaintext of letters': generic('%B1'.padEnd(PLAIN_BYTES / 2, 'A')),
  'plaintext of separators': generic('%B4012888888881881'.padEnd(PLAIN_BYTES / 2, '^')),
  'plaintext of 57s': generic(Buffer.alloc(PLAIN_BYTES / 2).fill('57024D12', 'hex')),
  'templates of three bytes, nested': 'E183007FFC'.repeat(6_500),
  'short nested templates': 'E17F'.repeat(16_000),
  'indefinite templates': 'E180'.repeat(16_000),
  zeros: '0'.repeat(65_536),
  FFs: 'F'.repeat(65_536),
  '80 and zeros': `80${'00'.repeat(32_766)}01`,
  'empty objects': '5000'.repeat(16_384),
  'runs of zeros': '00005000'.repeat(8_192),
  'endless tags': '5F'.repeat(32_768),
  'empty blobs': 'DFAE0200'.repeat(8_192),
  'blobs and KSNs': `DFAE020800112233445566${'77'}DFAE030AFFFF9876543210E00001`.repeat(1_260),
  'blobs, then one KSN': `${'DFAE02080011223344556677'.repeat(2_700)}DFAE030AFFFF9876543210E00001`,
  'SRED blocks': 'FF7F1FDFDF10080011223344556677DFDF110AFFFF9876543210E00001'.repeat(1_100),
  'empty frames': '010000'.concat('01').repeat(8_000),
  'frames of a chain': '01010001'.repeat(8_000),
  'frames of status words': `010002900093`.repeat(5_400),
  'clear names': '5F20024142'.repeat(6_500),
  quotes: '00"'.repeat(21_845),
  bars: '|'.repeat(65_536),
  'text members': `TVP|${'iv:00|'.repeat(10_000)}`,
  'control characters': `\x02E07${'[FS]'.repeat(16_000)}`,
  'base64 text': `35AP${'A'.repeat(65_532)}`,
  'blanks behind a template': `E1${' '.repeat(65_534)}`,
  braces: '{"a":'.repeat(13_107),
  pairs: 'ksn=1;'.repeat(10_900),
  'lines of one member': 'encTracks: 00\n'.repeat(4_600),
  'lines without a label': `KSN: 1\n${'a'.repeat(65_000)}`,
  'a dump of commas': `{a=1${', b'.repeat(21_000)}}`,
  'a dump of one value': `{a=${'b'.repeat(65_000)}}`,
  'names of other case': `{${['ksn', 'kSn', 'KSN', 'Ksn'].map((name) => `"${name}":"1"`).join(',')}}`,
  'empty ciphertexts': 'C200C000'.repeat(8_000),
  'messages and KSNs': `${'C2080011223344556677'.repeat(3_200)}C00AFFFF9876543210E00001`,
  'fields of a card read': `23.0M${'\x1c'.repeat(65_000)}`,
  'tags of an EMV message': `33.0300A1${'\x1cT9F02:06:h000000000100'.repeat(2_800)}`,
  'card data of separators': `87.0M${'\x1c1'.repeat(32_000)}`,
  'separators of tracks': `FFFF9876543210E00001:4:0000:${'7C'.repeat(32_000)}`,
  colons: ':'.repeat(65_536),
};

describe('a hostile payload of 64 KiB', () => {
  const ring = testRing();

  const hostile = tenthOf(Object.entries(HOSTILE), ([name]) => name);
  it.each(hostile)(
    '%s: answers at once with an error, as every terminal',
    (name, devicePayload) => {
      expect(devicePayload.length).toBeLessThanOrEqual(MAX_PAYLOAD_CHARACTERS);
      for (const deviceType of TERMINAL_TYPES) {
        assertQuick(`${deviceType} ${name}`, () => {
          expect(answer({deviceType, devicePayload}, ring)).toHaveProperty('errCode');
        });
      }
    },
  );

  it.each(hostile)('%s: is traced at once', (name, devicePayload) => {
    for (const deviceType of TERMINAL_TYPES) {
      assertQuick(`${deviceType} ${name}, traced`, () => {
        try {
          readPayload(TERMINALS[deviceType], devicePayload, new Trace());
        } catch {
          // Which error it is, the test above says.
        }
      });
    }
  });

  it('of one character more is refused: 2006', () => {
    const devicePayload = 'A'.repeat(MAX_PAYLOAD_CHARACTERS + 1);
    expect(answer({deviceType: 'idtech', devicePayload})).toMatchObject({errCode: 2006});
  });

  it('that is empty is refused: 2002', () => {
    expect(answer({deviceType: 'idtech', devicePayload: ''})).toMatchObject({errCode: 2002});
  });
});

/** Beginnings of what terminals send, and what may be repeated after them. */
const BEGINNINGS = ['', '02', '{', '"', 'a='];
const UNITS = [
  ...[' ', '\t', '\n', ...'_-.,:=|&+^/\\"\'<[04Aa', 'x\n', 'a b', 'a_', '_,', ', ', '" ', '. '],
  ...['- ', '= ', ': ', '\n ', '41 ', 'A=B\n', '&a=1', '<a>', '</a>', '127', '127=', 'field 127 '],
  ...['{"a":', '"",', 'KSN: ', '%B4^'],
];

describe('64 KiB of one thing', () => {
  it.each(tenthOf(UNITS, (unit) => unit))('%j are recognised at once, or not', (unit) => {
    for (const begin of BEGINNINGS) {
      assertQuick(begin + unit, () => recognise(full(unit, begin), KNOWN_TERMINALS));
    }
  });
});

/** By the CPU time of this process, which others on the machine hardly change. */
function assertQuick(name: string, run: () => unknown): void {
  const taken = cpuMilliseconds(run);
  if (process.env.MEASURE) console.log(taken.toFixed(1).padStart(8), name);
  expect(taken, name).toBeLessThan(LIMIT_MS);
}
