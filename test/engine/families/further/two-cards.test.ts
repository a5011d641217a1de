import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../../src/contract/paylens-error.js';
import {testKeyRing} from '../../../../src/engine/dukpt/key-ring.js';
import {FURTHER_TYPES, type TerminalType} from '../../../../src/engine/families/registry.js';
import type {SimulatedRequest} from '../../../../src/simulator/simulate.js';
import {TEST_CARDS, type TestCard} from '../../../../src/simulator/test-cards.js';
import {simulate, writerOf} from '../../../writers.js';
import {answer} from '../../samples.js';

/** Messages whose parts are of two cards, each part whole by itself. */

const byId = (id: string) => TEST_CARDS.find((card) => card.id === id) as TestCard;
const [own, other] = [byId('visa'), byId('mastercard')];
const TRACK_1 = `%B${other.pan}^${other.name}^${other.expiry}${other.serviceCode}1234567?`;
const TRACK_2 = `;${other.pan}=${other.expiry}${other.serviceCode}1234567?`;
/** A part of the second card among those of the first. */
const MIXED: readonly TestCard[] = [
  {...own, track1: TRACK_1},
  {...own, track2: TRACK_2},
  {...own, track1: TRACK_1, track2: TRACK_2},
];
const keys = testKeyRing();

type Setting = Readonly<Record<string, string>>;

function settingsOf(deviceType: TerminalType): readonly Setting[] {
  const {options} = writerOf(deviceType);
  const single = options.flatMap(({name, values}) => values.map((value) => ({[name]: value})));
  return [
    {},
    ...single,
    {elements: '2,14,35'},
    {elements: '35,45'},
    {content: 'all', masked: 'off'},
  ];
}

function made(deviceType: TerminalType, card: TestCard): Map<string, SimulatedRequest> {
  const found = new Map<string, SimulatedRequest>();
  for (const mode of writerOf(deviceType).modes) {
    for (const options of settingsOf(deviceType)) {
      try {
        const given = {deviceType, mode, card, ksn: 'FFFF9876543210E00001', keys, options};
        found.set(`${mode} ${JSON.stringify(options)}`, simulate(given));
      } catch (error) {
        if (!(error instanceof PaylensError)) throw error;
      }
    }
  }
  return found;
}

/** Their reads are swipes, whose tracks may differ in their number, as on blank test cards. */
const SWIPES: readonly TerminalType[] = FURTHER_TYPES.filter((type) =>
  ['magtek', 'dspread', 'abecs'].includes(type),
);

describe('two cards in one message', () => {
  it.each(FURTHER_TYPES.filter((type) => !SWIPES.includes(type)))('of %s are refused', (type) => {
    const second = {...other, track1: TRACK_1, track2: TRACK_2};
    const pure = [own, second].map((card) => made(type, card));
    for (const card of MIXED) {
      for (const [name, request] of made(type, card)) {
        const isOne = pure.some((all) => all.get(name)?.devicePayload === request.devicePayload);
        const {response} = answer(request);
        expect(isOne || response === undefined, `${name}: ${request.devicePayload}`).toBe(true);
      }
    }
  });
});
