import {isJsonObject} from '../../contract/parse-json.js';
import {
  base64Of,
  bytesFromLatin1,
  bytesFromUtf8,
  bytesFromUtf16,
  hexOf,
  utf8Of,
} from '../../platform/bytes.js';
import type {Variant} from '../partner/signing-keys.js';

/**
 * The bodies that a caller may have hashed instead of the one that came in; the first is the right
 * one. Variants that do not differ from it are left out by the search.
 */
export function bodyVariants(body: Uint8Array): readonly Variant<Uint8Array>[] {
  const text = utf8Of(body);
  return [
    {value: body},
    variant('the body was trimmed before it was hashed', text.trim()),
    variant('the body was hashed without its trailing newline', text.replace(/\r?\n$/, '')),
    variant('a line feed was hashed after the body', `${text}\n`),
    variant('CR LF was hashed after the body', `${text}\r\n`),
    variant('the body was hashed with LF instead of CR LF', text.replaceAll('\r\n', '\n')),
    variant('the body was hashed with CR LF instead of LF', text.replace(/\r?\n/g, '\r\n')),
    variant('the body was hashed without its byte order mark', text.replace(/^\ufeff/, '')),
    variant('a byte order mark was hashed before the body', `\ufeff${text}`),
    variant('an empty body was hashed', ''),
    variant('{} was hashed instead of the body', '{}'),
    ...ofJson(text),
    variant('the body was hashed as Latin-1 instead of UTF-8', bytesFromLatin1(text)),
    variant('the body was hashed as UTF-16 instead of UTF-8', bytesFromUtf16(text)),
    variant('the base64 of the body was hashed', base64Of(body)),
    variant('the hex of the body was hashed', hexOf(body)),
    variant('the body was percent-encoded before it was hashed', encodeURIComponent(text)),
  ];
}

function variant(mistake: string, value: string | Uint8Array): Variant<Uint8Array> {
  return {mistake, value: typeof value === 'string' ? bytesFromUtf8(value) : value};
}

function ofJson(text: string): readonly Variant<Uint8Array>[] {
  const value = jsonOf(text);
  if (value === undefined) return [];
  const again = 'the body was serialised again before it was hashed';
  const written = writtenBodies(value);
  return [
    ...[...written, ...written.map((json) => `${json}\n`)].map((json) => variant(again, json)),
    ...written.map((json) => variant(again, json.replaceAll('\n', '\r\n'))),
    variant('the body was hashed as a JSON string', JSON.stringify(text)),
    ...ofMembers(value),
  ];
}

function ofMembers(value: unknown): readonly Variant<Uint8Array>[] {
  if (!isJsonObject(value)) return [];
  const {partnerId: _, partnerKey: _key, ...rest} = value;
  const pairs = Object.entries(value).map(([name, member]): [string, string] => [
    name,
    `${member}`,
  ]);
  return [
    ...[JSON.stringify(rest), spacedJson(rest)].map((json) =>
      variant('the body was hashed without its credentials', json),
    ),
    variant('the body was hashed as a form', new URLSearchParams(pairs).toString()),
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
    JSON.stringify(value, undefined, 2),
    JSON.stringify(value, undefined, 4),
    JSON.stringify(value, undefined, '\t'),
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
