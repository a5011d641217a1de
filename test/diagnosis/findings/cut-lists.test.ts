import {expect, it} from 'vitest';
import {simulate} from '../../../src/index.js';
import {diagnoseJson, mistakesOf} from '../diagnosing.js';

/** A list that lost its end behind its ciphertext is decrypted all the same: nothing is around it. */
const LISTS = [
  ['idtech', {}],
  ['idtech', {message: 'tlv'}],
  ['miura', {}],
  ['miura', {form: 'flat'}],
] as const;

async function sent(deviceType: string, options: object): Promise<string> {
  const given = {deviceType, mode: 'emv', options: {...options}, testKeys: true} as const;
  return (await simulate(given)).devicePayload;
}

it.each(LISTS)('a list of %s, %j, that lost its end is cut', async (deviceType, options) => {
  const payload = await sent(deviceType, options);
  for (const bytes of [2, 3, 4]) {
    const found = await diagnoseJson({payload: payload.slice(0, -2 * bytes)});
    const {solved} = found;
    expect({bytes, solved, mistakes: mistakesOf(found)}).toEqual({
      ...{bytes, solved: true},
      mistakes: ['frame-cut'],
    });
  }
});

it.each(LISTS)('a list of %s, %j, before a checksum is not cut', async (deviceType, options) => {
  // No tag of EMV, and a length that runs past the end.
  const payload = `${await sent(deviceType, options)}3B7C`;
  expect(mistakesOf(await diagnoseJson({payload}))).not.toContain('frame-cut');
});
