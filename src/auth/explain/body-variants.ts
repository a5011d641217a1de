import {isJsonObject} from '../../contract/parse-json.js';
import {base64Of, bytesFromLatin1, bytesFromUtf16, hexOf, utf8Of} from '../../platform/bytes.js';
import {byteVariants, type MistakeRow, type Variant} from '../partner/variant.js';

type BodyRow = MistakeRow<string | Uint8Array>;

/**
 * The bodies that a caller may have hashed instead of the one that came in; the first is the right
 * one. Variants that do not differ from it are left out by the search.
 */
export function bodyVariants(body: Uint8Array): readonly Variant<Uint8Array>[] {
  const text = utf8Of(body);
  const rows: readonly BodyRow[] = [
    ['the body was trimmed before it was hashed', text.trim()],
    ['the body was hashed without its trailing newline', text.replace(/\r?\n$/, '')],
    ['a line feed was hashed after the body', `${text}\n`],
    ['CR LF was hashed after the body', `${text}\r\n`],
    ['the body was hashed with LF instead of CR LF', text.replaceAll('\r\n', '\n')],
    ['the body was hashed with CR LF instead of LF', text.replace(/\r?\n/g, '\r\n')],
    ['the body was hashed without its byte order mark', text.replace(/^\ufeff/, '')],
    ['a byte order mark was hashed before the body', `\ufeff${text}`],
    ['an empty body was hashed', ''],
    ['{} was hashed instead of the body', '{}'],
    ...jsonRows(text),
    ['the body was hashed as Latin-1 instead of UTF-8', bytesFromLatin1(text)],
    ['the body was hashed as UTF-16 instead of UTF-8', bytesFromUtf16(text)],
    ['the base64 of the body was hashed', base64Of(body)],
    ['the hex of the body was hashed', hexOf(body)],
    ['the body was percent-encoded before it was hashed', encodeURIComponent(text)],
  ];
  return [{value: body}, ...byteVariants(rows)];
}

function jsonRows(text: string): readonly BodyRow[] {
  const value = jsonOf(text);
  if (value === undefined) return [];
  const written = writtenBodies(value);
  const lines = ['', '\n'].flatMap((end) => written.map((json) => json + end));
  const crlf = written.map((json) => json.replaceAll('\n', '\r\n'));
  return [
    ['the body was serialised again before it was hashed', ...lines, ...crlf],
    ['the body was hashed as a JSON string', JSON.stringify(text)],
    ...memberRows(value),
  ];
}

function memberRows(value: unknown): readonly BodyRow[] {
  if (!isJsonObject(value)) return [];
  const {partnerId: _, partnerKey: _key, ...rest} = value;
  const pairs = Object.entries(value).map(([name, member]): [string, string] => [
    name,
    `${member}`,
  ]);
  return [
    ['the body was hashed without its credentials', JSON.stringify(rest), spacedJson(rest)],
    ['the body was hashed as a form', new URLSearchParams(pairs).toString()],
  ];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** As the serialisers of common languages write the same value. */
function writtenBodies(value: unknown): readonly string[] {
  const compact = JSON.stringify(value);
  const spaced = spacedJson(value);
  return [
    compact,
    spaced,
    ...[2, 4, '\t'].map((indent) => JSON.stringify(value, undefined, indent)),
    JSON.stringify(sorted(value)),
    spacedJson(sorted(value)),
    compact.replaceAll('/', '\\/'),
    escaped(compact),
    escaped(compact).replaceAll('/', '\\/'),
    escaped(spaced),
    escaped(spacedJson(sorted(value))),
  ];
}

/** As Python writes it: a space after each colon and comma. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/\n */g, (_, at, whole) =>
    whole[at - 1] === ',' ? ' ' : '',
  );
}

function sorted(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function escaped(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
