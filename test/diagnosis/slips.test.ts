import {expect, it} from 'vitest';
import {diagnose} from '../../src/diagnosis/diagnose.js';
import {simulate} from '../../src/index.js';
import {collectClues} from '../../src/input/clues.js';
import {isRecognisedByLength} from '../../src/input/interpretation.js';
import {hexOf} from '../../src/platform/bytes.js';
import {IS_LONG} from '../long.js';

/** No clock: a slow machine finds what a fast one does. */
const UNLIMITED = {now: () => 0, budgetMs: 1};

const TYPES = ['generic', 'idtech', 'miura', 'prima', 'verifone', 'wisepad'] as const;

interface Sent {
  readonly payload: string;
  /** The first and the last digit of the longest ciphertext. */
  readonly from: number;
  readonly to: number;
  readonly given: Parameters<typeof diagnose>[0];
}

async function sentBy(deviceType: string): Promise<Sent> {
  const {devicePayload: payload, ksn, iv} = await simulate({deviceType, testKeys: true});
  const given = {
    ...{payload, deviceType, ciphertexts: [], writtenKeys: [], keys: []},
    ...(ksn === undefined ? {} : {ksn}),
    ...(iv === undefined ? {} : {iv}),
  };
  const {interpretations} = collectClues(given);
  const targets = interpretations
    .filter((one) => one.reader?.type === deviceType && !isRecognisedByLength(one))
    .flatMap((one) => one.targets);
  const [longest = ''] = (targets.length > 0 ? targets : (interpretations[0]?.targets ?? []))
    .map(({ciphertext}) => hexOf(ciphertext))
    .sort((one, other) => other.length - one.length);
  const from = payload.toLowerCase().indexOf(longest);
  expect(from, deviceType).toBeGreaterThanOrEqual(0);
  return {payload, from, to: from + longest.length - 1, given};
}

/** The first finding, and the payload that is to be decrypted next. */
function answer({given}: Sent, payload: string) {
  const {findings, found, solved} = diagnose({...given, payload}, UNLIMITED);
  return {finding: findings[0], solved, mended: found?.probe.interpretation.payload};
}

/**
 * Places in the first, in a middle and in the last block, where two digits differ: all of them in a
 * long run, else one, so that each slip and each terminal has every place once or twice.
 */
function placesIn({payload, from, to}: Sent, pair: number): number[] {
  const differ = (at: number): number => (payload[at] === payload[at + 1] ? differ(at - 1) : at);
  const places = [from + 3, from + ((to - from) >> 1), to - 2].map(differ);
  return IS_LONG ? places : places.slice(pair % 3, (pair % 3) + 1);
}

for (const [i, type] of TYPES.entries()) {
  it(`${type}: two transposed digits of the ciphertext are named and put right`, async () => {
    const sent = await sentBy(type);
    for (const at of placesIn(sent, i)) {
      const {payload} = sent;
      const typed = `${payload.slice(0, at)}${payload[at + 1]}${payload[at]}${payload.slice(at + 2)}`;
      const {finding, solved, mended} = answer(sent, typed);
      expect(finding, `${at}`).toEqual({
        label: 'payload-mistyped',
        detail: `Characters ${at} and ${at + 1} are transposed.`,
      });
      expect(solved).toBe(true);
      expect(mended).toBe(payload);
    }
  });

  it(`${type}: a lost and an extra digit of the ciphertext are named and put right`, async () => {
    const sent = await sentBy(type);
    for (const at of placesIn(sent, i + 1)) {
      const {payload} = sent;
      const lost = answer(sent, payload.slice(0, at) + payload.slice(at + 1));
      expect(lost.finding?.detail ?? lost.finding?.label).toMatch(
        /^A (?:character|hex digit) .*lost/,
      );
      expect(lost.mended, `lost at ${at}`).toBe(payload);
      const digit = payload[at] === '7' ? '8' : '7';
      const extra = answer(sent, payload.slice(0, at) + digit + payload.slice(at));
      expect(extra.mended, `extra at ${at}`).toBe(payload);
    }
  });
}

/** What is read as the digit, and looks like it in print. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...{0: 'D', 1: '7', 2: '7', 3: '8', 4: 'A', 5: '6', 6: '5', 7: '1'},
  ...{8: 'B', 9: '4', A: '4', B: '8', C: 'E', D: '0', E: 'F', F: 'E'},
};

for (const [i, type] of TYPES.entries())
  it(`${type}: one digit of the ciphertext for another is named and put right`, async () => {
    const sent = await sentBy(type);
    for (const at of placesIn(sent, i + 2)) {
      const {payload} = sent;
      const digit = LOOKS_LIKE[payload.charAt(at).toUpperCase()] ?? '';
      const typed = payload.slice(0, at) + digit + payload.slice(at + 1);
      const {finding, solved, mended} = answer(sent, typed);
      expect(finding, `${at}`).toEqual({
        label: 'payload-mistyped',
        detail: `A character at ${at} is wrong.`,
      });
      expect(solved).toBe(true);
      expect(mended?.toUpperCase()).toBe(payload.toUpperCase());
    }
  });

const GENERIC =
  '{"ksn":"FFFF9876543210E00001","data":"D8016F4FDAC417D135458BF9800FF60EEAC45C2A387C12CCB9C8D34DD799EC2E4CE3E32C752C32CA45B916F59BC05FEAE9B2FAE11A7CACAB"}';

function diagnosed(payload: string, deviceType?: string) {
  const own = deviceType === undefined ? {} : {deviceType};
  const given = {payload, ...own, ciphertexts: [], writtenKeys: [], keys: []};
  const {findings, found} = diagnose(given, UNLIMITED);
  return {finding: findings[0], mended: found?.probe.interpretation.payload};
}

it('a digit that the KSN in the payload lost is put right', () => {
  const {finding, mended} = diagnosed(GENERIC.replace('E00001', 'E0001'), 'generic');
  expect(finding).toMatchObject({label: 'payload-mistyped', detail: expect.stringMatching(/lost/)});
  expect(mended).toBe(GENERIC);
});

it('a letter that is no digit is named by its place', () => {
  const at = GENERIC.indexOf('4CE3E3') + 3;
  const typed = `${GENERIC.slice(0, at)}Z${GENERIC.slice(at + 1)}`;
  expect(diagnosed(typed, 'generic').finding).toEqual({
    label: 'payload-mistyped',
    detail: `A character at ${at} is wrong.`,
  });
});

it('a digit lost among asterisks is named by the part that it is in', async () => {
  const {devicePayload} = await simulate({deviceType: 'miura', testKeys: true});
  const masked = devicePayload.lastIndexOf('DFAE22') + 8;
  const at = masked + 20;
  const {finding} = diagnosed(devicePayload.slice(0, at) + devicePayload.slice(at + 1), 'miura');
  const [, from, to] = /between (\d+) and (\d+) was lost/.exec(finding?.detail ?? '') ?? [];
  expect(finding?.label).toBe('payload-mistyped');
  expect(Number(from)).toBeLessThanOrEqual(at);
  expect(Number(to)).toBeGreaterThanOrEqual(at);
});

it('a payload that is whole has no slip, whatever its key', () => {
  const other = GENERIC.replace('FFFF9876543210E00001', '0123456789ABCDE00001');
  for (const type of ['generic', undefined])
    expect(diagnosed(other, type).finding?.label).not.toBe('payload-mistyped');
});

it('what only a notation makes of a payload that is whole is no slip', async () => {
  const {devicePayload: text} = await simulate({
    ...{deviceType: 'ingenico-rba', mode: 'keyed', testKeys: true},
  });
  const {devicePayload: hex} = await simulate({
    ...{deviceType: 'idtech', mode: 'keyed', testKeys: true},
  });
  const {devicePayload: list} = await simulate({deviceType: 'miura', testKeys: true});
  const {devicePayload: blob} = await simulate({deviceType: 'verifone', testKeys: true});
  // RFC 4648, 5, without padding: `-` and `_` are two of its 64 characters.
  const base64 = Buffer.from(hex, 'hex').toString('base64url');
  for (const [written, label] of [
    [JSON.stringify(text), 'text-escaped'],
    [base64, 'base64'],
    [`0x${list}`, 'white-space'],
    [`0x${blob}`, 'white-space'],
  ] as const) {
    const given = {payload: written, ciphertexts: [], writtenKeys: [], keys: []};
    const {solved, findings} = diagnose(given, UNLIMITED);
    const labels = findings.map((finding) => finding.label);
    expect(solved).toBe(true);
    expect(labels).toContain(label);
    expect(labels).not.toContain('payload-mistyped');
    expect(labels).not.toContain('digits-missing');
  }
});

it('the letters of an escape are no digits that were typed', async () => {
  const {devicePayload: payload} = await simulate({deviceType: 'ingenico-rba', testKeys: true});
  // As a log of JSON has the body of a request: the FS before the KSN is `\\u001c`.
  const written = JSON.stringify({event: 'read', body: JSON.stringify({payload})});
  expect(diagnosed(written).finding?.label).toBe('text-around');
});

it.each(['generic', 'phressiapad', 'dspread', 'newland', 'bbpos', 'poynt'])(
  'misses the digit that the KSN of %s lost',
  async (deviceType) => {
    const ksn = 'FFFF9876543210E00042';
    const sent = await simulate({deviceType, ksn, testKeys: true});
    const at = sent.devicePayload.indexOf(ksn);
    const payload = sent.devicePayload.replace(ksn, ksn.slice(1));
    const given = {payload, deviceType, ciphertexts: [], writtenKeys: [], keys: []};
    const [first] = diagnose(given, UNLIMITED).findings;
    expect(first).toEqual({label: 'payload-mistyped', detail: `A character at ${at} was lost.`});
  },
);
