import type {TerminalSet} from '../../engine/families/terminal-set.js';
import {bytesFromHex} from '../../platform/bytes.js';
import {withoutEnd} from '../../platform/without-end.js';
import {hexDumps} from '../notations/hex-dump.js';
import {hexLines} from '../notations/hex-lines.js';
import {meanings} from '../notations/meanings.js';
import {memberTexts} from '../notations/member-text.js';
import type {Place} from '../notations/notation.js';
import {type Meaning, payloadsOf} from '../notations/notation.js';
import {findPlaces, type Span} from '../notations/places.js';
import {plainCharacters} from '../notations/plain-characters.js';
import {amongBytes} from './among-bytes.js';
import {type Candidate, choose, hasNoTextAround, withoutBlanks} from './choose.js';
import {isRead, JUDGEMENTS, type Judgement, judge} from './judge.js';

/** A payload as a person pasted it, and in a sentence what was undone. */
export interface Paste {
  readonly payload: string;
  readonly note: string;
}

/** The members of a request: JSON that has them is never taken apart. */
const REQUEST_MEMBER = /["']device_?(?:type|payload)\\?["']/i;
/** Characters given to the readers; longer texts were not pasted by a person. */
const MAX_JUDGED_CHARS = 100_000;

/**
 * Reads a payload in a notation that no terminal sends: bytes as an array, a hex dump, base64, a string
 * with escapes, and text or a few bytes around it. `deviceType` names the only terminal that may have
 * sent it. Undefined when no terminal recognises anything in it. Throws 2100 when there are two payloads, or two
 * ways to read one, and when a hex dump lacks lines or swaps bytes.
 */
export function readPaste(
  text: string,
  deviceType?: string,
  terminals?: TerminalSet,
): Paste | undefined {
  if (REQUEST_MEMBER.test(text)) return undefined;
  const judgeOnce = judging((payload) => judge(payload, deviceType, terminals));
  const paste = readPlain(plainCharacters(text), judgeOnce);
  const isSame =
    paste &&
    withoutBlanks(paste.payload) === withoutBlanks(text) &&
    isRead(judgeOnce(withoutEnd(text.replace(/^[ \t\r\n]+/, ''), /[ \t\r\n]/)));
  return isSame ? undefined : (paste ?? amongBytes(text, deviceType, terminals));
}

/** How the readers judge a payload. */
type JudgeText = (payload: string) => Judgement;

function readPlain(text: string, judgeOnce: JudgeText): Paste | undefined {
  const found = hexDumps(text);
  const damaged = found.find(({problem}) => problem);
  if (damaged?.problem) throw damaged.problem;
  const notation = 'a hex dump';
  const dumps = found.map((dump) => ({...dump, payloads: payloadsOf(dump.bytes), notation}));
  const chosen = choose(text, candidates(text, dumps, judgeOnce));
  if (!chosen) return undefined;
  const around = hasNoTextAround(text, chosen) ? '' : '; text around it ignored';
  const what = chosen.notation.replace(/^(?:a|an) /, '');
  return {payload: chosen.payload, note: `Payload read as ${what}${around}.`};
}

type Placed = Meaning & Place;

function candidates(text: string, dumps: readonly Placed[], judgeOnce: JudgeText): Candidate[] {
  const whole = dumps.length > 0 ? [] : meaningsAt({from: 0, to: text.length, text});
  // What is inside a damaged payload was not sent by itself, unless only its end is text.
  const isDamaged = dumps.length === 0 && judgeOnce(text.trim()) === 'damaged';
  const begin = text.length - text.trimStart().length;
  const rest = blanked(text, dumps);
  const inside = findPlaces(rest)
    .filter(({from}) => !isDamaged || from === begin)
    .flatMap(meaningsAt);
  const lines = hexLines(rest).map(({from, to, digits}) => ({
    ...{from, to, notation: 'hex digits in lines'},
    payloads: [digits, ...payloadsOf(bytesFromHex(digits) ?? new Uint8Array())],
  }));
  const members = memberTexts(rest).map(({from, to, json}) => ({
    ...{from, to, notation: 'members in code'},
    payloads: [json],
  }));
  return [...dumps, ...whole, ...lines, ...members, ...inside].flatMap((meant) =>
    best(meant, judgeOnce),
  );
}

/** Judges each text once, and a limited number of characters in all. */
function judging(judgeText: JudgeText): JudgeText {
  const known = new Map<string, Judgement>();
  let left = MAX_JUDGED_CHARS;
  return (payload) => {
    const before = known.get(payload);
    if (before) return before;
    left -= payload.length;
    const judgement = left < 0 ? 'none' : judgeText(payload);
    known.set(payload, judgement);
    return judgement;
  };
}

function meaningsAt(span: Span): Placed[] {
  return meanings(span.text).map((meant) => ({...meant, from: span.from, to: span.to}));
}

/** The text with blanks in place of the lines of dumps. */
function blanked(text: string, dumps: readonly Place[]): string {
  let at = 0;
  const pieces = dumps.map(({from, to}) => {
    const piece = `${text.slice(at, from)}${' '.repeat(to - from)}`;
    at = to;
    return piece;
  });
  return pieces.join('') + text.slice(at);
}

function best(meant: Placed, judgeOnce: JudgeText): Candidate[] {
  const {from, to, notation} = meant;
  const judged = meant.payloads.map((payload) => ({
    ...{from, to, notation, payload},
    judgement: judgeOnce(payload),
  }));
  const [first] = judged.sort(
    (a, b) => JUDGEMENTS.indexOf(a.judgement) - JUDGEMENTS.indexOf(b.judgement),
  );
  return first ? [first] : [];
}
