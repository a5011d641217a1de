import {CsvError, parse} from 'csv-parse/sync';

/** A record of a CSV text, or what is wrong with it. */
export type CsvRecord =
  | {readonly line: number; readonly fields: readonly string[]}
  | {readonly line: number; readonly fault: string};

/** No record is longer: an unclosed quote must not swallow the rest of the text. */
const MAX_RECORD_CHARS = 4096;

/** Field separators: spreadsheets write the one that is customary in their locale. */
export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

const NAMES: Readonly<Record<Separator, string>> = {',': 'comma', ';': 'semicolon', '\t': 'tab'};

/**
 * The records of a CSV text by RFC 4180, with LF for CRLF accepted. Lines of nothing but spaces and
 * separators are left out: spreadsheets write them for rows that were emptied. `line` counts from
 * 1. After a record at fault the next line is read.
 */
export function* csvRecords(text: string, separator: Separator = ','): Generator<CsvRecord> {
  const bytes = Buffer.from(text);
  let line = 1;
  for (let at = 0; at < bytes.length; ) {
    const {records, end, lines, fault} = readWhole(bytes.subarray(at), separator);
    for (const record of records) yield {...record, line: line + record.line};
    if (fault === undefined) return;
    yield {line: line + lines, fault};
    const next = bytes.indexOf('\n', at + end) + 1;
    at = next === 0 ? bytes.length : next;
    line += lines + 1;
  }
}

/** The records up to the first that cannot be read; lines count from 0, `end` and `lines` are theirs. */
function readWhole(bytes: Buffer, separator: Separator) {
  const records: CsvRecord[] = [];
  let [end, lines] = [0, 0];
  const take = (fields: readonly string[], next: number) => {
    const raw = bytes.toString('latin1', end, next);
    const isQuoted = raw.includes('"');
    if (!isQuoted && /\r(?!\n)/.test(raw)) records.push({line: lines, fault: BARE_RETURN});
    else if (isQuoted || fields.some((field) => field.trim() !== ''))
      records.push({line: lines, fields});
    lines += raw.split('\n').length - 1;
    end = next;
  };
  try {
    parse(bytes, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      max_record_size: MAX_RECORD_CHARS,
      on_record: (fields: string[], info) => void take(fields, info.bytes),
    });
    return {records, end, lines};
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {records, end, lines, fault: faultText(error, separator)};
  }
}

const BARE_RETURN = 'a bare carriage return';

function faultText({code}: CsvError, separator: Separator): string {
  if (code === 'INVALID_OPENING_QUOTE') return 'quote inside an unquoted field';
  if (code === 'CSV_INVALID_CLOSING_QUOTE')
    return `expected a ${NAMES[separator]} after the closing quote`;
  return 'unterminated quoted field';
}
