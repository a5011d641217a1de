/** A record of a CSV text, or what is wrong with it. */
export type CsvRecord =
  | {readonly line: number; readonly fields: readonly string[]}
  | {readonly line: number; readonly fault: string};

/** No quoted field is longer: an unclosed quote must not swallow the rest of the text. */
const LONGEST = 4096;

/** Field separators: spreadsheets write the one that is customary in their locale. */
export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/**
 * The records of a CSV text by RFC 4180, with LF for CRLF accepted. Lines of nothing but spaces and
 * separators are left out: spreadsheets write them for rows that were emptied. `line` counts from
 * 1. After a record at fault the reading goes on with the next line.
 */
export function* csvRecords(text: string, separator: Separator = ','): Generator<CsvRecord> {
  const grammar = GRAMMARS[separator];
  let line = 1;
  for (let start = 0; start < text.length; ) {
    const {end, ...record} = readRecord(text, start, grammar);
    if (match(grammar.blank, text, start) === undefined) yield {line, ...record};
    line += text.slice(start, end).split('\n').length - 1;
    start = end;
  }
}

interface Grammar {
  readonly name: string;
  readonly separator: Separator;
  /** A field without quotes. */
  readonly plain: RegExp;
  /** Characters that end a field. */
  readonly next: RegExp;
  /** A line without a field that holds anything. */
  readonly blank: RegExp;
}

const GRAMMARS: Readonly<Record<Separator, Grammar>> = {
  ',': grammarOf('comma', ','),
  ';': grammarOf('semicolon', ';'),
  '\t': grammarOf('tab', '\t'),
};

function grammarOf(name: string, separator: Separator): Grammar {
  return {
    name,
    separator,
    plain: new RegExp(`[^"${separator}\\r\\n]*`, 'y'),
    next: new RegExp(`${separator}|\\r?\\n|$`, 'y'),
    blank: new RegExp(`(?:(?![\\r\\n])[\\s${separator}])*(?:\\r?\\n|$)`, 'y'),
  };
}

type Read = ({readonly fields: string[]} | {readonly fault: string}) & {readonly end: number};

function readRecord(text: string, start: number, grammar: Grammar): Read {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, grammar);
    if (field === undefined) return faulty(text, start, 'unterminated quoted field');
    fields.push(field.value);
    const next = match(grammar.next, text, field.end);
    if (next === undefined) return faulty(text, start, misplaced(text, at, field.end, grammar));
    at = field.end + next.length;
    if (next !== grammar.separator) return {fields, end: at};
  }
}

function readPlain(text: string, start: number, {plain}: Grammar) {
  const value = match(plain, text, start) ?? '';
  return {value, end: start + value.length};
}

/** Undefined when its end is not found. */
function readQuoted(text: string, start: number) {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote - start > LONGEST) return undefined;
    if (text[quote + 1] !== '"') {
      return {value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1};
    }
    at = quote + 2;
  }
}

function misplaced(text: string, start: number, end: number, {name}: Grammar): string {
  if (text[start] === '"') return `expected a ${name} after the closing quote`;
  return text[end] === '"' ? 'quote inside an unquoted field' : 'a bare carriage return';
}

function faulty(text: string, start: number, fault: string): Read {
  const end = text.indexOf('\n', start);
  return {fault, end: end < 0 ? text.length : end + 1};
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
