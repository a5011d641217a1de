import {describe, expect, it} from 'vitest';
import {encrypt} from '../../engine/terminal.js';
import {diagnoseJson} from '../diagnosing.js';
import {Draw} from '../draw.js';

const draw = new Draw('misspelled members');
const ksn = draw.ksn();
const devicePayload = encrypt(draw.track(), {ksn}).toString('hex');
const request = {deviceType: 'generic', devicePayload, ksn};

/** What a diagnosis calls mistakes when these members have these names instead. */
async function mistakesWith(names: Readonly<Record<string, string>>) {
  const members = Object.entries(request).map(([name, value]) => [names[name] ?? name, value]);
  const {solved, verdicts} = await diagnoseJson(Object.fromEntries(members), {usualOnly: true});
  const mistakes = verdicts.filter(({rank}) => rank === 'mistake');
  return [String(solved), ...mistakes.map(({label, detail}) => `${label}: ${detail}`)];
}

describe('a member of a request', () => {
  it.each([
    ['deviceType', 'devicetype'],
    ['deviceType', 'device_type'],
    ['devicePayload', 'DevicePayload'],
    ['devicePayload', 'device-payload'],
    ['devicePayload', 'DEVICE PAYLOAD'],
    ['ksn', 'KSN'],
  ])('%s that is called %s is read, and its name is the mistake', async (meant, given) => {
    const said = `name-mistyped: In a request, "${given}" must be ${meant}.`;
    expect(await mistakesWith({[meant]: given})).toEqual(['true', said]);
  });

  it.each([{KSN: 12345}, {IV: null}, {device_type: {a: 1}}, {Ksn: '1', KSN: '2'}])(
    'is none where it may not be meant: %j',
    async (more) => {
      const {solved, verdicts} = await diagnoseJson(
        {payload: devicePayload, ...more},
        {usualOnly: true},
      );
      const mistakes = verdicts.filter(({rank}) => rank === 'mistake');
      expect([solved, mistakes.map(({label}) => label)]).toEqual([false, ['ksn-missing']]);
    },
  );

  it('is the one with the right name if both are there', async () => {
    const both = {...request, KSN: 'FFFF9876543210E00001'};
    const {solved, verdicts} = await diagnoseJson(both, {usualOnly: true});
    expect([solved, verdicts.filter(({rank}) => rank === 'mistake')]).toEqual([true, []]);
  });
});
