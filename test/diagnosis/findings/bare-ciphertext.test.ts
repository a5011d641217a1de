import {createHash} from 'node:crypto';
import {expect, it} from 'vitest';
import {refusalFindings} from '../../../src/diagnosis/findings/reader-refusals.js';
import {simulate} from '../../../src/index.js';
import {parseCase} from '../../../src/input/case.js';
import {collectClues} from '../../../src/input/clues.js';
import {upperHexOf} from '../../../src/platform/bytes.js';
import {diagnoseJson, mistakesOf} from '../diagnosing.js';

/** Bytes that have no structure: of ciphertext it is not known how a terminal would begin it. */
function ciphertext(first: number, blob: number): string {
  const hash = createHash('sha512').update(`${first} ${blob}`).digest();
  const length = 8 * (1 + (blob % 3));
  return upperHexOf(Buffer.concat([Uint8Array.of(first), hash.subarray(1, length)]));
}

function labelsOf(payload: string): string[] {
  const clues = collectClues(parseCase(JSON.stringify({payload})));
  return refusalFindings(clues, undefined).map(({label}) => label);
}

it('takes no bare ciphertext for a truncated frame, whatever it begins with', () => {
  const wrong = Array.from({length: 512}, (_, i) => ciphertext(i % 256, i)).filter((payload) =>
    labelsOf(payload).includes('frame-cut'),
  );
  expect(wrong).toEqual([]);
});

it.each([0x00, 0x02, 0x32, 0x56])('takes none that begins with byte %i', (first) => {
  const wrong = Array.from({length: 60}, (_, i) => ciphertext(first, i)).filter((payload) =>
    labelsOf(payload).includes('frame-cut'),
  );
  expect(wrong).toEqual([]);
});

it('takes none that a user sent', () => {
  expect(labelsOf('00A3B4C5D6E7F8091A2B3C4D5E6F708192A3B4C5D6E7F809')).not.toContain('frame-cut');
});

it.each(['ifsf', 'wisepad', 'wisepad2'])(
  'never calls damaged ciphertext of %s right',
  async (deviceType) => {
    const ksn = 'FFFF9876543210E00042';
    const {devicePayload} = await simulate({deviceType, card: 'visa', ksn, testKeys: true});
    for (let at = 1; at < devicePayload.length; at += 13) {
      const digit = devicePayload[at] === '0' ? 'F' : '0';
      const payload = devicePayload.slice(0, at) + digit + devicePayload.slice(at + 1);
      const mistakes = mistakesOf(
        await diagnoseJson({payload, ksn, deviceType}, {usualOnly: true}),
      );
      expect(mistakes, `digit ${at}`).not.toEqual([]);
    }
  },
);
