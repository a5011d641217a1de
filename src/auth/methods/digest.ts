import {bytesOfHex} from '../../platform/bytes.js';
import {equalBytes} from '../../platform/hash.js';
import {type Credentials, hasOnly, quote, quoted, quotedName} from '../authorization-header.js';
import {DIGEST_HASHES, type DigestAlgorithm, type DigestKey, REALM} from '../partner/digest-key.js';
import {decodeHex} from '../partner/shared-key.js';
import {subjectOf} from '../partner/timing-decoy.js';
import {isFresh, nonceLifetime} from '../replay-store.js';
import {canonicalTarget, type SignedRequest} from '../string-to-hash.js';
import {type Acceptance, refuse, type Verdict, type VerifyContext} from '../verdict.js';

/** Inputs of a Digest response besides H(A1). */
export interface DigestParts {
  readonly nonce: string;
  /** Eight hex digits. */
  readonly nc: string;
  readonly cnonce: string;
  readonly qop: string;
}

/** Parameters of the challenge, and the cnonce and nonce count of the client. */
export interface DigestAnswer {
  readonly username: string;
  readonly nonce: string;
  readonly algorithm: DigestAlgorithm;
  readonly cnonce: string;
  /** How often the nonce has been used, this time included. */
  readonly count: number;
}

/** The Authorization header that answers a Digest challenge of the realm `Users` (RFC 7616, 3.4). */
export function signDigest(request: SignedRequest, answer: DigestAnswer, key: DigestKey): string {
  const {username, nonce, algorithm, cnonce, count} = answer;
  const uri = canonicalTarget(request.target);
  const nc = count.toString(16).padStart(8, '0');
  const ha2 = digestHa2(request, uri, 'auth', DIGEST_HASHES[algorithm]);
  const parts = {nonce, nc, cnonce, qop: 'auth'};
  const response = digestResponse(key.ha1(algorithm), parts, ha2, DIGEST_HASHES[algorithm]);
  return [
    `Digest username=${quote(username)}`,
    `realm="${REALM}"`,
    `uri=${quote(uri)}`,
    `algorithm=${algorithm}`,
    `nonce=${quote(nonce)}`,
    `nc=${nc}`,
    `cnonce=${quote(cnonce)}`,
    'qop=auth',
    `response="${response}"`,
  ].join(', ');
}

/** Checks the answer to a challenge of the server. */
export function verifyDigest(
  credentials: Credentials,
  request: SignedRequest,
  context: VerifyContext,
): Verdict {
  const fields = readAnswer(credentials);
  if (!fields || !isSameTarget(fields.uri, request.target)) return refuse('malformed');
  const issued = context.digestNonces.issuedAt(fields.nonce);
  const {partner, key} = subjectOf(context.partners, fields.username, 'digest', 'digestKey');
  const hash = DIGEST_HASHES[fields.algorithm];
  const ha2 = digestHa2(request, fields.uri, fields.qop, hash);
  const expected = digestResponse(key.ha1(fields.algorithm), fields, ha2, hash);
  if (!equalBytes(bytesOfHex(expected), fields.response) || !partner) return refuse('credentials');
  const now = (context.latest ?? context.now)();
  return isNonceInTime(fields, issued, now, {accepted: true, partner, method: 'digest'});
}

/** H(A2): method and uri, with `auth-int` the body too (RFC 7616, 3.4.3). */
export function digestHa2(
  {method, body}: SignedRequest,
  uri: string,
  qop: string,
  hash: (data: string | Uint8Array) => string,
): string {
  return hash(qop === 'auth-int' ? `${method}:${uri}:${hash(body)}` : `${method}:${uri}`);
}

/** The response for H(A1) and H(A2), both in hex (RFC 7616, 3.4.1). */
export function digestResponse(
  ha1: string,
  {nonce, nc, cnonce, qop}: DigestParts,
  ha2: string,
  hash: (text: string) => string,
): string {
  return hash(`${ha1}:${nonce}:${nc}:${cnonce}:${qop}:${ha2}`);
}

/**
 * Whether the `uri` of a Digest header names the target of its request, authority and all; the path
 * and query of a target in absolute form will do.
 */
export function isSameTarget(uri: string, target: string): boolean {
  return uri === target || (uri.startsWith('/') && uri === canonicalTarget(target));
}

interface AnswerFields extends DigestParts {
  readonly username: string;
  readonly uri: string;
  readonly algorithm: DigestAlgorithm;
  readonly response: Uint8Array;
}

const DIGEST_PROPERTIES = new Set([
  ...['username', 'realm', 'nonce', 'uri', 'response'],
  ...['algorithm', 'cnonce', 'opaque', 'qop', 'nc', 'userhash'],
]);

// Common clients quote algorithm and qop, or send an opaque that we never gave: all harmless.
function readAnswer({parameters}: Credentials): AnswerFields | undefined {
  const username = quotedName(parameters, 'username');
  const nonce = quotedName(parameters, 'nonce');
  const cnonce = quotedName(parameters, 'cnonce');
  const uri = quoted(parameters, 'uri');
  const qop = parameters.get('qop')?.value;
  const nc = parameters.get('nc')?.value.toLowerCase();
  const algorithm = offeredAlgorithm(parameters.get('algorithm')?.value ?? 'MD5');
  if (!username || !nonce || !cnonce || !uri || !algorithm) return undefined;
  if (!qop || !/^auth(?:-int)?$/.test(qop)) return undefined;
  if (!nc || !/^(?!0{8})[0-9a-f]{8}$/.test(nc)) return undefined;
  if (quoted(parameters, 'realm') !== REALM || !hasOnly(parameters, DIGEST_PROPERTIES))
    return undefined;
  if ((parameters.get('userhash')?.value ?? 'false') !== 'false') return undefined;
  const response = decodeHex(quoted(parameters, 'response') ?? '');
  if (response?.length !== (algorithm === 'MD5' ? 16 : 32)) return undefined;
  return {username, nonce, cnonce, uri, qop, nc, algorithm, response};
}

/** An algorithm of the challenges by its name in any case; undefined for any other. */
export function offeredAlgorithm(name: string): DigestAlgorithm | undefined {
  const upper = name.toUpperCase();
  return upper === 'MD5' || upper === 'SHA-256' ? upper : undefined;
}

// A right response under a nonce that is too old, or of another secret: the client may try again.
function isNonceInTime(
  {nonce, nc}: AnswerFields,
  issued: number | undefined,
  now: number,
  accepted: Acceptance,
): Verdict {
  const timestamp = Math.floor((issued ?? 0) / 1000);
  if (issued === undefined || !isFresh(timestamp, now)) return {...refuse('time'), stale: true};
  const lifetime = nonceLifetime(timestamp, now);
  return {...accepted, nonce: `${nonce}:${nc}`, lifetime, timestamp};
}
