import {describe, expect, it} from 'vitest';
import {decrypt} from '../../../src/index.js';
import {readSamples} from '../../engine/samples.js';
import {diagnoseJson} from '../diagnosing.js';

const SAMPLES = readSamples('magtek');
const payloadOf = (id: string) =>
  SAMPLES.find((sample) => sample.id === id)?.request.devicePayload ?? '';
const [{request: {devicePayload: STRING = ''} = {}} = {}] = SAMPLES;
const IPAD = payloadOf('magtek-ipad-swipe');
const LABELLED = payloadOf('magtek-labels-ipcommerce');

async function said(payload: string, deviceType?: string) {
  const given = {payload, ...(deviceType && {deviceType})};
  const {solved, verdicts, next} = await diagnoseJson(given, {usualOnly: true});
  const mistakes = verdicts.filter(({rank}) => rank === 'mistake').map(({label}) => label);
  return {solved, mistakes, isDecrypted: next !== undefined};
}

describe('a string of MagTek', () => {
  it.each([
    ['with one separator fewer', STRING.replace('?|0600', '?0600')],
    ['with one separator more', STRING.replace('?|0600', '?||0600')],
  ])('%s decrypts without the session ID, which is zeros', async (_, payload) => {
    const {solved, mistakes, isDecrypted} = await said(payload);
    expect([solved, isDecrypted]).toEqual([true, true]);
    expect(mistakes).not.toContain('not-card-data');
  });

  it.each([
    ['its separators escaped', STRING.replaceAll('|', '%7C'), 'text-escaped'],
    ['an IPAD string in hex', Buffer.from(IPAD).toString('hex'), 'hex-of-hex'],
    ['labels with no-break spaces', LABELLED.replaceAll(' ', '\u00a0'), 'white-space'],
  ])('%s: solved with and without its type', async (_, payload, label) => {
    for (const type of [undefined, 'magtek'])
      expect(await said(payload, type)).toEqual({
        solved: true,
        mistakes: [label],
        isDecrypted: true,
      });
  });

  it('of an IPAD without the separator before a member is refused, not read without the member', async () => {
    const payload = IPAD.replace('|3~', '3~');
    const at = payload.indexOf('3~D') + 1;
    const decrypting = async () => decrypt(payload, {deviceType: 'magtek', testKeys: true});
    await expect(decrypting()).rejects.toMatchObject({
      code: 2100,
      detail: `character ${at}: expected a \`|\` before the next member`,
    });
    expect(await said(payload, 'magtek')).toMatchObject({
      solved: true,
      mistakes: ['payload-mistyped'],
    });
  });
});
