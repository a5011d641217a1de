import {parseAuthorization, quoted} from '../authorization-header.js';
import {readSignature} from '../methods/hmac.js';
import type {Partner, PartnerLookup} from '../partner/partner.js';
import {decodeBase64, decodeHex} from '../partner/shared-key.js';
import {isFresh} from '../replay-store.js';
import {contentHash, type SignedRequest, stringToHash} from '../string-to-hash.js';
import {findMistakes, findSignedString, type SuspectRequest} from './find-signing-mistake.js';
import {headerFault} from './header-fault.js';
import {responseFormFault, rsaResponses} from './response-forms.js';
import {unknownUsername} from './unknown-username.js';

/** A signed request to explain. */
export interface ExplainRequest extends SignedRequest {
  readonly authorization: string;
  /** The Host header. */
  readonly host?: string | undefined;
}

/** The verdict on a signed request. It never contains the correct response. */
export interface SignatureExplanation {
  /** Whether the signature is right as it is; its age and its nonce may still be too old. */
  readonly right: boolean;
  /** Description of the error: in the form, the partner, or the signature. */
  readonly faults: readonly string[];
  /** Set if no usual mistake explains a wrong response. */
  readonly unexplained?: true;
  /** Whether its timestamp is accepted at this time. */
  readonly fresh?: boolean;
  /** Why a right signature is refused at this time. */
  readonly timeFault?: string;
  readonly stringToHash?: string;
  readonly contentHash?: string;
  /** Seconds by which the timestamp is behind the clock; negative when it is ahead. */
  readonly age?: number;
}

/** Explains the Hmac or Rsa header of a request; `now` in milliseconds. */
export function explainSignature(
  request: ExplainRequest,
  partners: PartnerLookup,
  now: number,
): SignatureExplanation {
  const credentials = parseAuthorization(request.authorization);
  const username = credentials && quoted(credentials.parameters, 'username');
  const fault = headerFault(request.authorization, partners(username ?? '')?.methods);
  const fields = credentials && readSignature(credentials);
  if (!fields || fault !== undefined) return {right: false, faults: [fault ?? 'malformed']};
  const {nonce, timestamp} = fields;
  const seen = {
    stringToHash: stringToHash(request, nonce, timestamp),
    contentHash: contentHash(request.body),
    age: Math.floor(now / 1000) - Number(timestamp),
  };
  const scheme = credentials.scheme === 'hmac' ? 'hmac' : 'rsa';
  const {faults, ...found} = faultsOf({...request, scheme, fields}, partners);
  return {...seen, ...found, ...judge([...faults], Number(timestamp), now)};
}

/**
 * The string that the client of a wrong Hmac or Rsa header signed: undefined if no usual mistake
 * explains it. It may hold the body.
 */
export function signedString(request: ExplainRequest, partners: PartnerLookup): string | undefined {
  const credentials = parseAuthorization(request.authorization);
  const fields = credentials && readSignature(credentials);
  const partner = fields && partners(fields.username);
  const scheme = credentials?.scheme === 'hmac' ? 'hmac' : 'rsa';
  if (!fields || !partner?.methods.has(scheme)) return undefined;
  return findSignedString({...request, scheme, fields}, partner);
}

function faultsOf(
  suspect: SuspectRequest,
  partners: PartnerLookup,
): Pick<SignatureExplanation, 'faults' | 'unexplained'> {
  const {scheme, fields} = suspect;
  const {username, response} = fields;
  const form = responseFormFault(scheme, response);
  const partner = partners(username);
  if (!partner) return {faults: [form ?? unknownUsername(username, partners)]};
  if (!partner.methods.has(scheme)) return {faults: [form ?? `${scheme} is not enabled for it`]};
  const mistakes = findMistakes(suspect, partner);
  if (mistakes) return {faults: mistakes};
  return {faults: [form ?? unexplained(suspect, partner)], unexplained: true};
}

function unexplained({scheme, fields}: SuspectRequest, {rsaKey}: Partner): string {
  if (scheme === 'hmac' || !rsaKey) return UNEXPLAINED;
  const bytes = decodeHex(fields.response) ?? decodeBase64(fields.response);
  const {length} = rsaKey.modulus;
  if (bytes?.length !== length)
    return `response: expected ${length} bytes, as long as the partner's RSA key, found ${bytes?.length}`;
  return rsaResponses(fields.response, rsaKey).length === 0
    ? "the response was not made with the private key of the partner's RSA key"
    : 'the RSA key is correct, but another string was signed, and no common mistake explains it';
}

const UNEXPLAINED = 'the response is wrong, and no common mistake explains it';

function judge(
  faults: string[],
  timestamp: number,
  now: number,
): Pick<SignatureExplanation, 'right' | 'faults' | 'fresh' | 'timeFault'> {
  const age = Math.floor(now / 1000) - timestamp;
  const fresh = isFresh(timestamp, now);
  const unit = fresh
    ? undefined
    : FINER.find(([, parts]) => isFresh(Math.floor(timestamp / parts), now));
  if (unit) faults.push(`the timestamp is in ${unit[0]}: seconds are expected`);
  const right = faults.length === 0;
  if (fresh) return {right, faults, fresh};
  const found = age > 0 ? `${age} s old` : `${-age} s ahead of the clock`;
  const timeFault = `the timestamp is ${found}: at most 900 are accepted${zoneOf(age)}`;
  return {right, faults, fresh, timeFault};
}

const FINER = [
  ['milliseconds', 1000],
  ['microseconds', 1_000_000],
] as const;
const HALF_HOUR = 1800;
const MAX_HALF_HOURS = 28;

/** A clock that is off by whole hours shows local time as UTC. */
function zoneOf(age: number): string {
  const halves = Math.round(age / HALF_HOUR);
  const rest = Math.abs(age - halves * HALF_HOUR);
  if (halves === 0 || Math.abs(halves) > MAX_HALF_HOURS || rest > NEAR) return '';
  return `; off by ${Math.abs(halves) / 2} h: local time in place of UTC?`;
}

const NEAR = 60;
