import type {AnsweredBlock} from './answer-block.js';

const SHOWN_EVERY_MS = 100;

/** Counts the answers of a batch and reports them. */
export class Tally {
  /** Bytes read so far. */
  read = 0;
  lines = 0;
  failed = 0;
  readonly #size: number | undefined;
  readonly #failures = new Map<string, number>();
  readonly #begin = performance.now();
  #shown = 0;

  /** `size`: bytes of the whole input, where it is known. */
  constructor(size?: number) {
    this.#size = size;
  }

  add({lines, failures}: AnsweredBlock): void {
    this.lines += lines;
    for (const [code, count] of Object.entries(failures)) {
      this.failed += count;
      this.#failures.set(code, (this.#failures.get(code) ?? 0) + count);
    }
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
    const codes = [...this.#failures].map(([code, count]) => `${code}: ${number(count)}`);
    const failed = this.failed === 0 ? 'none failed' : `${number(this.failed)} failed`;
    const which = codes.length === 0 ? '' : ` (${codes.sort().join(', ')})`;
    return `${lineCount(this.lines)}, ${failed}${which}; ${seconds.toFixed(1)} s, ${rate} lines/s`;
  }
}

function lineCount(count: number): string {
  return `${number(count)} ${count === 1 ? 'line' : 'lines'}`;
}

// By hand: `toLocaleString` loads a tenth of a second of tables at its first call.
function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}
