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
import {simulate, writerOf} from '../../writers.js';

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
