import {SHARED_KEY_ENCODINGS, type SharedKeyEncoding} from '../../contract/auth-method.js';
import type {Secret} from '../../contract/secret.js';
import {HmacKey} from './hmac-key.js';
import {decodeSharedKey} from './shared-key.js';

/** One way to do a step of signing; the right one has no `mistake`. */
export interface Variant<T> {
  readonly mistake?: string;
  readonly value: T;
}

interface KeyRecord {
  readonly partnerKey?: Secret | undefined;
  readonly sharedKey?: Secret | undefined;
  readonly encoding?: SharedKeyEncoding | undefined;
}

const TAKEN_AS: Readonly<Record<SharedKeyEncoding, string>> = {
  utf8: 'the shared key was used as text',
  hex: 'the shared key was decoded from hex',
  base64: 'the shared key was decoded from base64',
};

/** The HMAC key of a partner, then the keys that callers sign with by mistake. */
export function signingKeysOf(record: KeyRecord): readonly Variant<HmacKey>[] {
  const {partnerKey, sharedKey, encoding = 'utf8'} = record;
  if (!sharedKey) return [];
  const text = Buffer.from(sharedKey.reveal()).toString('utf8');
  const others = SHARED_KEY_ENCODINGS.filter((other) => other !== encoding);
  return [
    ...variant(undefined, text, encoding),
    ...others.flatMap((other) => variant(TAKEN_AS[other], text, other)),
    ...variant('a line feed was included in the shared key', `${text}\n`),
    ...variant('the shared key was signed with in upper case', text.toUpperCase()),
    ...variant('the shared key was signed with in lower case', text.toLowerCase()),
    ...variant('the shared key was signed with untrimmed or trimmed', text.trim()),
    ...variant(
      'the partnerKey was signed with instead of the shared key',
      Buffer.from(partnerKey?.reveal() ?? []).toString('utf8'),
    ),
  ];
}

function variant(
  mistake: string | undefined,
  text: string,
  encoding: SharedKeyEncoding = 'utf8',
): Variant<HmacKey>[] {
  const bytes = decodeSharedKey(Buffer.from(text), encoding);
  return bytes ? [{...(mistake !== undefined && {mistake}), value: new HmacKey(bytes)}] : [];
}
