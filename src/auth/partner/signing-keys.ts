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
import {withoutEnd} from '../../platform/without-end.js';
import {decodeSharedKey} from './shared-key.js';
import {byteVariants, type MistakeRow, type Variant} from './variant.js';

interface KeyRecord {
  readonly partnerId: string;
  readonly partnerKey?: Secret | undefined;
  readonly sharedKey?: Secret | undefined;
  readonly encoding?: SharedKeyEncoding | undefined;
}

type KeyRow = MistakeRow<string | Uint8Array>;

const MISREAD_AS: Readonly<Record<SharedKeyEncoding, string>> = {
  utf8: 'was used as text',
  hex: 'was decoded from hex',
  base64: 'was decoded from base64',
};

/** The bytes of the HMAC key of a partner, then of the keys that callers sign with by mistake. */
export function signingKeysOf(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {sharedKey, encoding = 'utf8'} = record;
  if (!sharedKey) return [];
  const text = utf8Of(sharedKey.reveal());
  const key = decodeSharedKey(sharedKey.reveal(), encoding);
  const others = SHARED_KEY_ENCODINGS.filter((other) => other !== encoding);
  return [
    ...(key ? [{value: key}] : []),
    ...byteVariants([
      ...others.map((other) => decoded(`the shared key ${MISREAD_AS[other]}`, text, other)),
      ...otherKeys(record, text),
      ...miscopied('the shared key', text),
      ['an empty key was signed with', ''],
    ]),
  ];
}

/** The partnerKey as bytes, then what callers send or hash in its place by mistake. */
export function passwordsOf(record: KeyRecord): readonly Variant<Uint8Array>[] {
  const {partnerKey, sharedKey} = record;
  if (!partnerKey) return [];
  const text = utf8Of(partnerKey.reveal());
  const shared = sharedKey ? [sharedKey.reveal()] : [];
  return [
    {value: bytesFromUtf8(text)},
    ...byteVariants([
      ['the shared key was used instead of the partnerKey', ...shared],
      ...miscopied('the partnerKey', text),
      decoded('the partnerKey was decoded from hex', text, 'hex'),
      decoded('the partnerKey was decoded from base64', text, 'base64'),
    ]),
  ];
}

/** How a key that was copied from somewhere comes out wrong. */
function miscopied(name: string, text: string): readonly KeyRow[] {
  const bytes = bytesFromUtf8(text);
  return [
    [`a line feed was included in ${name}`, `${text}\n`],
    [`a line ending (CR LF) was included in ${name}`, `${text}\r\n`],
    [`${name} was used in upper case`, text.toUpperCase()],
    [`${name} was used in lower case`, text.toLowerCase()],
    [`${name} was used trimmed`, text.trim()],
    [`${name} was encoded in base64`, base64Of(bytes)],
    [`${name} was hashed with SHA-256`, sha256(text), sha256Hex(text)],
    [`a space was included in ${name}`, `${text} `, ` ${text}`],
    [`quotes were included in ${name}`, `"${text}"`, `'${text}'`],
    [`a byte order mark was included in ${name}`, `\ufeff${text}`],
    [`${name} was encoded in base64`, withoutEnd(base64Of(bytes), /=/)],
    [`${name} was encoded in hex`, hexOf(bytes), upperHexOf(bytes)],
    [`${name} was percent-encoded`, encodeURIComponent(text)],
    [`${name} was encoded in UTF-16`, bytesFromUtf16(text)],
    [`${name} was hashed with SHA-256`, sha256Hex(text).toUpperCase(), base64Of(sha256(text))],
    [`${name} was hashed with SHA-1`, hashHex('sha1', text)],
    [`${name} was hashed with SHA-512`, hashHex('sha512', text)],
    [`${name} was hashed with MD5`, bytesOfHex(md5Hex(text)), md5Hex(text)],
    ...[16, 24, 32].map(
      (length): KeyRow => [`${name} was cut to ${length} characters`, text.slice(0, length)],
    ),
    ...[8, 16].map(
      (length): KeyRow => [`${name} was cut by ${length} characters`, text.slice(0, -length)],
    ),
    [`${name} was used without its first character`, text.slice(1)],
    [`${name} was used without its last character`, text.slice(0, -1)],
  ];
}

/** The keys of other methods. */
function otherKeys({partnerId, partnerKey}: KeyRecord, shared: string): readonly KeyRow[] {
  const instead = (what: string) => `${what} was signed with instead of the shared key`;
  if (!partnerKey) return [[instead('the partnerId'), partnerId]];
  const text = utf8Of(partnerKey.reveal());
  const pair = `${partnerId}:${text}`;
  return [
    [instead('the partnerKey'), text],
    decoded(instead('the partnerKey, decoded from hex,'), text, 'hex'),
    decoded(instead('the partnerKey, decoded from base64,'), text, 'base64'),
    [instead('partnerId:partnerKey'), pair],
    [instead('the token of Basic'), base64Of(bytesFromUtf8(pair))],
    [instead('the partnerId'), partnerId],
    [instead('the partnerKey, hashed with SHA-256,'), sha256Hex(text), sha256(text)],
    [
      'partnerKey and shared key were used together as the key',
      ...['', ':'].flatMap((mark) => [shared + mark + text, text + mark + shared]),
    ],
  ];
}

/** No value if the text is not in this encoding. */
function decoded(mistake: string, text: string, encoding: SharedKeyEncoding): KeyRow {
  const value = decodeSharedKey(bytesFromUtf8(text), encoding);
  return value ? [mistake, value] : [mistake];
}
