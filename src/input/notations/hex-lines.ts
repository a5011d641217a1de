import type {Place} from './notation.js';

/** Hex digits in several lines, each after a prefix such as a time. */
export interface HexLines extends Place {
  readonly digits: string;
}

/** At least eight pairs of hex digits, adjacent or all separated by the same character. */
const LINE_WITH_HEX =
  /^(.{0,120}?)((?:[0-9A-Fa-f]{2}){8,}|[0-9A-Fa-f]{2}([ :-])(?:[0-9A-Fa-f]{2}\3){6,}[0-9A-Fa-f]{2})[ \t\r]*$/;
const MAX_HEX_LINE_CHARS = 4096;
/** A letter or digit before the run would make it part of a word. */
const ENDS_IN_WORD = /[0-9A-Za-z]$/;

/**
 * The payloads of which every line has its own beginning: a time, a number, a blank. The beginnings are
 * alike but for their digits.
 */
export function hexLines(text: string): HexLines[] {
  const found: HexLines[] = [];
  let from = 0;
  let open: {run: HexLines; shape: RegExp; lines: number} | undefined;
  const close = () => {
    if (open && open.lines > 1) found.push(open.run);
    open = undefined;
  };
  for (const line of text.split('\n')) {
    const start = from;
    from += line.length + 1;
    const more = open?.shape.exec(line)?.[1];
    if (open && more !== undefined) {
      const to = start + line.trimEnd().length;
      const digits = open.run.digits + pairsOf(more);
      open = {...open, run: {...open.run, to, digits}, lines: open.lines + 1};
      continue;
    }
    close();
    open = beginAt(line, start);
  }
  close();
  return found;
}

function beginAt(line: string, start: number) {
  if (line.length > MAX_HEX_LINE_CHARS) return undefined;
  const [, beginning = '', digits = ''] = LINE_WITH_HEX.exec(line) ?? [];
  if (digits === '' || ENDS_IN_WORD.test(beginning)) return undefined;
  const at = start + beginning.length;
  const run = {from: at, to: at + digits.length, digits: pairsOf(digits)};
  return {run, shape: shapeOf(beginning), lines: 1};
}

function pairsOf(digits: string): string {
  return digits.replaceAll(/[^0-9A-Fa-f]/g, '');
}

const PAIRS = '((?:[0-9A-Fa-f]{2})+(?:[ :-](?:[0-9A-Fa-f]{2})+)*)';

function shapeOf(beginning: string): RegExp {
  const literal = beginning.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const shape = literal.replaceAll(/\d+/g, '\\d+').replaceAll(/\s+/g, '\\s+');
  return new RegExp(
    `^${shape && `\\s*${shape}`}${/\s$/.test(beginning) ? '\\s+' : '\\s*'}${PAIRS}\\s*$`,
  );
}
