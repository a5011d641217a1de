/** Characters without width: byte order mark, joiners, soft hyphen, marks of direction. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Blanks of other widths, which web pages and mail programs put between digits. */
const BLANKS = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
/** Hyphens, dashes and the minus sign, which word processors put in place of `-`. */
const DASHES = /[\u2010-\u2015\u2212]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_SHIFT = 0xfee0;
/** Line beginnings of quoted mail. */
const QUOTED = /^(?:>[ \t]?)+/gm;
/** Line beginnings of comments in Java and C. */
const COMMENTED = /^[ \t]*(?:\*|\/\/)[ \t]/gm;
/** Line beginnings of logs: date and time, then process and tag as Android and iOS print them. */
const LOGGED =
  /^[ \t]*\[?(?:\d{4}[-/])?\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?[Z\]:]{0,2}(?:[ \t]+(?:[VDIWEF]\/[^:(\n]{1,40}\([ \t]{0,4}\d+\):|\d+[ \t-]+\d+[ \t]+[VDIWEF][ \t]+[^:\n]{1,40}:|[\w .-]{1,40}\[[\d:]+\]))?[ \t]+/gm;
/** The head of a dump's columns. */
const RULER = /\b00 01 02 03 04 05 06 07 {1,3}08 09 0A 0B 0C 0D 0E 0F\b/gi;
/** The characters of a line of an array, which may hold brackets and quotes. */
const COMMENT = /(?<=0x[\da-f]{1,2},?[ \t]{0,8})\/\*[^\n]{0,200}?\*\//gi;
/** A payload of one character per byte may hold any of these as a byte. */
const BINARY = /(?![\t\n\r])\p{Cc}/u;

/**
 * A text as it looks: without invisible characters, with plain blanks, line ends and digits, and without
 * the marks of quoted mail, comments and logs at the beginnings of lines, the head of a dump and comments in an array. Lines and columns stay as an editor shows them.
 */
export function plainCharacters(text: string): string {
  if (BINARY.test(text)) return text;
  const plain = text
    .replaceAll(INVISIBLE, '')
    .replaceAll(BLANKS, ' ')
    .replaceAll(DASHES, '-')
    .replaceAll(/\r(?!\n)/g, '\n')
    .replaceAll(FULL_WIDTH, (one) => String.fromCharCode(one.charCodeAt(0) - FULL_WIDTH_SHIFT));
  return [QUOTED, COMMENTED, LOGGED, RULER, COMMENT].reduce(
    (rest, marks) => rest.replaceAll(marks, (found) => ' '.repeat(found.length)),
    plain,
  );
}
