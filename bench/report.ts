import type {Rate} from './measure.js';

/** A ratio that was promised, and the measured one. */
export interface Goal {
  readonly name: string;
  readonly wanted: number;
  readonly found: number;
  /** `wanted` is an upper limit. */
  readonly most?: true;
}

/** One line of a section: the program, its cost, and how paylens compares. */
export interface Line {
  readonly program: string;
  readonly figure: string;
  readonly ratio?: string;
  /** For example `at least 8`. */
  readonly goal?: string;
}

/** One task done by several programs. */
export interface Section {
  readonly title: string;
  readonly lines: Line[];
}

const sections: Section[] = [];

/** All sections so far. */
export function told(): readonly Section[] {
  return sections;
}

/** Begins a section, on the terminal and on the page. */
export function heading(title: string): void {
  sections.push({title, lines: []});
  console.log(`\n${title}`);
}

/** Adds a line to the section: the cost of a program, and a ratio with its goal. */
export function tell(program: string, figure: string, goal?: Omit<Goal, 'name'>): void {
  const line = goal ? {program, figure, ...ratioOf(goal)} : {program, figure};
  sections.at(-1)?.lines.push(line);
  const ratio = 'ratio' in line ? `  ${line.ratio}${line.goal ? ` (goal: ${line.goal})` : ''}` : '';
  console.log(`  ${program.padEnd(36)} ${figure.padStart(12)}${ratio}`);
}

function ratioOf({found, wanted, most}: Omit<Goal, 'name'>): Pick<Line, 'ratio' | 'goal'> {
  const ratio = `${found.toFixed(2)} x`;
  if (!Number.isFinite(wanted)) return {ratio};
  return {ratio, goal: `${most ? 'at most' : 'at least'} ${wanted}`};
}

/** Whether the measured ratio meets the goal. */
export function isMet({wanted, found, most}: Goal): boolean {
  return most ? found <= wanted : found >= wanted;
}

/** Prints a section of `rates`; the first is compared with each of the others and its goal. */
export function report(title: string, rates: readonly Rate[], goals: readonly number[]): Goal[] {
  const [first, ...others] = rates;
  if (!first) return [];
  heading(title);
  tell(first.name, perSecond(first.rate));
  return others.map(({name, rate, ratio}, i) => {
    const goal = {name: `${title}: ${name}`, wanted: goals[i] ?? 0, found: ratio};
    tell(name, perSecond(rate), goal);
    return goal;
  });
}

/** For example `120,000/s`. */
export function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}
