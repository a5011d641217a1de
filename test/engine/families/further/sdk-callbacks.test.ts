import {describe, expect, it} from 'vitest';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {KNOWN_TERMINALS, type TerminalType} from '../../../../src/engine/families/registry.js';
import {recognise} from '../../../../src/engine/recognise.js';
import {TEST_CARDS, type TestCard} from '../../../../src/simulator/test-cards.js';
import {simulate} from '../../../writers.js';
import {answer} from '../../samples.js';

/** The members of a read as software prints what a callback of an SDK was given. */

const [visa, other] = TEST_CARDS.filter(({id}) => ['visa', 'mastercard'].includes(id)) as [
  TestCard,
  TestCard,
];
const keys = testKeyRing();

function membersOf(deviceType: TerminalType, form: string, card: TestCard): Record<string, string> {
  const mode = deviceType === 'spire' ? 'emv' : 'swiped';
  const ksn = 'FFFF9876543210E00001';
  return JSON.parse(simulate({deviceType, mode, card, ksn, keys, options: {form}}).devicePayload);
}

const FORMS: readonly (readonly [TerminalType, form: string])[] = [
  ['dspread', 'json'],
  ['wisepad', 'json'],
  ['magtek', 'sdk'],
  ['ifsf', 'json'],
  ['newland', 'short'],
  ['bbpos', 'short'],
  ['spire', 'short'],
];

type Print = (members: Record<string, string>) => string;

const PRINTS: readonly (readonly [string, Print])[] = [
  ['in a member', (members) => JSON.stringify({decodeData: members})],
  [
    'beside others',
    (members) => JSON.stringify({event: 'onDoTradeResult', decodeData: members, ok: true}),
  ],
  ['in a list of one', (members) => JSON.stringify({reads: [members]})],
  ['two levels deep', (members) => JSON.stringify({data: {decodeData: members}}, null, 2)],
];

const MAPS: readonly (readonly [string, Print])[] = [
  ['a map', (members) => `{${pairs(members)}}`],
  ['a map in a map', (members) => `{decodeData={${pairs(members)}}}`],
  ['a map behind a name', (members) => `decodeData={${pairs(members)}}`],
  ['a map behind a label', (members) => `decodeData: {${pairs(members)}}`],
];

function pairs(members: Record<string, string>): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

describe.each(FORMS)('members of %s, form %s', (deviceType, form) => {
  const members = membersOf(deviceType, form, visa);
  const prints =
    deviceType === 'dspread' || deviceType === 'wisepad' ? [...PRINTS, ...MAPS] : PRINTS;

  it.each(prints)('are read and recognised: %s', (_, print) => {
    const devicePayload = print(members);
    const {response} = answer({deviceType, devicePayload});
    expect(response?.extracted.PAN).toBe(visa.pan.replaceAll(' ', ''));
    expect(recognise(devicePayload, KNOWN_TERMINALS)).toEqual([deviceType]);
  });

  it('of two reads are refused', () => {
    const devicePayload = JSON.stringify({
      first: members,
      second: membersOf(deviceType, form, other),
    });
    expect([2100, 2601]).toContain(answer({deviceType, devicePayload}).errCode);
  });
});
