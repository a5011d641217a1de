import {describe, expect, it} from 'vitest';
import type {Label} from '../../src/diagnosis/labels.js';
import type {Report} from '../../src/diagnosis/report.js';
import {contradicting, diagnoseJson, mistakesOf} from './diagnosing.js';
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
  return Math.ceil(DRAWS / 4 / KINDS.filter((kind) => kind.row === row).length);
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
        const isRight = labels.includes(label) && opens && leads(found, label);
        if (found.solved === (plain !== undefined) && isRight) continue;
        wrong.push({given, solved: found.solved, labels, hex, plain});
      }
      expect(wrong).toEqual([]);
    },
    SLOW_MS,
  );
});

/** What a case has besides the mistake that it is drawn for. */
const DRAWN: Readonly<Partial<Record<Label, readonly Label[]>>> = {
  // The masked copy of a drawn frame is of another card.
  'frame-intact': ['masked-copy-differs'],
};

/** The planted mistake comes first; a setting has no mistake before it. */
function leads(found: Report, label: Label): boolean {
  const {verdicts} = found;
  const ranks = verdicts.map(({rank}) => ORDER.indexOf(rank));
  const isInOrder = ranks.every((rank, i) => rank >= (ranks[i - 1] ?? 0));
  const [first] = verdicts;
  const mistakes = mistakesOf(found).filter((one) => !DRAWN[label]?.includes(one));
  const isFirst = mistakes.length === 0 || first?.label === label;
  return isInOrder && isFirst && contradicting(found).length === 0;
}

const ORDER = ['mistake', 'setting', 'background'];
