import {expect, it} from 'vitest';
import {Secret} from '../../../src/contract/secret.js';
import {KeyRing, testKeyRing} from '../../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../../../src/engine/families/registry.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {attempt, rejectionOf} from '../../../src/input/attempt.js';
import {TEST_CARDS, type TestCard} from '../../../src/simulator/test-cards.js';
import {tenthOf} from '../../long.js';
import {simulate, writerOf} from '../../writers.js';
import {diagnoseJson, mistakesOf} from '../diagnosing.js';
import {Draw} from '../draw.js';

const keys = testKeyRing();
const privateKeys = new KeyRing([{kind: 'bdk', secret: new Secret(new Draw('private').bytes(16))}]);
const card = TEST_CARDS.find(({id}) => id === 'amex') as TestCard;
/** What ingenico-ra1 sends is never decrypted. */
const TYPES = TERMINAL_TYPES.filter((type) => type !== 'ingenico-ra1');

const pairs = TYPES.flatMap((own) =>
  writerOf(own).modes.flatMap((mode) => TERMINAL_TYPES.map((given) => ({own, mode, given}))),
);

it.each(tenthOf(pairs, (one) => JSON.stringify(one)))(
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

it.each(tenthOf(pairs, (one) => JSON.stringify(one)))(
  'says so under a private key: $own, $mode, as $given',
  async ({own, mode, given}) => {
    const ksn = 'A1B2C3D4E5F6A1200042';
    const order = {deviceType: own, mode, card, keys: privateKeys, ksn, options: {}};
    const {devicePayload: payload, ...sent} = simulate(order);
    const asGiven = {...sent, deviceType: given, devicePayload: payload};
    const error = rejectionOf(() => processPayload(asGiven, keys));
    const found = await diagnoseJson(
      {payload, ksn: sent.ksn, deviceType: given},
      {usualOnly: true},
    );
    // What both of them read is of both, and any hex may have the length of bare ciphertext.
    if ([2400, 2601].includes(error?.code ?? 0) || own === 'ifsf') return;
    expect([found.solved, mistakesOf(found)[0]]).toEqual([false, 'wrong-type']);
  },
);
