import {describe, expect, it} from 'vitest';
import {PaylensError} from '../../../src/contract/paylens-error.js';
import {refusalFindings} from '../../../src/diagnosis/findings/reader-refusals.js';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES, TERMINALS} from '../../../src/engine/families/registry.js';
import {readPayload} from '../../../src/engine/read-payload.js';
import {rejectionOf} from '../../../src/input/attempt.js';
import {parseCase} from '../../../src/input/case.js';
import {collectClues} from '../../../src/input/clues.js';
import {TEST_CARDS, type TestCard} from '../../../src/simulator/test-cards.js';
import {tenthOf} from '../../long.js';
import {simulate, writerOf} from '../../writers.js';
import {diagnoseJson, mistakesOf} from '../diagnosing.js';

const keys = testKeyRing();
const card = TEST_CARDS.find(({id}) => id === 'visa') as TestCard;

/** What the reader misses in a payload that was cut, unless it is half a byte or no longer its own. */
function missed(deviceType: keyof typeof TERMINALS, payload: string): string | undefined {
  const error = rejectionOf(() => readPayload(TERMINALS[deviceType], payload));
  return error instanceof PaylensError && error.code === 2102 && error.fault?.kind !== 'half-byte'
    ? error.detail
    : undefined;
}

/** WisePad 2 sends what WisePad does. */
const TYPES = TERMINAL_TYPES.filter((type) => type !== 'wisepad2');

describe.each(TYPES)('a payload of %s that was cut', (deviceType) => {
  it.each(writerOf(deviceType).modes)('lacks what its reader misses: %s', (mode) => {
    const ksn = 'FFFF9876543210E00042';
    const {devicePayload} = simulate({deviceType, mode, card, keys, ksn, options: {}});
    const step = Math.max(1, Math.floor(devicePayload.length / 40));
    // Less holds nothing that only this terminal sends; one character more is known to be lost.
    for (let length = 128; length < devicePayload.length - 2; length += step) {
      const payload = devicePayload.slice(0, length);
      const detail = missed(deviceType, payload);
      // Of an object that has just begun, or without a name, nothing shows that it is not something else.
      if (detail === undefined || /^tag C0|truncated$|found [0-4]$/.test(detail)) continue;
      const clues = collectClues(parseCase(JSON.stringify({payload, deviceType})));
      const found = refusalFindings(clues, deviceType);
      expect([length, ...found]).toEqual([length, {label: 'frame-cut', detail}]);
    }
  });
});

/** What is sent as JSON or XML, and how many characters of each are left. */
const texts = TYPES.flatMap((deviceType) =>
  writerOf(deviceType).modes.flatMap((mode) => {
    const ksn = 'FFFF9876543210E00042';
    const {devicePayload} = simulate({deviceType, mode, card, keys, ksn, options: {}});
    const {length} = devicePayload;
    const lengths = [0.3, 0.5, 0.7, 0.9].map((share) => Math.floor(length * share));
    return /^[{<]/.test(devicePayload)
      ? [...lengths, length - 3, length - 2, length - 1].map((left) => ({
          title: `${deviceType}, ${mode}, ${left} of ${length} characters`,
          deviceType,
          payload: devicePayload.slice(0, left),
        }))
      : [];
  }),
);

describe.each(['with', 'without'])('a text that was cut, %s its type', (how) => {
  it.each(tenthOf(texts, ({title}) => how + title))(
    'is called so first: $title',
    async ({deviceType, payload}) => {
      const given = how === 'with' ? {payload, deviceType} : {payload};
      const found = await diagnoseJson(given, {usualOnly: true});
      expect(mistakesOf(found)[0]).toBe('frame-cut');
    },
  );
});

it.each([
  ['a line of a log', '<info> ksn=FFFF9876543210E00042 track2=', 'A1B2C3D4E5F60718'],
  ['a template', '{{ksn}} FFFF9876543210E00042 ', 'A1B2C3D4E5F60718'],
])('does not call %s cut', async (_, before, block) => {
  const found = await diagnoseJson({payload: `${before}${block.repeat(4)}`}, {usualOnly: true});
  expect(mistakesOf(found)).not.toContain('frame-cut');
});

it.each(['generic', 'idtech'] as const)(
  'does not call a whole payload of %s cut that stands in a cut request',
  async (deviceType) => {
    const ksn = 'FFFF9876543210E00042';
    const order = {deviceType, mode: 'swiped', card, keys, ksn, options: {}} as const;
    const request = JSON.stringify({deviceType, devicePayload: simulate(order).devicePayload});
    const found = await diagnoseJson({payload: request.slice(0, -1)}, {usualOnly: true});
    expect([found.solved, mistakesOf(found)[0]]).toEqual([true, 'text-around']);
  },
);
