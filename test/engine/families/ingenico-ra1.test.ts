import {describe, expect, it} from 'vitest';
import {answer} from '../samples.js';

/** Code, length and raw stripe codes of both tracks, as the page describes them, and 9000. */
const TRACK_1 = '2212121212131010191913';
const TRACK_2 = '02020203000009090302';
const length = (codes: string) => (codes.length / 2).toString(16).padStart(4, '0');
const track1 = `00${length(TRACK_1)}${TRACK_1}`;
const track2 = `00${length(TRACK_2)}${TRACK_2}`;

function ask(devicePayload: string, more: object = {}) {
  return answer({deviceType: 'ingenico-ra1', devicePayload, ...more});
}

describe('the response to a swipe', () => {
  it('is 2111 and names On-Guard, whatever the KSN', () => {
    for (const ksn of [undefined, '', 'no KSN', 'FFFF9876543210E00001']) {
      expect(ask(`${track1}${track2}9000`, {ksn})).toMatchObject({
        errCode: 2111,
        message: expect.stringContaining('On-Guard'),
      });
    }
  });

  const failed: [string, string][] = [
    ['with a length', '010000'],
    ['without a length', '01'],
  ];
  for (const [form, entry] of failed) {
    it(`may hold a failed track ${form}`, () => {
      expect(ask(`${entry}${track2}9000`)).toMatchObject({errCode: 2111});
      expect(ask(`${track1}${entry}9000`)).toMatchObject({errCode: 2111});
    });
  }

  const refused: [string, string, number][] = [
    ['without a track', '0100000100009000', 2100],
    ['with SW 6985', `${track1}${track2}6985`, 2100],
    ['with bytes behind', `${track1}${track2}900000`, 2100],
    ['with a code that no stripe has', `0000014100000101${'9000'}`, 2100],
    ['without SW', `${track1}${track2}`, 2102],
    ['cut in a track', track1.slice(0, -4), 2102],
    ['with an odd digit', `${track1}${track2}900`, 2102],
    ['of text', 'not hex', 2100],
    ['to the serial command', '0020995601', 2100],
  ];
  for (const [form, payload, errCode] of refused) {
    it(`${form} is ${errCode}`, () => {
      expect(ask(payload)).toMatchObject({errCode});
    });
  }
});
