import {nibbleOf} from './character-class.js';
import {DigitRun} from './digit-run.js';
import type {HiddenText} from './hidden-text.js';

/** What two hex digits may be; digits have the value of the second one. */
const NOTHING = 0;
const ASCII = 3;
const UNPACKED = 1;
const EBCDIC = 15;
const GAP = 4;

/** By the value of both. */
const KINDS = Uint8Array.from({length: 256}, (_, byte) => {
  if ([0x20, 0x2d, 0x2e, 0x2f].includes(byte)) return GAP;
  if (byte % 16 > 9) return NOTHING;
  return {0: UNPACKED, 3: ASCII, 15: EBCDIC}[byte >> 4] ?? NOTHING;
});

/** Hides card numbers in the hex of ASCII, UTF-16, EBCDIC or unpacked digits. */
export function hideCoded(hidden: HiddenText): void {
  hideFrom(0, hidden);
  hideFrom(1, hidden);
}

const RUN = new DigitRun();

function hideFrom(from: number, hidden: HiddenText): void {
  const {text} = hidden;
  const run = RUN;
  let of = NOTHING;
  let between = 0;
  for (let i = from; i + 1 < text.length; i += 2) {
    const high = nibbleOf(text.charCodeAt(i));
    const low = nibbleOf(text.charCodeAt(i + 1));
    const kind = high < 16 && low < 16 ? (KINDS[16 * high + low] ?? NOTHING) : NOTHING;
    if (of === NOTHING && !mayBegin(kind, low)) continue;
    if (of === ASCII && kind !== ASCII) {
      const next = afterAscii(between, kind, low);
      if (next > 0) {
        between = next;
        continue;
      }
    }
    if (kind !== of) {
      run.finish(hidden);
      of = mayBegin(kind, low) ? kind : NOTHING;
      between = 0;
      if (of === NOTHING) continue;
    }
    if (between >= GAPPED) run.endGroup();
    between = 0;
    run.add(low, i, i + 2);
  }
  run.finish(hidden);
}

function mayBegin(kind: number, low: number): boolean {
  return kind === ASCII || kind === EBCDIC || (kind === UNPACKED && low > 0);
}

/** What has come since the last digit of ASCII: the other byte of UTF-16, and a gap. */
const PADDED = 1;
const GAPPED = 2;
const PADDED_GAP = 3;

function afterAscii(before: number, kind: number, low: number): number {
  if (kind === GAP) return before < GAPPED ? GAPPED : 0;
  if (kind !== UNPACKED || low > 0) return 0;
  if (before === 0) return PADDED;
  return before === GAPPED ? PADDED_GAP : 0;
}
