import {type Credentials, parseAuthorization} from '../authorization-header.js';
import {digestHa2, digestResponse, isSameTarget, offeredAlgorithm} from '../methods/digest.js';
import {isOwnNonce, isPreemptive, preemptiveResponse} from '../methods/digest-preemptive.js';
import {DIGEST_HASHES, type DigestAlgorithm, DigestKey, REALM} from '../partner/digest-key.js';
import type {Partner, PartnerLookup} from '../partner/partner.js';
import type {Variant} from '../partner/variant.js';
import type {SignedRequest} from '../string-to-hash.js';
import {unknownUsername} from './unknown-username.js';

/** A Digest header, its values by their names, and the request that it came with. */
interface SuspectDigest {
  readonly request: SignedRequest;
  readonly isOwn: boolean;
  readonly of: (name: string) => string;
}

/** Says what is wrong with a Digest header of either form; undefined when it is right. */
export function digestFault(
  header: string,
  request: SignedRequest,
  partners: PartnerLookup,
): string | undefined {
  const credentials = parseAuthorization(header);
  if (!credentials) return 'Digest: expected name="value", name="value", ... with each name once';
  const suspect: SuspectDigest = {
    request,
    isOwn: isPreemptive(credentials),
    of: (name) => credentials.parameters.get(name)?.value ?? '',
  };
  return formFault(credentials, suspect) ?? senderFault(suspect, partners);
}

const OWN_NAMES = ['username', 'realm', 'nonce', 'uri', 'response'];
const QUOTED = [...OWN_NAMES, 'cnonce'];

function formFault({parameters}: Credentials, suspect: SuspectDigest): string | undefined {
  const {isOwn, of, request} = suspect;
  const needed = isOwn ? OWN_NAMES : [...OWN_NAMES, 'qop', 'nc', 'cnonce'];
  const missing = needed.find((name) => of(name) === '');
  if (missing !== undefined) return `${missing} is missing`;
  const bare = QUOTED.find((name) => parameters.get(name)?.quoted === false);
  if (bare !== undefined) return `${bare}: expected double quotes around it`;
  if (of('realm') !== REALM) return `realm: expected "${REALM}"`;
  if (!isSameTarget(of('uri'), request.target)) return 'its uri is not the target of the request';
  return isOwn ? ownFault(suspect) : challengeFault(suspect);
}

function ownFault({of}: SuspectDigest): string | undefined {
  if (of('nonce').includes(':'))
    return 'its nonce contains a colon: it could be a response to a challenge';
  if (!isOwnNonce(of('nonce'))) return 'nonce: expected 1 to 128 printable ASCII characters';
  return lengthFault(of('response'), 'MD5');
}

function challengeFault({of}: SuspectDigest): string | undefined {
  const algorithm = offeredAlgorithm(of('algorithm') || 'MD5');
  if (!algorithm) return 'algorithm: expected SHA-256 or MD5';
  if (!/^auth(?:-int)?$/.test(of('qop'))) return 'qop: expected auth';
  if (!/^[\da-f]{8}$/i.test(of('nc')) || /^0+$/.test(of('nc')))
    return 'nc: expected eight hex digits, 00000001 or more';
  return lengthFault(of('response'), algorithm);
}

function lengthFault(response: string, algorithm: DigestAlgorithm): string | undefined {
  const digits = algorithm === 'MD5' ? 32 : 64;
  if (new RegExp(`^[\\da-f]{${digits}}$`, 'i').test(response)) return undefined;
  return `response: expected ${digits} hex digits (${algorithm}), found ${response.length} characters`;
}

function senderFault(suspect: SuspectDigest, partners: PartnerLookup): string | undefined {
  const partner = partners(suspect.of('username'));
  if (!partner) return unknownUsername(suspect.of('username'), partners);
  const method = suspect.isOwn ? 'digest-preemptive' : 'digest';
  if (!partner.methods.has(method)) return `${method} is not enabled for it`;
  return digestResponseFault(suspect, partner);
}

function digestResponseFault(suspect: SuspectDigest, partner: Partner): string | undefined {
  const given = suspect.of('response').toLowerCase();
  for (const {mistake, value} of requestsOf(suspect)) {
    for (const password of partner.passwords()) {
      const key = new DigestKey(partner.partnerId, password.value);
      if (expectedOf(suspect, value, key) === given) return password.mistake ?? mistake;
    }
  }
  return 'the response is wrong for this partnerKey, and no common mistake explains it';
}

/** What a caller may have hashed; `target` is the uri of the header, as the server hashes it. */
function requestsOf({request, of}: SuspectDigest): readonly Variant<SignedRequest>[] {
  const right = {...request, target: of('uri')};
  const other = right.target.startsWith('/api/v1/') ? '/api/' : '/api/v1/';
  const target = right.target.replace(/^\/api\/(?:v1\/)?/, other);
  return [
    {value: right},
    {mistake: 'GET was hashed instead of POST', value: {...right, method: 'GET'}},
    {mistake: 'the verb was hashed in lower case', value: {...right, method: 'post'}},
    {mistake: 'another path was hashed than that of uri', value: {...right, target}},
  ];
}

function expectedOf({isOwn, of}: SuspectDigest, request: SignedRequest, key: DigestKey): string {
  const {method, target} = request;
  const nonce = of('nonce');
  if (isOwn) return preemptiveResponse(key.ha1('MD5'), nonce, method, target);
  const algorithm = offeredAlgorithm(of('algorithm') || 'MD5') ?? 'MD5';
  const ha2 = digestHa2(request, target, of('qop'), DIGEST_HASHES[algorithm]);
  const parts = {nonce, nc: of('nc').toLowerCase(), cnonce: of('cnonce'), qop: of('qop')};
  return digestResponse(key.ha1(algorithm), parts, ha2, DIGEST_HASHES[algorithm]);
}
