import {randomBytes} from '#platform';
import {signTransparent} from '../auth/methods/transparent.js';
import {chooseChallenge} from '../client/digest-challenge.js';
import {signRequest as headerOf} from '../client/sign-request.js';
import {
  AUTH_METHODS,
  type AuthMethod,
  SHARED_KEY_ENCODINGS,
  type SharedKeyEncoding,
} from '../contract/auth-method.js';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {parseBody} from '../contract/parse-json.js';
import {PaylensError} from '../contract/paylens-error.js';
import {bytesFromUtf8, hexOf} from '../platform/bytes.js';
import {
  bytesOf,
  integerOf,
  listOf,
  type Members,
  membersOf,
  numberOf,
  oneOf,
  required,
  secretText,
  textOf,
  wrong,
} from './arguments.js';
import {safelyLater} from './safe-errors.js';

/** A request of the interface that is to be sent. */
export interface RequestToSign {
  /** The HTTP method; absent: POST. */
  readonly method?: string | undefined;
  /** The whole URL, or the path with its query. */
  readonly url: string;
  /** Exactly what will be sent; text is UTF-8. */
  readonly body?: string | Uint8Array | undefined;
}

/** Who sends a request, and how it is signed. */
export interface SignOptions {
  readonly method: AuthMethod;
  readonly partnerId: string;
  /** For every method but HMAC and RSA. */
  readonly partnerKey?: string | undefined;
  /** For HMAC. */
  readonly sharedKey?: string | undefined;
  /** Encoding of the shared key; absent: UTF-8. */
  readonly encoding?: SharedKeyEncoding | undefined;
  /** For RSA: PKCS #8 or PKCS #1 in PEM form, not encrypted. */
  readonly privateKey?: string | undefined;
  /** 1 to 128 printable ASCII characters; absent: random. */
  readonly nonce?: string | undefined;
  /** Seconds since 1970; absent: now. */
  readonly timestamp?: number | undefined;
  /** For Digest: the values of WWW-Authenticate in the server's answer. */
  readonly challenge?: string | readonly string[] | undefined;
  /** For Digest: how often this challenge is used, with this request; absent: 1. */
  readonly count?: number | undefined;
}

/** What to send. */
export interface SignResult {
  /** The headers to add: Content-Type, and Authorization for every method but transparent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it was signed; for transparent with the members that authenticate it. */
  readonly body: string | Uint8Array;
}

const SIGNED_MEMBERS = ['method', 'url', 'body'];
const SIGN_OPTIONS = [
  ...['method', 'partnerId', 'partnerKey', 'sharedKey', 'encoding', 'privateKey'],
  ...['nonce', 'timestamp', 'challenge', 'count'],
];
/** The server rejects any other type (docs/interface.md#general-rules). */
const JSON_BODY = {'Content-Type': 'application/json'};
const NONCE_BYTES = 16;
const LAST_SECOND = 99_999_999_999;

/**
 * Signs a request by any method of the interface (docs/interface.md#authentication). Rejects with
 * PaylensError: 2005 for a wrong argument, also a partnerId or nonce that cannot be sent and Digest
 * without a challenge, 9015 for a key that is missing or unusable, 2004 for transparent if the body
 * is not a JSON object.
 */
export function signRequest(request: RequestToSign, options: SignOptions): Promise<SignResult> {
  return safelyLater(async () => {
    const {method: verb, url, body} = membersOf(request, 'request', SIGNED_MEMBERS);
    const given = membersOf(options, 'options', SIGN_OPTIONS);
    const method = oneOf(given.method, 'method', AUTH_METHODS);
    const partnerId = required(given.partnerId, 'partnerId');
    if (method === undefined) throw wrong('method', 'a method', undefined);
    const content = bodyOf(body);
    if (method === 'transparent') {
      const key = required(given.partnerKey, 'partnerKey');
      return {headers: JSON_BODY, body: withCredentials(content, partnerId, key)};
    }
    const keys = signingKeys(given);
    const encoding = oneOf(given.encoding, 'encoding', SHARED_KEY_ENCODINGS);
    const signed = {
      method: matching(textOf(verb, 'request.method') ?? 'POST', 'request.method', TOKEN),
      target: matching(required(url, 'request.url'), 'request.url', TARGET),
      body: typeof content === 'string' ? bytesFromUtf8(content) : content,
    };
    try {
      const credentials = {partnerId, encoding, ...keys};
      const authorization = await headerOf(signed, method, credentials, signingTerms(given));
      return {headers: {...JSON_BODY, authorization}, body: content};
    } finally {
      for (const key of Object.values(keys)) key?.wipe();
    }
  }, redactCardNumbers);
}

function signingKeys({partnerKey, sharedKey, privateKey}: Members) {
  return {
    partnerKey: secretText(partnerKey, 'partnerKey'),
    sharedKey: secretText(sharedKey, 'sharedKey'),
    privateKey: secretText(privateKey, 'privateKey'),
  };
}

function signingTerms({nonce, timestamp, challenge, count}: Members) {
  const seconds = numberOf(timestamp, 'timestamp', [0, LAST_SECOND]) ?? Date.now() / 1000;
  return {
    nonce: textOf(nonce, 'nonce') ?? hexOf(randomBytes(NONCE_BYTES)),
    timestamp: Math.floor(seconds),
    challenge: challengeOf(challenge, count),
  };
}

/** A token and a request target (RFC 9110, 5.6.2 and 7.1): neither has spaces or line breaks. */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const TARGET = /^[^\s\p{Cc}]+$/u;

function matching(text: string, name: string, form: RegExp): string {
  if (form.test(text)) return text;
  throw new PaylensError(
    2005,
    `${name}: expected one that HTTP can send: no spaces, no line breaks`,
  );
}

function withCredentials(content: string | Uint8Array, id: string, key: string): string {
  const body = content.length === 0 ? {} : parseBody(content);
  return JSON.stringify({...body, ...signTransparent(id, key)});
}

function challengeOf(value: unknown, count: unknown) {
  const times = integerOf(count, 'count', [1, 0xffff_ffff]) ?? 1;
  const values = listOf(value, 'challenge').map((one, i) => required(one, `challenge[${i}]`));
  if (values.length === 0) return undefined;
  const found = chooseChallenge(values);
  if (!found)
    throw new PaylensError(2005, 'challenge: expected a Digest challenge of this interface');
  return {...found, count: times};
}

/** Far more than the interface takes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The body of a request; text stays text. Throws 2005. */
export function bodyOf(value: unknown): string | Uint8Array {
  if (value === undefined) return '';
  const body =
    typeof value === 'string'
      ? textOf(value, 'request.body', MAX_BODY_BYTES)
      : bytesOf(value, 'request.body');
  if (body !== undefined) return body;
  throw wrong('request.body', 'a string or a Uint8Array', value);
}
