import {describe, expect, it} from 'vitest';
import {IS_LONG, TEST_SEED} from '../long.js';
import {type CaseJson, diagnoseJson} from './diagnosing.js';
import {Draw} from './draw.js';

/**
 * Random ciphertext must never be taken for card data. A long run searches with 60 blobs in full
 * and with 10,000 for the usual causes.
 */
const FULL = IS_LONG ? 60 : 2;
const USUAL = IS_LONG ? 10_000 : 12;
const SLOW_MS = 3_600_000;

describe('random ciphertext', () => {
  it(
    `is never accepted by the full search (${FULL} blobs)`,
    async () => expect(await accepted(FULL, false)).toEqual([]),
    SLOW_MS,
  );

  it(
    `is never accepted by the usual causes (${USUAL} blobs)`,
    async () => expect(await accepted(USUAL, true)).toEqual([]),
    SLOW_MS,
  );
});

async function accepted(count: number, usualOnly: boolean): Promise<unknown[]> {
  const draw = new Draw(`${TEST_SEED} ${usualOnly}`);
  const wrong: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const given = randomCase(draw);
    const {solved, solution, evidence} = await diagnoseJson(given, {usualOnly});
    if (solved) wrong.push({given, solution, evidence});
  }
  return wrong;
}

/** One to three blobs of one block to some thirty, with or without KSN, IV, PAN and keys. */
function randomCase(draw: Draw): CaseJson {
  const length = 8 * (1 + draw.below(draw.of([2, 12, 32])));
  const blobs = Array.from({length: 1 + draw.below(3)}, () => ({hex: draw.hex(length)}));
  const kind = draw.of(['bdk', 'ik', 'working', 'component', 'unknown'] as const);
  const keys = Array.from({length: draw.below(4)}, () => ({kind, hex: draw.key()}));
  return {
    ...(draw.below(4) === 0 ? {payload: draw.hex(length)} : {ciphertexts: blobs}),
    ...(draw.below(8) === 0 ? {} : {ksn: draw.below(6) === 0 ? draw.hex(12) : draw.ksn()}),
    ...(draw.below(3) === 0 ? {iv: draw.hex(8)} : {}),
    ...(draw.below(3) === 0 ? {pan: draw.pan()} : {}),
    keys,
  };
}
