import {SHARED_KEY_ENCODINGS, type SharedKeyEncoding} from '../../contract/auth-method.js';
import type {Secret} from '../../contract/secret.js';
import {
  base64Of,
  bytesFromUtf8,
  bytesFromUtf16,
  bytesOfHex,
  hexOf,
  upperHexOf,
  utf8Of,
} from '../../platform/bytes.js';
import {hashHex, md5Hex, sha256, sha256Hex} from '../../platform/hash.js';
import {decodeSharedKey} from './shared-key.js';

/** One way to do a step of signing; the right one has no `mistake`. */
export interface Variant<T> {
  readonly mistake?: string;
  readonly value: T;
}

interface KeyRecord {
  readonly partnerId: string;
  readonly partnerKey?: Secret | undefined;
  readonly sharedKey?: Secret | undefined;
  readonly encoding?: SharedKeyEncoding | undefined;
}

const MISREAD_AS: Readonly<Record<SharedKeyEncoding, string>> = {
  utf8: 'was used as text',
  hex: 'was decoded from hex',
  base64: 'was decoded from base64',
};

/** The bytes of the HMAC key of a partner, then of the keys that callers sign with by mistake. */
export function signingKeysOf(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {sharedKey, encoding = 'utf8'} = record;
  if (!sharedKey) return [];
  const text = keyText(sharedKey);
  const others = SHARED_KEY_ENCODINGS.filter((other) => other !== encoding);
  return [
    ...encoded(undefined, text, encoding),
    ...others.flatMap((other) => encoded(`the shared key ${MISREAD_AS[other]}`, text, other)),
    ...otherKeys(record),
    ...miswritten('the shared key', text),
    named('an empty key was signed with', new Uint8Array()),
  ];
}

/** The partnerKey as bytes, then what callers send or hash in its place by mistake. */
export function passwordsOf(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {partnerKey, sharedKey} = record;
  if (!partnerKey) return [];
  const text = keyText(partnerKey);
  return [
    {value: bytesFromUtf8(text)},
    ...(sharedKey
      ? [named('the shared key was used instead of the partnerKey', sharedKey.reveal())]
      : []),
    ...miswritten('the partnerKey', text),
    ...encoded('the partnerKey was decoded from hex', text, 'hex'),
    ...encoded('the partnerKey was decoded from base64', text, 'base64'),
  ];
}

/** How a key that was copied from somewhere comes out wrong. */
function miswritten(name: string, text: string): readonly Variant<Uint8Array>[] {
  const as = (mistake: string, value: string | Uint8Array) => named(`${name} ${mistake}`, value);
  return [
    named(`a line feed was included in ${name}`, `${text}\n`),
    named(`a line ending (CR LF) was included in ${name}`, `${text}\r\n`),
    as('was used in upper case', text.toUpperCase()),
    as('was used in lower case', text.toLowerCase()),
    as('was used trimmed', text.trim()),
    as('was encoded in base64', base64Of(bytesFromUtf8(text))),
    as('was hashed with SHA-256', sha256(text)),
    as('was hashed with SHA-256', sha256Hex(text)),
    named(`a space was included in ${name}`, `${text} `),
    named(`a space was included in ${name}`, ` ${text}`),
    named(`quotes were included in ${name}`, `"${text}"`),
    named(`quotes were included in ${name}`, `'${text}'`),
    named(`a byte order mark was included in ${name}`, `\ufeff${text}`),
    as('was encoded in base64', base64Of(bytesFromUtf8(text)).replace(/=+$/, '')),
    as('was encoded in hex', hexOf(bytesFromUtf8(text))),
    as('was encoded in hex', upperHexOf(bytesFromUtf8(text))),
    as('was percent-encoded', encodeURIComponent(text)),
    as('was encoded in UTF-16', bytesFromUtf16(text)),
    as('was hashed with SHA-256', sha256Hex(text).toUpperCase()),
    as('was hashed with SHA-256', base64Of(sha256(text))),
    as('was hashed with SHA-1', hashHex('sha1', text)),
    as('was hashed with SHA-512', hashHex('sha512', text)),
    as('was hashed with MD5', bytesOfHex(md5Hex(text))),
    as('was hashed with MD5', md5Hex(text)),
    ...[16, 24, 32].map((length) => as(`was cut to ${length} characters`, text.slice(0, length))),
    ...[8, 16].map((length) => as(`was cut by ${length} characters`, text.slice(0, -length))),
    as('was used without its first character', text.slice(1)),
    as('was used without its last character', text.slice(0, -1)),
  ];
}

/** The keys of other methods. */
function otherKeys(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {partnerId, partnerKey, sharedKey} = record;
  const instead = (what: string) => `${what} was signed with instead of the shared key`;
  const identity = named(instead('the partnerId'), partnerId);
  if (!partnerKey) return [identity];
  const text = keyText(partnerKey);
  const pair = `${partnerId}:${text}`;
  return [
    named(instead('the partnerKey'), text),
    ...encoded(instead('the partnerKey, decoded from hex,'), text, 'hex'),
    ...encoded(instead('the partnerKey, decoded from base64,'), text, 'base64'),
    named(instead('partnerId:partnerKey'), pair),
    named(instead('the token of Basic'), base64Of(bytesFromUtf8(pair))),
    identity,
    named(instead('the partnerKey, hashed with SHA-256,'), sha256Hex(text)),
    named(instead('the partnerKey, hashed with SHA-256,'), sha256(text)),
    ...together(text, sharedKey ? keyText(sharedKey) : ''),
  ];
}

function together(partnerKey: string, sharedKey: string): readonly Variant<Uint8Array>[] {
  const pairs = ['', ':'].flatMap((mark) => [
    `${sharedKey}${mark}${partnerKey}`,
    `${partnerKey}${mark}${sharedKey}`,
  ]);
  return pairs.map((pair) =>
    named('partnerKey and shared key were used together as the key', pair),
  );
}

function encoded(
  mistake: string | undefined,
  text: string,
  encoding: SharedKeyEncoding,
): Variant<Uint8Array>[] {
  const value = decodeSharedKey(bytesFromUtf8(text), encoding);
  return value ? [{...(mistake !== undefined && {mistake}), value}] : [];
}

function named(mistake: string, value: string | Uint8Array): Variant<Uint8Array> {
  return {mistake, value: typeof value === 'string' ? bytesFromUtf8(value) : value};
}

function keyText(secret: Secret): string {
  return utf8Of(secret.reveal());
}
