import {parseAuthorization} from '../../auth/authorization-header.js';
import {bodyVariants} from '../../auth/explain/request-variants.js';
import {methodOf} from '../../auth/methods/header-methods.js';
import {credentialsInBody} from '../../auth/methods/transparent.js';
import type {PartnerLookup} from '../../auth/partner/partner.js';
import {isFresh} from '../../auth/replay-store.js';
import {contentHash} from '../../auth/string-to-hash.js';
import type {RefusalReason} from '../../auth/verdict.js';
import type {AuthMethod} from '../../contract/auth-method.js';
import type {SignatureStep} from '../../contract/control/inspected-request.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {headerValues, type RawRequest} from '../http/request-head.js';

/** Why no one was authenticated; also by an endpoint, by the store of nonces, and without an answer. */
export type StopReason = RefusalReason | 'endpoint' | 'store' | 'unanswered';

/** A past authentication. */
export interface Authentication extends RawRequest {
  readonly partners: PartnerLookup;
  /** Milliseconds since 1970 when the request came. */
  readonly time: number;
  /** Absent: the credentials are right. */
  readonly reason?: StopReason | undefined;
  /** Why it was refused, in words. */
  readonly faults: readonly string[];
}

interface Step {
  readonly name: string;
  readonly text: string;
  /** The reasons that mean it failed. */
  readonly fails: readonly StopReason[] | boolean;
}

/** The steps of an authentication in the order in which they are taken, and how each ended. */
export function signatureSteps(about: Authentication): readonly SignatureStep[] {
  const authorization = headerValues(about.rawHeaders, 'authorization');
  const steps = authorization.length > 0 ? headerSteps(about, authorization) : bodySteps(about);
  const {reason} = about;
  let failed = reason === 'unanswered';
  return steps.map(({name, text, fails}) => {
    const fault =
      typeof fails === 'boolean' ? fails : reason !== undefined && fails.includes(reason);
    failed ||= name === 'Nonce' && reason === 'endpoint';
    const state = failed ? 'not reached' : fault ? 'failed' : 'passed';
    // A wrong hash also makes the signature wrong: show both.
    failed ||= fault && name !== 'Body hash';
    return {name, state, text: state === 'not reached' ? 'not checked' : text};
  });
}

function bodySteps({body, partners, reason}: Authentication): readonly Step[] {
  const {partnerId = ''} = credentialsInBody(body);
  const partner = partners(partnerId);
  const knows = partner?.methods.has('transparent') ?? false;
  return [
    {
      name: 'Header',
      text: 'no Authorization header: credentials in the body',
      fails: ['malformed'],
    },
    partnerStep(partnerId, partners, 'transparent', reason),
    {
      name: 'Partner key',
      text: 'partnerKey in the body, compared by its hash',
      fails: knows && reason === 'credentials',
    },
  ];
}

function headerSteps(about: Authentication, authorization: readonly string[]): readonly Step[] {
  const {partners, body, reason, faults} = about;
  const [header = ''] = authorization;
  const parsed = authorization.length === 1 ? parseAuthorization(header) : undefined;
  const method = parsed && methodOf(parsed.scheme, parsed);
  const count = parsed?.parameters.size ?? 0;
  const form = parsed
    ? `${capital(parsed.scheme)}${count > 0 ? `, ${count} parameters` : ''}`
    : `${authorization.length} Authorization ${authorization.length > 1 ? 'headers' : 'header'}, not readable`;
  const first: Step = {name: 'Header', text: shown(form), fails: ['malformed', 'scheme', 'strict']};
  if (!parsed || !method) return [first];
  const username = parsed.parameters.get('username')?.value ?? '';
  const knows = partners(username)?.methods.has(method) ?? false;
  const isBodyFault = bodyVariants(body).some(
    ({mistake}) => mistake !== undefined && faults.includes(mistake),
  );
  const isWrong = knows && reason === 'credentials';
  const signs = method === 'hmac' || method === 'rsa';
  const timestamp = parsed.parameters.get('timestamp')?.value;
  // The nonce of a challenge contains its time.
  const late: readonly StopReason[] = ['replay', 'store', ...(timestamp ? [] : ['time' as const])];
  return [
    first,
    ...(method === 'basic' ? [] : [partnerStep(username, partners, method, reason)]),
    ...(signs ? [{name: 'Body hash', text: hashText(body), fails: isWrong && isBodyFault}] : []),
    {
      name: signs ? 'Signature' : method === 'basic' ? 'Partner and key' : 'Response',
      text: proofText(method, isWrong, faults),
      fails: method === 'basic' ? ['credentials'] : isWrong,
    },
    {name: 'Credentials in the body', text: 'none, or those of the header', fails: ['body']},
    ...timeSteps(timestamp, about),
    ...(method === 'basic' ? [] : [{name: 'Nonce', text: nonceText(reason), fails: late}]),
  ];
}

function partnerStep(
  id: string,
  partners: PartnerLookup,
  method: AuthMethod,
  reason: StopReason | undefined,
): Step {
  const partner = partners(id);
  const knows = partner?.methods.has(method) ?? false;
  const text = !partner
    ? 'no partner has this id'
    : knows
      ? `${shown(id)}, ${method} enabled`
      : `${shown(id)}, ${method} not enabled`;
  return {name: 'Partner', text, fails: !knows && reason === 'credentials'};
}

function hashText(body: Uint8Array): string {
  const last = body.at(-1);
  const end =
    last === undefined ? '' : `, ends in ${last.toString(16).toUpperCase().padStart(2, '0')}`;
  const hash = contentHash(body);
  return `${hash.slice(0, 12)}…${hash.slice(-4)} as received, ${body.length} bytes${end}`;
}

function proofText(method: AuthMethod, isWrong: boolean, faults: readonly string[]): string {
  if (isWrong) return shown(faults.join('; '));
  return method === 'basic' ? 'partnerId and partnerKey of the header' : 'of the string to sign';
}

function timeSteps(timestamp: string | undefined, {time, reason}: Authentication): readonly Step[] {
  const seconds = Number(timestamp);
  if (timestamp === undefined || !Number.isFinite(seconds)) return [];
  // An endpoint, or the store of nonces, has a clock of its own.
  const end = reason === 'time' && isFresh(seconds, time) ? '; refused by another clock' : '';
  const text = `${Math.abs(Math.floor(time / 1000) - seconds)} s apart, 900 s allowed${end}`;
  return [{name: 'Time', text, fails: ['time']}];
}

function nonceText(reason: StopReason | undefined): string {
  if (reason === undefined) return 'new, and used from now on';
  if (reason === 'replay') return 'was used before';
  return reason === 'time' ? 'too old, or not of this service' : 'not claimed';
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function shown(text: string): string {
  return redactKeys(redactCardNumbers(text));
}
