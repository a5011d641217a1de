import {base64Of, bytesFromUtf8} from '../../platform/bytes.js';
import type {Credentials} from '../authorization-header.js';
import {decodeBase64} from '../partner/shared-key.js';
import {refuse, type Verdict, type VerifyContext} from '../verdict.js';
import {verifyKey} from './transparent.js';

/** The Authorization header of Basic: `Basic base64(partnerId ":" partnerKey)`, UTF-8 (RFC 7617). */
export function signBasic(partnerId: string, partnerKey: string): string {
  return `Basic ${base64Of(bytesFromUtf8(`${partnerId}:${partnerKey}`))}`;
}

/** Checks Basic credentials: strict base64 of UTF-8 without control characters. */
export function verifyBasic(credentials: Credentials, context: VerifyContext): Verdict {
  const pair = credentials.token68 === undefined ? undefined : readPair(credentials.token68);
  return pair ? verifyKey(pair[0], pair[1], 'basic', context) : refuse('malformed');
}

/** User id and key of a Basic token, split at the first colon; undefined when malformed. */
export function readPair(token: string): [string, string] | undefined {
  const bytes = decodeBase64(token);
  const text = bytes && decodeUtf8(bytes);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1 || /\p{Cc}/u.test(text)) return undefined;
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    return undefined;
  }
}
