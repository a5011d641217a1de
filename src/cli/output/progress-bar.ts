import {messageColumns, progress} from './output.js';

const MAX_BAR_COLUMNS = 30;
/** What a line needs besides its label and bar. */
const AROUND = ' [] 100% '.length;
const REDRAW_MS = 50;

/** Shows how far a long piece of work is, on stderr when that is a terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #total: number;
  #drawn = 0;

  constructor(label: string, total: number) {
    this.#label = label;
    this.#total = Math.max(total, 1);
  }

  /** Draws the progress, a few times per second. */
  update(done: number): void {
    const now = performance.now();
    if (this.#drawn !== 0 && now - this.#drawn < REDRAW_MS) return;
    this.#drawn = now;
    const share = Math.min(done / this.#total, 1);
    const room = messageColumns() - this.#label.length - AROUND;
    const width = Math.max(Math.min(room, MAX_BAR_COLUMNS), 0);
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    progress(`${this.#label} [${bar}] ${Math.floor(share * 100)}%`);
  }

  /** Wipes the bar. */
  end(): void {
    if (this.#drawn !== 0) progress('');
  }
}
