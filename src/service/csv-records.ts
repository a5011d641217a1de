/** A record of a CSV text, or what is wrong with it. */
export type CsvRecord =
  | {readonly line: number; readonly fields: readonly string[]}
  | {readonly line: number; readonly fault: string};

/** No quoted field is longer: an unclosed quote must not swallow the rest of the text. */
const LONGEST = 4096;

/**
 * The records of a CSV text by RFC 4180, with LF for CRLF accepted and empty lines left out. `line`
 * counts from 1. After a record at fault the reading goes on with the next line.
 */
export function* csvRecords(text: string): Generator<CsvRecord> {
  let line = 1;
  for (let start = 0; start < text.length; ) {
    const {end, ...record} = readRecord(text, start);
    if (end - start > 2 || text.slice(start, end).trim() !== '') yield {line, ...record};
    line += text.slice(start, end).split('\n').length - 1;
    start = end;
  }
}

type Read = ({readonly fields: string[]} | {readonly fault: string}) & {readonly end: number};

function readRecord(text: string, start: number): Read {
  const fields: string[] = [];
  let at = start;
  for (;;) {
    const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    if (field === undefined) return faulty(text, start, 'a quote is not closed');
    fields.push(field.value);
    const next = match(/,|\r?\n|$/y, text, field.end);
    if (next === undefined) return faulty(text, start, misplaced(text, at, field.end));
    at = field.end + next.length;
    if (next !== ',') return {fields, end: at};
  }
}

function readPlain(text: string, start: number) {
  const value = match(/[^",\r\n]*/y, text, start) ?? '';
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

function misplaced(text: string, start: number, end: number): string {
  if (text[start] === '"') return 'expected a comma after the closing quote';
  return text[end] === '"' ? 'a quote inside a field without quotes' : 'a bare carriage return';
}

function faulty(text: string, start: number, fault: string): Read {
  const end = text.indexOf('\n', start);
  return {fault, end: end < 0 ? text.length : end + 1};
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
