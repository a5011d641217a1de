import {
  bytesFromLatin1,
  bytesOfHex,
  isHex,
  latin1Of,
  upperHexOf,
  utf8Of,
} from '../../platform/bytes.js';
import type {InputFinding} from '../finding.js';
import {typedTexts} from '../keyboard/typed-text.js';
import {finish, type Steps} from '../steps.js';
import {readByteLists} from './byte-list.js';
import {ESCAPES} from './escapes.js';
import {hexDumps} from './hex-dump.js';
import {payloadsOf, readBase64} from './notations.js';

/** A text as it may have been intended, and the changes that were undone. */
export interface Form {
  readonly text: string;
  readonly findings: readonly InputFinding[];
}

const MAX_FORMS = 24;
/** A payload of 64 Ki characters, each escaped in up to 16. What is longer is a log, not one value. */
const MAX_TEXT_CHARS = 1_048_576;

/**
 * The possible originals of `given` before it was copied, logged, encoded or typed: white space,
 * separators and escapes removed, base64 and hex of hex decoded, a digit or character lost at the
 * ends of a capture restored, another keyboard layout undone. As given first, and nothing else of a
 * text that is too long for one payload.
 */
export function textForms(given: string): Form[] {
  return finish(textFormSteps(given));
}

/** The same, one change a step. */
export function* textFormSteps(given: string): Steps<Form[]> {
  const asGiven: Form = {text: given, findings: []};
  if (given.length > MAX_TEXT_CHARS) return [asGiven];
  const found = new Map([[given, asGiven]]);
  for (const form of found.values()) {
    if (found.size >= MAX_FORMS || form.findings.length > 3) break;
    for (const next of yield* nextForms(form)) {
      if (next.text !== '' && !found.has(next.text)) found.set(next.text, next);
    }
  }
  return [...found.values()];
}

type Change = readonly [(text: string) => string | undefined, InputFinding];

const CHANGES: readonly Change[] = [
  [trimmed, {label: 'white-space', detail: 'It was surrounded by spaces or line breaks.'}],
  [withoutSeparators, {label: 'white-space'}],
  [unwrapped, {label: 'white-space', detail: 'It was broken by line breaks.'}],
  [fromDump, {label: 'white-space', detail: 'It is a hex dump with its offsets.'}],
  [fromDecimals, {label: 'text-escaped', detail: 'The bytes were written in decimal.'}],
  [fromLookAlikes, {label: 'look-alikes'}],
  [unquoted, {label: 'text-around', detail: 'It was surrounded by quotes.'}],
  [taken, {label: 'text-around', detail: 'It was surrounded by quotes, a name or a comma.'}],
  ...ESCAPES.filter(isDistinct).map(([, undo]): Change => [undo, {label: 'text-escaped'}]),
  [hexOfHex, {label: 'hex-of-hex'}],
  [fromBase64, {label: 'base64'}],
  [fromUtf8, {label: 'text-encoding', detail: 'Each byte above 7F had become two.'}],
  [controlWords, {label: 'text-escaped', detail: 'Control characters were spelled out.'}],
];

/** A log of names with hex values looks like quoted-printable: `key=01...`. */
function isDistinct([notation]: (typeof ESCAPES)[number]): boolean {
  return notation !== 'quoted-printable';
}

function* nextForms(form: Form): Steps<Form[]> {
  const {text, findings} = form;
  const done = new Set(findings.map(({label}) => label));
  const forms: Form[] = [];
  const add = (next: string | undefined, finding: InputFinding) => {
    if (next === undefined || next === text) return;
    if (done.has(finding.label) && finding.label !== 'hex-of-hex') return;
    forms.push({text: next, findings: [...findings, finding]});
  };
  for (const [change, finding] of CHANGES) {
    yield;
    add(change(text), finding);
  }
  for (const repaired of lostEnds(text)) {
    add(repaired.text, {label: 'frame-lost-character', detail: repaired.detail});
  }
  yield;
  for (const {text: meant, layouts} of typedTexts(text)) {
    const detail = `The layout was ${layouts.join(' or ')}.`;
    add(meant, {label: 'keyboard-layout', detail});
  }
  add(upperCased(text), {label: 'frame-lower-case'});
  return forms;
}

function trimmed(text: string): string | undefined {
  return text.trim();
}

/** Hex digits with spaces, line endings, colons, commas, dashes or `0x` between the bytes. */
function withoutSeparators(text: string): string | undefined {
  if (!/[\s:,\-_\\x]/.test(text)) return undefined;
  const compact = text
    .replaceAll(/(?:0x|\\x)(?=[0-9a-f]{2})/gi, '')
    .replaceAll(/[\s:,\-_;"'[\]{}()<>]/g, '');
  return compact.length >= 16 && isHex(compact) ? compact : undefined;
}

/** The bytes of a text that is one hex dump, as printed. */
function fromDump(text: string): string | undefined {
  const [dump, other] = hexDumps(text);
  if (!dump || other) return undefined;
  const around = text.slice(0, dump.from) + text.slice(dump.to);
  return around.trim() === '' ? upperHexOf(dump.bytes) : undefined;
}

/** Bytes in decimal, signed as Java prints them or not: `[-114, -126, 206]`. */
function fromDecimals(text: string): string | undefined {
  const list = text.trim().replaceAll(/^[[({]|[\])}]?;?$/g, '');
  if (!/^[\d\s,;-]+$/.test(list)) return undefined;
  const found = readByteLists(list).find(({notation}) => notation === 'an array of bytes');
  return found && upperHexOf(found.bytes);
}

/** Hex with letters mistaken for digits: O for 0, I and l for 1. */
export function fromLookAlikes(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, '').replaceAll(/O/gi, '0').replaceAll(/[IL]/gi, '1');
  return /[OIL]/i.test(text) && digits.length >= 16 && isHex(digits) ? digits : undefined;
}

/** Keyboard text that a page or log broke into lines; binary frames may contain line endings. */
function unwrapped(text: string): string | undefined {
  if (!/[!-~] *\r?\n *[!-~]/.test(text) || /[^\r\n -~]/.test(text)) return undefined;
  return text.replaceAll(/\r?\n/g, '');
}

/** A value copied from a script, a log or JSON: `payload = '02...';`. */
const COPIED =
  /^(?:(?:[\w[\]*]{1,20}\s{1,4}){0,3}["']?[A-Za-z_][\w.-]{0,38}["']?\s{0,4}(?:=>|[:=])\s{0,4})?["'`“‘„]?([^"'`“”‘’„]{15,}[^"'`“”‘’„\s,;])["'`”’“]?[,;]?$/;

/** All text in one pair of quotes, including names. */
const IN_QUOTES = /^["'`“‘„]([^"'`“”‘’„]{15,})["'`”’“][,;]?$/;

function unquoted(text: string): string | undefined {
  return IN_QUOTES.exec(text.trim())?.[1];
}

function taken(text: string): string | undefined {
  return COPIED.exec(text.trim())?.[1];
}

/** Text whose bytes are again text of a kind that terminals send. */
function hexOfHex(text: string): string | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (compact.length < 32 || compact.length % 2 !== 0 || !isHex(compact)) return undefined;
  const inner = latin1Of(bytesOfHex(compact));
  if (!/^[\t\n\r -~]+$/.test(inner)) return undefined;
  return isHex(inner) || /^[0-9A-F%;*^=?/ .:A-Z|-]+$/i.test(inner) ? inner : undefined;
}

/** Base64 of at least eight bytes, however it is padded. */
function fromBase64(text: string): string | undefined {
  const decoded = readBase64(text);
  return decoded && decoded.bytes.length >= 8 ? payloadsOf(decoded.bytes)[0] : undefined;
}

/** Bytes that were written as UTF-8 characters and read as single bytes. */
function fromUtf8(text: string): string | undefined {
  if (!/[\xc2\xc3][\x80-\xbf]/.test(text) || /[^\0-\xff]/.test(text)) return undefined;
  const decoded = utf8Of(bytesFromLatin1(text));
  return decoded.includes('\ufffd') || /[^\0-\xff]/.test(decoded) ? undefined : decoded;
}

const CONTROL_WORDS: Readonly<Record<string, string>> = {
  STX: '\x02',
  ETX: '\x03',
  FS: '\x1c',
  GS: '\x1d',
  RS: '\x1e',
  US: '\x1f',
  CR: '\r',
  LF: '\n',
};

function controlWords(text: string): string | undefined {
  const form = /[[<{](STX|ETX|CR|LF|GS|RS|US)[\]>}]/g;
  if (!form.test(text)) return undefined;
  return text.replaceAll(form, (_, word: string) => CONTROL_WORDS[word] ?? '');
}

interface Repaired {
  readonly text: string;
  readonly detail: string;
}

/** A capture through a text field often loses the first `0` or the last `3`. */
function lostEnds(text: string): Repaired[] {
  const first = 'The first 0 was lost.';
  const last = 'The last 3 was lost.';
  const repaired: Repaired[] = [];
  const begins = /^2[0-9a-f]{5}/i.test(text);
  const ends = /0$/.test(text);
  if (begins) repaired.push({text: `0${text}`, detail: first});
  if (ends && /^02/.test(text)) repaired.push({text: `${text}3`, detail: last});
  if (begins && ends) repaired.push({text: `0${text}3`, detail: `${first} ${last}`});
  if (/^02/.test(text) && !/03$/.test(text)) {
    repaired.push({text: `${text}03`, detail: 'The ETX at the end was lost.'});
  }
  return repaired;
}

function upperCased(text: string): string | undefined {
  return /^0?2[0-9a-f]{3}.*[%;*=?]/s.test(text) && /[a-f]/.test(text)
    ? text.toUpperCase()
    : undefined;
}
