import type {Place} from './notation.js';

const QUOTES: Readonly<Record<string, string>> = {
  ...{'"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '„': '“'},
};

/** Texts in quotes, and adjacent strings joined to one. */
export function quotedTexts(
  text: string,
  quoted: readonly Place[],
): (Place & {readonly text: string})[] {
  const each = quoted.map(({from, to}) => ({from, to, text: text.slice(from, to)}));
  const joined = chains(text, quoted).map((chain) => ({
    from: chain[0]!.from,
    to: chain.at(-1)!.to,
    text: joinedText(text, chain),
  }));
  return [...joined, ...each];
}

const OPENING = /(?<![A-Za-z0-9\\])(?:[bBrucL$])?(["'`“‘„])/g;

/** The places between a quote and the next one of its kind that no backslash escapes. */
export function quotedPlaces(text: string): Place[] {
  const found: Place[] = [];
  // If one quote is not closed, none further on is.
  const alone = new Set<string>();
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [all, quote = ''] = match;
    if (alone.has(quote)) continue;
    const from = match.index + all.length;
    const to = closing(text, from, QUOTES[quote] ?? quote);
    if (to < 0) alone.add(quote);
    else found.push({from, to});
    if (to >= 0) opening.lastIndex = to + 1;
  }
  return found;
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** Visual Basic and its kin put line ends between strings by name. */
const LINE_ENDS = String.raw`(?:(?:vb(?:CrLf|NewLine|Lf)|Environment\.NewLine|System\.lineSeparator\(\))\s*[+.&]\s*)*`;
const BETWEEN = new RegExp(
  String.raw`^.\s*(?:[+.\\&_]\s*${LINE_ENDS})?(?:[bBrucL]?["'\`“‘„])$`,
  's',
);
const MAX_CHARS_BETWEEN = 80;

/** The strings of a chain, joined, with the line ends between them. */
function joinedText(text: string, chain: readonly Place[]): string {
  return chain
    .map(({from, to}, i) => {
      const between = i === 0 ? '' : text.slice(chain[i - 1]!.to, from);
      return (/[A-Za-z]{4}/.test(between) ? '\n' : '') + text.slice(from, to);
    })
    .join('');
}

function chains(text: string, quoted: readonly Place[]): Place[][] {
  const found: Place[][] = [];
  for (const place of quoted) {
    const chain = found.at(-1);
    const between = chain ? text.slice(chain.at(-1)!.to, place.from) : '';
    if (chain && between.length <= MAX_CHARS_BETWEEN && BETWEEN.test(between)) chain.push(place);
    else found.push([place]);
  }
  return found.filter(({length}) => length > 1);
}
