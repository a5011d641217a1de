import {OPERATION_BY_PATH} from '../../contract/operation.js';
import {isJsonObject} from '../../contract/parse-json.js';
import {base64Of, bytesFromLatin1, bytesFromUtf16, hexOf, utf8Of} from '../../platform/bytes.js';
import {byteVariants, type MistakeRow, type Variant, variantsOf} from '../partner/variant.js';
import {percentDecoded} from './unknown-username.js';

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

/**
 * The targets that a caller may have signed instead of the one that was sent; the first is the
 * right one. `host` is the Host header, if it is known.
 */
export function targetVariants(target: string, host = ''): readonly Variant<string>[] {
  const [path = ''] = target.split('?', 1);
  const query = target.slice(path.length + 1);
  const last = path.split('/').at(-1) ?? '';
  const encoded = encodeURIComponent(target);
  const mistakes = variantsOf([
    target.startsWith('/api/v1/')
      ? ['the path was signed without its version', target.replace('/v1/', '/')]
      : ['the path was signed with a version', target.replace('/api/', '/api/v1/')],
    ['the path was signed without /api', target.replace(/^\/api(?=\/)/, '')],
    ['the path was signed without /api/v1', target.replace(/^\/api\/v1(?=\/)/, '')],
    ['the path was signed without its query', path],
    ['the path was signed with "?" and an empty query', `${path}?`],
    ['the path was signed with its query sorted', `${path}?${query.split('&').sort().join('&')}`],
    ['the path was signed percent-decoded', percentDecoded(target.replaceAll('+', ' '))],
    ['the path was signed with a trailing slash', `${path}/`],
    ['the path was signed without its trailing slash', path.replace(/\/$/, '')],
    ['the path was signed without its first slash', target.slice(1)],
    ['the path was signed with two slashes at its start', `/${target}`],
    ['the path was signed in lower case', target.toLowerCase()],
    ['the path was signed in upper case', target.toUpperCase()],
    ['the path was signed percent-encoded', encoded, encoded.toLowerCase()],
    ['an empty path was signed', ''],
    ['only / was signed instead of the path', '/'],
    ['only the last part of the path was signed', last, `/${last}`],
    ['the path of another operation was signed', ...OPERATION_BY_PATH.keys()],
    ['the path was signed with protocol or host before it', ...urlsOf(target, host)],
  ]);
  return [{value: target}, ...mistakes];
}

function urlsOf(target: string, host: string): readonly string[] {
  const name = host.replace(/:\d*$/, '');
  const port = host.slice(name.length);
  const loopback = ['localhost', '127.0.0.1'].flatMap((each) => [each, each + port]);
  const hosts = new Set([host, name, ...loopback]);
  return [...hosts].flatMap((each) =>
    ['http://', 'https://', '//', ''].map((scheme) => `${scheme}${each}${target}`),
  );
}

/** The clock was read once for the header and once for the signature. */
const MAX_DRIFT_SECONDS = 10;
const HALF_HOUR_SECONDS = 1800;
const MAX_ZONE_HALF_HOURS = 28;

const IN_MILLISECONDS = 'the timestamp was signed in milliseconds';

/** The timestamps that a caller may have signed instead of the one in the header. */
export function timestampVariants(timestamp: string): readonly Variant<string>[] {
  const shifted = (distance: number, unit: string, seconds: number): MistakeRow<string> => {
    const where = `${Math.abs(distance)} ${unit} ${distance > 0 ? 'after' : 'before'}`;
    const mistake = `the signed timestamp is ${where} the one in the header`;
    return [mistake, String(Number(timestamp) + seconds)];
  };
  const mistakes = variantsOf([
    [IN_MILLISECONDS, `${timestamp}000`],
    ['the timestamp was signed in seconds, but sent in milliseconds', timestamp.slice(0, -3)],
    ['the timestamp was signed in quotes', `"${timestamp}"`],
    ['the timestamp was signed with decimals', `${timestamp}.0`],
    ['the timestamp was signed as a date', ...datesOf(Number(timestamp))],
    ...steps(MAX_DRIFT_SECONDS).map((seconds) => shifted(seconds, 's', seconds)),
    ...steps(MAX_ZONE_HALF_HOURS).map((half) => shifted(half / 2, 'h', half * HALF_HOUR_SECONDS)),
    // The header has whole seconds of a clock that has milliseconds.
    [IN_MILLISECONDS, ...thousandths().map((digits) => timestamp + digits)],
  ]);
  return [{value: timestamp}, ...mistakes];
}

function thousandths(): readonly string[] {
  return Array.from({length: 999}, (_, i) => String(i + 1).padStart(3, '0'));
}

function datesOf(seconds: number): readonly string[] {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return [];
  const iso = date.toISOString();
  return [iso, iso.replace('.000Z', 'Z'), iso.replace('.000Z', '+00:00'), date.toUTCString()];
}

/** 1, -1, 2, -2 and so on. */
function steps(max: number): readonly number[] {
  return Array.from({length: max}, (_, i) => [i + 1, -i - 1]).flat();
}
