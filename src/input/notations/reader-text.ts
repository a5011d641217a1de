/** How text of readers begins: keyboard text, tracks, text with names. */
export const READER_TEXT =
  /(?<![0-9A-Za-z]|\p{Cc})(?:TVP\||\d\d\.(?=\d\w)|Format ID|E07\d|[%;](?=[\d*]))/gu;

/** The beginning of an ID TECH frame in hex: `02` and a length, low byte first. */
export const COUNTED_TEXT = /(?<![0-9A-Za-z])02[0-9A-F]{4}/gi;

/** Characters of an ID TECH frame that its length does not count. */
const AROUND_DATA = 12;

/** Where a frame that begins at `from` ends: its length counts characters, or bytes in hex. */
export function countedEnds(text: string, from: number): [characters: number, digits: number] {
  const [low, high] = [text.slice(from + 2, from + 4), text.slice(from + 4, from + 6)];
  const counted = Number.parseInt(`${high}${low}`, 16);
  return [from + counted + AROUND_DATA, from + 2 * counted + AROUND_DATA];
}

/** The same with more doubt: names with values, runs of base64. */
const LOOSE_BEGINNINGS =
  /(?<![0-9A-Za-z])(?:02(?=[0-9A-Fa-f]{8})|%(?=\*?[A-Z]?[\d*]{6})|;(?=[\d*]{6})|TVP\||M001\||DE-?(?=\d{1,3}[ \t]*[:=])|\d\d\.(?=\d\w)|Format ID|[A-Za-z]\w{1,12}=(?=[^=\s])|[A-Za-z][\w ]{1,40} = (?=\S)|[A-Za-z][\w ]{1,20}: ?(?=[0-9A-Fa-f]{16})|[A-Za-z0-9+/]{40})/g;
const ENDS = /["'`<>[\](){},;&\s]+/g;
const MAX_BEGINNINGS = 12;
const MAX_TEXT_ENDS = 10;
const MIN_TEXT_CHARS = 40;

/** Texts of readers in a longer one: from each beginning to the end, and to the last punctuation. */
export function readerTexts(text: string): string[] {
  const starts = [...text.matchAll(LOOSE_BEGINNINGS)].slice(0, MAX_BEGINNINGS);
  const last = [...text.matchAll(ENDS)].map(({index}) => index).slice(-MAX_TEXT_ENDS);
  return starts.flatMap(({index: from, 0: begin}) => {
    const counted = begin === '02' ? countedEnds(text, from).slice(0, 1) : [];
    return [text.length, ...last.toReversed(), ...counted]
      .filter((to) => to - from >= MIN_TEXT_CHARS && to <= text.length)
      .map((to) => text.slice(from, to).trimEnd());
  });
}
