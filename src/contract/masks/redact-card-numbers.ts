import {GAP, redactRun} from './digit-run.js';
import {redactBase64} from './redact-base64.js';
import {CELLS, isSpelled, meantBy, spelledCells} from './spelled-digits.js';

const DIGITS = new RegExp(`\\d(?:${GAP}?\\d){11,}`, 'g');
/** The digits of one with letters are chance, and no card. */
const UUID =
  /(?<![\da-z])(?=[\da-f]{8}-)(?=[\d-]{0,35}[a-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/i;
const UUID_OR_DIGITS = new RegExp(
  `${UUID.source}|(\\d(?:(?:${GAP}(?!${UUID.source}))?\\d){11,})`,
  'gi',
);
/**
 * An escape whose last digits need not be part of the card number after it: `%20`, `%2520`,
 * `\\u0000`.
 */
const ESCAPES = ['%', '%25', '%2525', '%252525', '\\\\x', '\\\\u[\\da-f]{2}'].map(
  (start) => new RegExp(`${start}[\\da-f]{2}`, 'iy'),
);
const LONGEST_ESCAPE = 9;
const BEHIND_ESCAPE = '(?<=(?:%(?:25){0,3}|\\\\x|\\\\u[\\da-f]{2})[\\da-f]\\d)';
/** Between groups as on a card, the same everywhere: dots, two spaces, `+` or `%20` of a target. */
const BETWEEN =
  '(?![ -]\\d)(?:%[\\da-f]{2}|\\\\(?:[nrt]|u[\\da-f]{4})|&(?:nbsp|#\\w{2,5});|[^\\da-z]){1,3}';
const GROUPED = new RegExp(
  `(?:(?<!\\d)|${BEHIND_ESCAPE})\\d{4}(${BETWEEN})(?:\\d{4}(?:\\1\\d{4})+(?:\\1\\d{1,3})?|\\d{6}\\1\\d{2,9})(?!\\d)`,
  'gi',
);
/** Digits or bytes one by one: six are more than a time or an IP address has. */
const ONE_BY_ONE = /(?<!\d)\d{1,2}([.:/_|])\d{1,2}(?:\1\d{1,2}){4,}(?!\d)/g;

/** The hex of EBCDIC, of unpacked digits, and of ASCII with spaces, hyphens or dots between groups. */
const CODED = /(?:f\d){12,}|0[1-9](?:0\d){11,}|3\d(?:(?:2[0def])?3\d){11,}/gi;
/** The hex of UTF-16 in either byte order, spaces and hyphens between groups. */
const UTF16_HEX = /3\d(?:00(?:2[0D]00)?3\d){11,}/gi;
const HAS_UTF16_HEX = /3\d(?:003\d){2}/;

/**
 * Masks every card number in `text`: 12 to 19 digits that satisfy Luhn, single spaces and hyphens
 * between groups allowed, or the same between groups as on a card; as they are, in any script,
 * escaped or percent-encoded, in base64, or as the hex of ASCII, UTF-16, EBCDIC or unpacked digits. The first six and last four digits stay, of 12 the last
 * four. A longer run of digits without a gap (a messageId) is left as it is, and so are the digits
 * of UUIDs. Takes linear time.
 */
export function redactCardNumbers(text: string): string {
  const plain = isSpelled(text) ? text.replace(CELLS, redactSpelledIn) : text;
  const wide = HAS_UTF16_HEX.test(plain) ? plain.replace(UTF16_HEX, redactWide) : plain;
  return redactText(redactBase64(wide, redactText));
}

function redactText(text: string): string {
  return redact(
    text
      .replace(GROUPED, redactGroups)
      .replace(ONE_BY_ONE, redactGroups)
      .replace(CODED, (run) => redactCells(run.match(/../g) ?? [])),
  );
}

function redactWide(run: string): string {
  return redactCells(run.match(/..(?:00)?/g) ?? []);
}

/** Cells of hex: a digit in each second nibble, or what stands between groups. */
function redactCells(cells: readonly string[]): string {
  const decoded = cells.map((cell) => (/^[03f]\d/i.test(cell) ? cell.charAt(1) : ' ')).join('');
  const redacted = redact(decoded);
  if (redacted === decoded) return cells.join('');
  return cells.map((cell, i) => (redacted[i] === '*' ? `**${cell.slice(2)}` : cell)).join('');
}

function redactGroups(groups: string, between: string): string {
  const spaced = groups.replaceAll(between, ' ');
  const redacted = redactRun(spaced);
  return redacted === spaced ? groups : redacted.replaceAll(' ', between);
}

function redact(text: string): string {
  if (text.search(DIGITS) < 0) return text;
  if (!UUID.test(text)) return text.replace(DIGITS, redactRunIn);
  return text.replace(UUID_OR_DIGITS, (found, run, at, whole) =>
    run === undefined ? found : redactRunIn(run, at, whole),
  );
}

function redactRunIn(run: string, at: number, text: string): string {
  return redactBehindEscapes(redactRun(run), at, text, redact);
}

function redactSpelledIn(run: string, at: number, text: string): string {
  if (!isSpelled(run)) return run;
  const redactCells = (cells: string) => cells.replace(CELLS, redactSpelled);
  return redactBehindEscapes(redactSpelled(run), at, text, redactCells);
}

const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/**
 * An apparent escape may also be digits of a card number, so the results of both readings are
 * hidden.
 */
function redactBehindEscapes(
  run: string,
  at: number,
  text: string,
  hide: (rest: string) => string,
): string {
  let redacted = run;
  for (let start = Math.max(at - LONGEST_ESCAPE, 0); start < at; start++) {
    const code = text.charCodeAt(start);
    if (code !== PERCENT && code !== BACKSLASH) continue;
    for (const form of ESCAPES) {
      form.lastIndex = start;
      const skipped = form.test(text) ? form.lastIndex - at : 0;
      if (skipped > 0) redacted = redacted.slice(0, skipped) + hide(redacted.slice(skipped));
    }
  }
  return redacted;
}

function redactSpelled(run: string): string {
  const cells = spelledCells(run);
  const plain = cells.map(meantBy).join('');
  const redacted = redact(plain);
  if (redacted === plain) return run;
  return cells.map((cell, i) => (redacted[i] === '*' ? '*' : cell)).join('');
}
