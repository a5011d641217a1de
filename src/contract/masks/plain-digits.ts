import {classOf, GAP, NOWHERE} from './character-class.js';
import {DigitRun} from './digit-run.js';
import {BACKSLASH, escapeNear, hideBehindEscape, PERCENT} from './escapes.js';
import type {HiddenText} from './hidden-text.js';

const UUID_LENGTH = 36;
/** The digits of one with letters are chance, and no card. */
const UUID =
  /(?<![\da-z])(?=[\da-f]{8}-)(?=[\d-]{0,35}[a-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/iy;

const RUN = new DigitRun();

/** Hides card numbers in digits as they are, single spaces and hyphens between groups. */
export function hidePlain(hidden: HiddenText): void {
  const {text} = hidden;
  const run = RUN;
  let uuid = nextUuid(text, 0);
  let gap = false;
  let escaped = NOWHERE;
  let behind = NOWHERE;
  const finish = () => {
    run.endGroup();
    hideBehindEscape(run, behind, hidden, () => run.hideCards(hidden));
    run.clear();
    gap = false;
  };
  for (let i = 0; i < text.length; i++) {
    if (i === uuid) {
      if (run.length > 0) finish();
      i += UUID_LENGTH - 1;
      uuid = nextUuid(text, i);
      continue;
    }
    const code = text.charCodeAt(i);
    const kind = classOf(code);
    if (kind < GAP) {
      if (run.length === 0) behind = escapeNear(escaped, i);
      else if (gap) run.endGroup();
      gap = false;
      run.add(kind, i, i + 1);
    } else if (kind === GAP && run.length > 0 && !gap) {
      gap = true;
    } else {
      if (run.length > 0) finish();
      if (code === PERCENT || code === BACKSLASH) escaped = i;
    }
  }
  if (run.length > 0) finish();
}

/** Where the next UUID begins. */
function nextUuid(text: string, from: number): number {
  for (let at = text.indexOf('-', from + 8); at >= 0; at = text.indexOf('-', at + 1)) {
    if (text[at + 5] !== '-' || text[at + 10] !== '-' || text[at + 15] !== '-') continue;
    UUID.lastIndex = at - 8;
    if (at - 8 >= from && UUID.test(text)) return at - 8;
  }
  return NOWHERE;
}
