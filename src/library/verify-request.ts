import {randomBytes} from '#platform';
import {authenticate, refusalOf} from '../auth/authenticate.js';
import {challenges, DigestNonces} from '../auth/challenges.js';
import {credentialsInBody} from '../auth/methods/transparent.js';
import {createPartner, methodsWithKey, type Partner} from '../auth/partner/partner.js';
import type {Claim} from '../auth/replay-store.js';
import type {RefusalReason} from '../auth/verdict.js';
import {
  AUTH_METHODS,
  type AuthMethod,
  SHARED_KEY_ENCODINGS,
  type SharedKeyEncoding,
} from '../contract/auth-method.js';
import {redactCardNumbers} from '../contract/masks/redact-card-numbers.js';
import {PaylensError} from '../contract/paylens-error.js';
import {bytesFromUtf8} from '../platform/bytes.js';
import {
  bytesOf,
  entriesOf,
  functionOf,
  guarded,
  isArray,
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
import {bodyOf} from './sign-request.js';

/** A partner, and the keys of the methods that it may use. */
export interface VerifyPartner {
  readonly partnerId: string;
  /** Absent: every method whose key is there. */
  readonly methods?: readonly AuthMethod[] | undefined;
  /** For every method but HMAC and RSA. */
  readonly partnerKey?: string | undefined;
  readonly sharedKey?: string | undefined;
  /** Encoding of the shared key; absent: UTF-8. */
  readonly encoding?: SharedKeyEncoding | undefined;
  /** SPKI in PEM form, 2048 to 8192 bits. */
  readonly rsaPublicKey?: string | undefined;
}

/** A request as it came in. */
export interface RequestToVerify {
  readonly method: string;
  /** The request target as received: path and query, or the absolute form. */
  readonly url: string;
  /** Names in any case; a name with several values as an array. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes of the body as received; text is UTF-8. */
  readonly body?: string | Uint8Array | undefined;
}

/** What requests are checked against. */
export interface VerifyOptions {
  readonly partners: readonly VerifyPartner[];
  /** Milliseconds since 1970; absent: the clock of the runtime. */
  readonly now?: (() => number) | undefined;
  /**
   * Records a nonce of a partner for at least `lifetime` milliseconds, in one step; false if it was
   * recorded before. Absent: repeated requests are not noticed.
   */
  readonly claimNonce?:
    | ((partnerId: string, nonce: string, lifetime: number) => boolean | Promise<boolean>)
    | undefined;
  /** At least 16 secret bytes from which Digest nonces are made; absent: random, new every time. */
  readonly digestSecret?: Uint8Array | undefined;
}

/** Who sent a request, or why it is refused. The reason is for logs: callers learn only 1003. */
export type VerifyResult =
  | {readonly accepted: true; readonly partnerId: string; readonly method: AuthMethod}
  | {
      readonly accepted: false;
      readonly reason: RefusalReason;
      /** The values of WWW-Authenticate for the answer. */
      readonly challenges: readonly string[];
    };

const RECEIVED_MEMBERS = ['method', 'url', 'headers', 'body'];
const VERIFY_OPTIONS = ['partners', 'now', 'claimNonce', 'digestSecret'];
const PARTNER = ['partnerId', 'methods', 'partnerKey', 'sharedKey', 'encoding', 'rsaPublicKey'];
const MIN_SECRET_BYTES = 16;

/**
 * Checks how a request is signed, by any method of the interface, at the same cost for partners
 * that exist and others. Rejects with PaylensError: 2005 for a wrong argument, 9015 for a partner
 * without the key of its method, 2 if `claimNonce` fails.
 */
export function verifyRequest(
  request: RequestToVerify,
  options: VerifyOptions,
): Promise<VerifyResult> {
  return safelyLater(async () => {
    const received = membersOf(request, 'request', RECEIVED_MEMBERS);
    const context = verifyContext(membersOf(options, 'options', VERIFY_OPTIONS));
    const signed = receivedRequest(received);
    try {
      return {accepted: true, ...(await authenticate(signed, context))};
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      const {reason, stale = false} = refusal;
      const nonce = context.digestNonces.issue(context.now());
      return {accepted: false, reason, challenges: challenges({nonce, stale})};
    }
  }, redactCardNumbers);
}

function verifyContext({partners, now, claimNonce, digestSecret}: Members) {
  const known = partnersOf(partners);
  const clock = functionOf(now, 'now') ?? Date.now;
  const claim = functionOf(claimNonce, 'claimNonce') as ClaimNonce | undefined;
  return {
    partners: (id: string) => known.get(id),
    now: () => timeOf(guarded('now', clock, 'it throws an error')),
    digestNonces: new DigestNonces(digestSecretOf(digestSecret), randomBytes),
    replay: {claim: (...nonce: ClaimArguments) => claimWith(claim, nonce)},
  };
}

function receivedRequest({method, url, headers, body}: Members) {
  const content = bodyOf(body);
  const bytes = typeof content === 'string' ? bytesFromUtf8(content) : content;
  return {
    method: required(method, 'request.method'),
    target: required(url, 'request.url'),
    body: bytes,
    authorization: headerValues(headers, 'authorization'),
    credentials: credentialsInBody(bytes),
  };
}

type ClaimArguments = readonly [partnerId: string, nonce: string, lifetime: number];
type ClaimNonce = (...given: ClaimArguments) => unknown;

async function claimWith(claim: ClaimNonce | undefined, nonce: ClaimArguments): Promise<Claim> {
  if (!claim) return 'fresh';
  const isFresh = await claim(...nonce);
  if (typeof isFresh !== 'boolean') throw wrong('claimNonce', 'true or false', isFresh);
  return isFresh ? 'fresh' : 'seen';
}

function partnersOf(value: unknown): ReadonlyMap<string, Partner> {
  if (!isArray(value)) throw wrong('partners', 'an array', value);
  const all = listOf(value, 'partners').map((one, i) => partnerOf(one, `partners[${i}]`));
  const known = new Map(all.map((partner) => [partner.partnerId, partner]));
  if (known.size === all.length) return known;
  throw new PaylensError(2005, 'partners: a partnerId occurs twice');
}

function partnerOf(value: unknown, where: string): Partner {
  if (value === undefined) throw wrong(where, 'a partner', value);
  const given = membersOf(value, where, PARTNER);
  const keys = {
    partnerKey: secretText(given.partnerKey, `${where}.partnerKey`),
    sharedKey: secretText(given.sharedKey, `${where}.sharedKey`),
    rsaPublicKey: textOf(given.rsaPublicKey, `${where}.rsaPublicKey`),
  };
  const encoding = oneOf(given.encoding, `${where}.encoding`, SHARED_KEY_ENCODINGS);
  const partnerId = required(given.partnerId, `${where}.partnerId`);
  const methods = methodsOf(given.methods, keys, where);
  return createPartner({partnerId, methods, encoding, ...keys});
}

function methodsOf(
  value: unknown,
  keys: Parameters<typeof methodsWithKey>[0],
  where: string,
): readonly AuthMethod[] {
  if (value === undefined) return methodsWithKey(keys);
  if (!isArray(value)) throw wrong(`${where}.methods`, 'an array', value);
  return listOf(value, `${where}.methods`).map((one, i) => {
    const method = oneOf(one, `${where}.methods[${i}]`, AUTH_METHODS);
    if (method !== undefined) return method;
    throw wrong(`${where}.methods[${i}]`, 'a method', one);
  });
}

/** The values of a header, by its name in any case; every header must be text. */
function headerValues(value: unknown, name: string): string[] {
  return entriesOf(value, 'request.headers').flatMap(([key, content]) => {
    const values = listOf(content, `headers.${key}`).map((one) => required(one, `headers.${key}`));
    return key.toLowerCase() === name ? values : [];
  });
}

function digestSecretOf(value: unknown): Uint8Array {
  if (value === undefined) return randomBytes(32);
  const bytes = bytesOf(value, 'digestSecret');
  if (!bytes) throw wrong('digestSecret', 'a Uint8Array', value);
  if (bytes.length >= MIN_SECRET_BYTES) return bytes;
  throw new PaylensError(2005, `digestSecret: expected at least ${MIN_SECRET_BYTES} bytes`);
}

function timeOf(value: unknown): number {
  const time = numberOf(value, 'now', [0, Number.MAX_SAFE_INTEGER]);
  if (time !== undefined) return time;
  throw wrong('now', 'a number', value);
}
