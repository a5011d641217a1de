import {describe, expect, it} from 'vitest';
import {simulate} from '../../../src/index.js';
import {diagnoseJson} from '../diagnosing.js';

const KSN = 'FFFF9876543210E00042';
const IV = '1122334455667788';
const BASE64 = Buffer.from(IV, 'hex').toString('base64');
const pairs = IV.match(/../g) ?? [];
const NOTATIONS = [
  ...[
    pairs.join(':'),
    pairs.join('-'),
    `0x${IV}`,
    `0x${pairs.join(', 0x')}`,
    `{0x${pairs.join(',0x')}}`,
  ],
  ...[`\\x${pairs.join('\\x')}`, JSON.stringify([...Buffer.from(IV, 'hex')]), BASE64],
];
/** Terminals whose IV stands in the payload, and those to which it is given. */
const TYPES = ['generic', 'spire', 'bbpos', 'nexo', 'ifsf'];

/** The case of a read whose IV is written as `written`. */
async function caseOf(deviceType: string, written: string) {
  const mode = deviceType === 'spire' ? 'emv' : 'swiped';
  const made = {deviceType, mode, card: 'visa', ksn: KSN, iv: IV, testKeys: true} as const;
  const {devicePayload} = await simulate(made);
  const own = [IV, BASE64].find((text) => devicePayload.includes(text));
  if (own === undefined) return {deviceType, payload: devicePayload, ksn: KSN, iv: written};
  const inJson = JSON.stringify(written).slice(1, -1);
  const payload = devicePayload.replace(own, deviceType === 'nexo' ? written : inJson);
  return {deviceType, payload};
}

async function diagnosed(deviceType: string, written: string) {
  const given = await caseOf(deviceType, written);
  const {solved, verdicts, plaintexts, next} = await diagnoseJson(given, {usualOnly: true});
  const mistakes = verdicts.filter(({rank}) => rank === 'mistake').map(({label}) => label);
  const texts = plaintexts.map(({text}) => text).join(' ');
  return {solved, mistakes, isRight: texts.includes('4111111111111111'), next};
}

describe.each(TYPES)('an IV of %s', (deviceType) => {
  it.each(NOTATIONS.filter((text) => deviceType !== 'nexo' || text !== BASE64))(
    'is used and called malformed as %s',
    async (written) => {
      const {solved, mistakes, isRight} = await diagnosed(deviceType, written);
      expect({solved, mistakes, isRight}).toEqual({
        solved: true,
        mistakes: ['iv-malformed'],
        isRight: true,
      });
    },
  );

  it.each(['11223344556677', '8877665544332211'])(
    'never gives another card as %s',
    async (written) => {
      const {mistakes, next} = await diagnosed(deviceType, written);
      expect(mistakes.length).toBeGreaterThan(0);
      expect(next).toBeUndefined();
    },
  );
});
