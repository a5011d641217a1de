import {describe, expect, it} from 'vitest';
import {IS_LONG, isInTenth} from '../../long.js';
import {FURTHER_PAYLOADS, SAMPLE_PAYLOADS, SIMULATED_SHAPES, testCard} from '../../payloads.js';
import {judge, type Pair, pairsOf, type Tally} from './whole-fields.js';

/*
 * Whole fields, or no answer: a payload that lost, doubled or exchanged a part, or has parts of
 * another card, is answered with the card that it was of, or refused.
 */

/** Track 2 of `bush` fills its blocks exactly, `uat-usa` has the longest tracks. */
const CARDS = ['visa', 'bush', 'uat-usa'] as const;

const TYPES = [...new Set(SIMULATED_SHAPES.map(({deviceType}) => deviceType))];

function* pairs(deviceType: string): Generator<Pair> {
  const shapes = SIMULATED_SHAPES.filter((shape) => shape.deviceType === deviceType);
  const cards = IS_LONG ? CARDS : CARDS.slice(0, 1);
  for (const id of cards) yield* pairsOf(shapes, testCard(id), testCard('mastercard'));
  for (const one of [...SAMPLE_PAYLOADS, ...FURTHER_PAYLOADS])
    if (one.request.deviceType === deviceType) yield {name: one.name, one, other: one};
}

describe('a payload of which a part is missing or of another card', () => {
  const all = {right: 0, refused: 0, alone: 0};

  it.each(TYPES)('of %s gives no other card', (deviceType) => {
    const tally: Tally = {right: 0, refused: 0, alone: 0, wrong: []};
    for (const isDrawn of [isOneInHundred, isInTenth])
      if (tally.refused === 0) for (const pair of pairs(deviceType)) judge(pair, tally, isDrawn);
    expect(tally.wrong.slice(0, 10)).toEqual([]);
    expect(tally.refused).toBeGreaterThan(0);
    all.right += tally.right;
    all.refused += tally.refused;
    all.alone += tally.alone;
    if (IS_LONG) console.log(deviceType, JSON.stringify({...tally, wrong: tally.wrong.length}));
  });

  it('is tried in many ways', () => {
    const {right, refused, alone} = all;
    expect(right + refused + alone).toBeGreaterThan(IS_LONG ? 400_000 : 500);
  });
});

/** But for long runs; of a type with few mutants, none of which was refused, one in ten is tried. */
function isOneInHundred(how: string): boolean {
  return isInTenth(how) && isInTenth(`${how} again`);
}
