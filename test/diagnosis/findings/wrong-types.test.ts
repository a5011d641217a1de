import {expect, it} from 'vitest';
import {testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {attempt} from '../../../src/input/attempt.js';
import {TEST_CARDS, type TestCard} from '../../../src/simulator/test-cards.js';
import {partOf} from '../../long.js';
import {simulate, writerOf} from '../../writers.js';
import {diagnoseJson, mistakesOf} from '../diagnosing.js';

const keys = testKeyRing();
const card = TEST_CARDS.find(({id}) => id === 'amex') as TestCard;
/** What ingenico-ra1 sends is never decrypted. */
const TYPES = TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1');

const pairs = TYPES.flatMap((own) =>
  writerOf(own).modes.flatMap((mode) => TERMINAL_TYPES.map((given) => ({own, mode, given}))),
);

it.each(partOf(4, pairs, (one) => JSON.stringify(one)))(
  'says of what $own sends, $mode, that it is not of $given',
  async ({own, mode, given}) => {
    const ksn = 'FFFF9876543210E00042';
    const {devicePayload, ...sent} = simulate({
      deviceType: own,
      mode,
      card,
      keys,
      ksn,
      options: {},
    });
    const asGiven = {...sent, deviceType: given, devicePayload};
    // Some send what another one does.
    if (attempt(() => processPayload(asGiven, keys))) return;
    const found = await diagnoseJson(
      {payload: devicePayload, ksn: sent.ksn, deviceType: given},
      {usualOnly: true},
    );
    expect([found.solved, mistakesOf(found)[0]]).toEqual([true, 'wrong-type']);
  },
);
