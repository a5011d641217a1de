import type {Rate} from './measure.js';

/** A ratio that was promised, and the one that was measured. */
export interface Goal {
  readonly name: string;
  readonly wanted: number;
  readonly found: number;
  /** `wanted` is a limit from above. */
  readonly most?: true;
}

/** Whether what was measured is as good as what was promised. */
export function isMet({wanted, found, most}: Goal): boolean {
  return most ? found <= wanted : found >= wanted;
}

/** Prints a table of `rates`; the first is held against each of the others and its goal. */
export function report(title: string, rates: readonly Rate[], goals: readonly number[]): Goal[] {
  const [first, ...others] = rates;
  if (!first) return [];
  console.log(`\n${title}`);
  console.log(row(first.name, first.rate, ''));
  return others.map(({name, rate, ratio}, i) => {
    const goal = {name: `${title}: ${name}`, wanted: goals[i] ?? 0, found: ratio};
    console.log(row(name, rate, `${goal.found.toFixed(2)} x (goal ${goal.wanted})`));
    return goal;
  });
}

function row(name: string, rate: number, ratio: string): string {
  return `  ${name.padEnd(28)} ${Math.round(rate).toLocaleString('en').padStart(10)}/s  ${ratio}`;
}
