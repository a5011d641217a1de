import {createHash} from 'node:crypto';
import {SHARED_KEY_ENCODINGS, type SharedKeyEncoding} from '../../contract/auth-method.js';
import type {Secret} from '../../contract/secret.js';
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

const TAKEN_AS: Readonly<Record<SharedKeyEncoding, string>> = {
  utf8: 'was used as text',
  hex: 'was decoded from hex',
  base64: 'was decoded from base64',
};

/** The bytes of the HMAC key of a partner, then of the keys that callers sign with by mistake. */
export function signingKeysOf(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {sharedKey, encoding = 'utf8'} = record;
  if (!sharedKey) return [];
  const text = textOf(sharedKey);
  const others = SHARED_KEY_ENCODINGS.filter((other) => other !== encoding);
  return [
    ...encoded(undefined, text, encoding),
    ...others.flatMap((other) => encoded(`the shared key ${TAKEN_AS[other]}`, text, other)),
    ...otherKeys(record),
    ...miswritten('the shared key', text),
    named('an empty key was signed with', new Uint8Array()),
  ];
}

/** The partnerKey as bytes, then what callers send or hash in its place by mistake. */
export function passwordsOf(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {partnerKey, sharedKey} = record;
  if (!partnerKey) return [];
  const text = textOf(partnerKey);
  return [
    {value: Buffer.from(text)},
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
  const digest = (algorithm: string) => createHash(algorithm).update(text);
  return [
    named(`a line feed was included in ${name}`, `${text}\n`),
    named(`a line end (CR LF) was included in ${name}`, `${text}\r\n`),
    as('was used in upper case', text.toUpperCase()),
    as('was used in lower case', text.toLowerCase()),
    as('was used trimmed', text.trim()),
    as('was encoded in base64', Buffer.from(text).toString('base64')),
    as('was hashed with SHA-256', digest('sha256').digest()),
    as('was hashed with SHA-256', digest('sha256').digest('hex')),
    named(`a space was included in ${name}`, `${text} `),
    named(`a space was included in ${name}`, ` ${text}`),
    named(`quotes were included in ${name}`, `"${text}"`),
    named(`quotes were included in ${name}`, `'${text}'`),
    named(`a byte order mark was included in ${name}`, `\ufeff${text}`),
    as('was encoded in base64', Buffer.from(text).toString('base64').replace(/=+$/, '')),
    as('was encoded in hex', Buffer.from(text).toString('hex')),
    as('was encoded in hex', Buffer.from(text).toString('hex').toUpperCase()),
    as('was percent-encoded', encodeURIComponent(text)),
    as('was encoded in UTF-16', Buffer.from(text, 'utf16le')),
    as('was hashed with SHA-1', digest('sha1').digest('hex')),
    as('was hashed with SHA-512', digest('sha512').digest('hex')),
    as('was hashed with MD5', digest('md5').digest()),
    as('was hashed with MD5', digest('md5').digest('hex')),
    ...[16, 24, 32].map((length) => as(`was cut to ${length} characters`, text.slice(0, length))),
    ...[8, 16].map((length) => as(`was cut by ${length} characters`, text.slice(0, -length))),
    as('was used without its first character', text.slice(1)),
    as('was used without its last character', text.slice(0, -1)),
  ];
}

/** The keys of other methods. */
function otherKeys({partnerId, partnerKey}: KeyRecord): readonly Variant<Uint8Array>[] {
  const instead = (what: string) => `${what} was signed with instead of the shared key`;
  const identity = named(instead('the partnerId'), partnerId);
  if (!partnerKey) return [identity];
  const text = textOf(partnerKey);
  const pair = `${partnerId}:${text}`;
  return [
    named(instead('the partnerKey'), text),
    ...encoded(instead('the partnerKey, decoded from hex,'), text, 'hex'),
    ...encoded(instead('the partnerKey, decoded from base64,'), text, 'base64'),
    named(instead('partnerId:partnerKey'), pair),
    named(instead('the token of Basic'), Buffer.from(pair).toString('base64')),
    identity,
  ];
}

function encoded(
  mistake: string | undefined,
  text: string,
  encoding: SharedKeyEncoding,
): Variant<Uint8Array>[] {
  const value = decodeSharedKey(Buffer.from(text), encoding);
  return value ? [{...(mistake !== undefined && {mistake}), value}] : [];
}

function named(mistake: string, value: string | Uint8Array): Variant<Uint8Array> {
  return {mistake, value: typeof value === 'string' ? Buffer.from(value) : value};
}

function textOf(secret: Secret): string {
  return Buffer.from(secret.reveal()).toString('utf8');
}
