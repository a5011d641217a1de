import {describe, expect, it} from 'vitest';
import {redactInPlace} from '../../../src/contract/masks/redact-card-numbers.js';
import {inspectBoth} from '../../../src/engine/inspection/inspect-payload.js';
import {savedPayload} from '../../../src/engine/inspection/saved-payload.js';

const PAN = '4111111111111111';
const BYTES = Buffer.from(PAN);
const TRACK = Buffer.from(`;${PAN}=28121010000000000?`);
const pairs = (bytes: Uint8Array, before: string, between: string) =>
  Array.from(bytes, (byte) => before + byte.toString(16)).join(between);
const EBCDIC = Uint8Array.from(BYTES, (byte) => byte | 0xf0);
const UTF_16 = Buffer.from(PAN, 'utf16le');

/** One card number, as a terminal without encryption or a log may write it. */
const NOTATIONS: readonly (readonly [name: string, text: string])[] = [
  ['digits', PAN],
  ['digits with blanks', [...PAN].join(' ')],
  ['digits with dashes', [...PAN].join('-')],
  ['groups', PAN.replaceAll(/(.{4})(?!$)/g, '$1 ')],
  ['groups with dots', PAN.replaceAll(/(.{4})(?!$)/g, '$1.')],
  ['pairs', PAN.replaceAll(/(..)(?!$)/g, '$1 ')],
  ['hex', BYTES.toString('hex')],
  ['hex with blanks', pairs(BYTES, '', ' ')],
  ['hex with colons', pairs(BYTES, '', ':')],
  ['hex of a language', pairs(BYTES, '0x', ', ')],
  ['escapes', pairs(BYTES, '\\x', '')],
  ['percent escapes', pairs(BYTES, '%', '')],
  ['hex of EBCDIC with blanks', pairs(EBCDIC, '', ' ')],
  ['hex of UTF-16', UTF_16.toString('hex')],
  ['a track', TRACK.toString()],
  ['hex of a track with blanks', pairs(TRACK, '', ' ')],
  ['base64 of a track', TRACK.toString('base64')],
];

describe.each(['generic', 'idtech', 'miura', 'verifone', 'magtek', 'prima'])('%s', (deviceType) => {
  it.each(NOTATIONS)('a payload that is a card number in %s is saved masked', (_, text) => {
    for (const devicePayload of [text, `02 ${text} 03`, `PAN ${text}`]) {
      const saved = savedPayload(devicePayload, inspectBoth({deviceType, devicePayload}));
      expect(saved).not.toBe(devicePayload);
      expect(redactInPlace(saved)).toBe(saved);
    }
  });
});
