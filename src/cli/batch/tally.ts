import type {AnsweredBlock, FailedLine} from './answer-block.js';

/** Lines that failed with one code. */
export interface FailureKind {
  readonly code: number;
  readonly count: number;
  /** Its place is counted from 1 in the input. */
  readonly first: FailedLine;
}

const SHOWN_EVERY_MS = 100;

/** Counts the answers of a batch and reports them. */
export class Tally {
  /** Bytes read so far. */
  read = 0;
  lines = 0;
  failed = 0;
  readonly #size: number | undefined;
  readonly #failures = new Map<string, FailureKind>();
  readonly #begin = performance.now();
  #shown = 0;

  /** `size`: bytes of the whole input, where it is known. */
  constructor(size?: number) {
    this.#size = size;
  }

  add({lines, failures, firsts}: Pick<AnsweredBlock, 'lines' | 'failures' | 'firsts'>): void {
    for (const [code, count] of Object.entries(failures)) {
      this.failed += count;
      const {at = 0, line = ''} = firsts[Number(code)] ?? {};
      const {count: before = 0, first} = this.#failures.get(code) ?? {};
      this.#failures.set(code, {
        code: Number(code),
        count: before + count,
        first: first ?? {at: this.lines + at + 1, line},
      });
    }
    this.lines += lines;
  }

  /** By code. */
  get failures(): readonly FailureKind[] {
    return [...this.#failures.values()].sort((a, b) => a.code - b.code);
  }

  /** Whether to redraw: at most ten times per second. */
  isDue(): boolean {
    const now = performance.now();
    if (now - this.#shown < SHOWN_EVERY_MS) return false;
    this.#shown = now;
    return true;
  }

  /** One line for a terminal: the share of the input, if its size is known, and the lines so far. */
  progress(): string {
    const share = this.#size
      ? `${Math.min(100, Math.floor((this.read / this.#size) * 100))} %  `
      : '';
    return `${share}${lineCount(this.lines)}, ${number(this.failed)} failed`;
  }

  /** Summary of all lines, with the rate. */
  summary(): string {
    const seconds = (performance.now() - this.#begin) / 1000;
    const rate = number(Math.round(this.lines / seconds));
    const codes = this.failures.map(({code, count}) => `${code}: ${number(count)}`);
    const failed = this.failed === 0 ? 'none failed' : `${number(this.failed)} failed`;
    const which = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
    return `${lineCount(this.lines)}, ${failed}${which}; ${seconds.toFixed(1)} s, ${rate} lines/s`;
  }
}

/** A number of lines, in words. */
export function lineCount(count: number): string {
  return `${number(count)} ${count === 1 ? 'line' : 'lines'}`;
}

// By hand: `toLocaleString` loads a tenth of a second of tables at its first call.
function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}
