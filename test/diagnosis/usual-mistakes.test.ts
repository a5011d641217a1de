import {describe, expect, it} from 'vitest';
import {diagnoseJson} from './diagnosing.js';
import {Draw} from './draw.js';
import {KINDS, type Kind} from './usual-mistakes.js';

/** Draws every case; the titles print it, PAYLENS_SEED draws others. */
const SEED = process.env.PAYLENS_SEED ?? '1';
/** For every row; with SLOW=1 for every kind of case. */
const DRAWS = 20;

const SLOW_MS = 120_000;
const SETTINGS = {usualOnly: false, budgetMs: 120_000};

function drawsOf({row}: Kind): number {
  if (process.env.SLOW) return DRAWS;
  return Math.max(2, Math.ceil(DRAWS / 2 / KINDS.filter((kind) => kind.row === row).length));
}

describe(`the usual mistakes, seed ${SEED}`, () => {
  it.each(KINDS.map((kind) => [`row ${kind.row}: ${kind.name} is ${kind.label}`, kind] as const))(
    '%s',
    async (_, kind) => {
      const {name, label, make} = kind;
      const draw = new Draw(`${SEED} ${name}`);
      const wrong: unknown[] = [];
      for (let i = 0; i < drawsOf(kind); i++) {
        const {given, plain} = make(draw);
        const found = await diagnoseJson(given, SETTINGS);
        const labels = found.verdicts.map((one) => one.label);
        const hex = found.plaintexts.map((one) => one.hex).join(' ');
        const opens = plain?.every((one) => hex.includes(one.toLowerCase())) ?? true;
        if (found.solved === (plain !== undefined) && labels.includes(label) && opens) continue;
        wrong.push({given, solved: found.solved, labels, hex, plain});
      }
      expect(wrong).toEqual([]);
    },
    SLOW_MS,
  );
});
