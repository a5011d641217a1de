import {randomBytes} from 'node:crypto';
import {diagnose} from '../src/diagnosis/diagnose.js';
import {heading, perSecond, tell} from './report.js';

const CASES = 12;

/** Prints how many candidates per second `diagnose` tries, and its total time. */
export function benchDiagnose(): void {
  heading('diagnose: trials of random ciphertext that nothing opens, one core');
  for (const [name, usualOnly] of [
    ['the usual causes', true],
    ['the full search', false],
  ] as const) {
    run(usualOnly, 2);
    const {tried, ms} = run(usualOnly, CASES);
    tell(`${name}, ${(ms / CASES).toFixed(0)} ms a case`, perSecond((1000 * tried) / ms));
  }
}

function run(usualOnly: boolean, cases: number) {
  const totals = {tried: 0, ms: 0};
  for (let i = 0; i < cases; i++) {
    const {tried, elapsedMs} = diagnose(randomCase(), {
      now: () => performance.now(),
      budgetMs: 60_000,
      usualOnly,
    });
    totals.tried += tried;
    totals.ms += elapsedMs;
  }
  return totals;
}

/** Two tracks, a KSN and a key that do not match. */
function randomCase() {
  const hex = (bytes: number) => randomBytes(bytes).toString('hex').toUpperCase();
  return {
    ciphertexts: [
      {name: 'track 1', text: hex(80)},
      {name: 'track 2', text: hex(40)},
    ],
    ksn: `FFFF${hex(5)}E00${randomBytes(1).toString('hex')}1`,
    writtenKeys: [{kind: 'bdk' as const, digits: hex(16), source: 'keys[0]'}],
    keys: [],
  };
}
