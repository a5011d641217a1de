import {randomUUID} from 'node:crypto';
import type {Dispatcher} from 'undici';
import type {SenderCredentials} from '../client/credentials.js';
import {chooseChallenge, noDigestChallenge} from '../client/digest-challenge.js';
import {exchange, type HttpReply} from '../client/exchange.js';
import {type SigningTerms, signRequest} from '../client/sign-request.js';
import {pathOf, urlBelow} from '../contract/operation.js';
import {Secret} from '../contract/secret.js';
import type {Answer, Authentication, Step} from './scenario.js';

/** The endpoint under test, and the partner that signs. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly credentials: SenderCredentials;
  /** A partner that may not use HMAC, with a shared key of any kind. */
  readonly withoutHmac?: SenderCredentials | undefined;
  /** Milliseconds that an answer may take. */
  readonly timeout: number;
  /** Its own connections, for a proxy or another certificate. */
  readonly dispatcher?: Dispatcher | undefined;
}

interface Prepared {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends the steps of one scenario; keeps the nonce of the previous step. */
export class Conversation {
  readonly #endpoint: Endpoint;
  #nonce = '';

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** Sends one step and returns the response. Throws 9020 or 9021 if there is none to judge. */
  async speak(step: Step): Promise<Answer> {
    const path = step.path ?? pathOf(step.operation);
    const {headers, body} = await this.#prepare(step, path);
    const verb = step.verb ?? 'POST';
    const url = urlBelow(this.#endpoint.baseUrl, path);
    const sent = {url, verb, headers, body: verb === 'GET' ? undefined : body};
    return answerOf(await exchange(sent, this.#endpoint));
  }

  async #prepare(step: Step, path: string): Promise<Prepared> {
    const authentication = step.authentication ?? {method: 'transparent'};
    const body = this.#bodyOf(step, authentication);
    const headers: Record<string, string> = {'content-type': 'application/json', ...step.headers};
    if (authentication.method !== 'none' && authentication.method !== 'transparent') {
      headers.authorization = await this.#sign(authentication, path, body);
    }
    return {headers, body};
  }

  #bodyOf({body = {}}: Step, authentication: Authentication): string {
    if (typeof body === 'string') return body;
    if (authentication.method !== 'transparent') return JSON.stringify(body);
    const {partnerId, partnerKey} = this.#endpoint.credentials;
    const key = Buffer.from(partnerKey?.reveal() ?? []).toString('utf8');
    return JSON.stringify({
      partnerId: authentication.username ?? partnerId,
      partnerKey: authentication.wrongKey ? `${key}x` : key,
      ...body,
    });
  }

  async #sign(authentication: Authentication, path: string, body: string): Promise<string> {
    const {method, signedTarget = path, signedBody = same, change = same} = authentication;
    if (method === 'none' || method === 'transparent') return '';
    if (!authentication.sameNonce) this.#nonce = randomUUID();
    const challenge = method === 'digest' ? await this.#challenge(path) : undefined;
    const terms: SigningTerms = {
      nonce: this.#nonce,
      timestamp: Math.floor(Date.now() / 1000) + (authentication.timeShift ?? 0),
      ...(challenge && {challenge: {...challenge, count: 1}}),
    };
    const signed = new TextEncoder().encode(signedBody(body));
    const request = {method: 'POST', target: signedTarget, body: signed};
    return change(await signRequest(request, method, this.#credentials(authentication), terms));
  }

  #credentials({username, wrongKey, asPartnerWithoutHmac}: Authentication): SenderCredentials {
    const {credentials, withoutHmac} = this.#endpoint;
    const sender = (asPartnerWithoutHmac && withoutHmac) || credentials;
    return {
      ...sender,
      ...(username === undefined ? {} : {partnerId: username}),
      ...(wrongKey && {partnerKey: WRONG_KEY, sharedKey: WRONG_KEY, encoding: 'utf8' as const}),
    };
  }

  /** Digest begins with an empty request; its response has the challenges. */
  async #challenge(path: string) {
    const url = urlBelow(this.#endpoint.baseUrl, path);
    const headers = {'content-type': 'application/json'};
    const reply = await exchange({url, verb: 'POST', headers, body: ''}, this.#endpoint);
    const values = reply.headers['www-authenticate'] ?? [];
    const challenge = chooseChallenge(values);
    if (challenge) return challenge;
    throw noDigestChallenge(url, reply.status, values);
  }
}

const WRONG_KEY = Secret.ofText('not the key of this partner');

function same(text: string): string {
  return text;
}

function answerOf({status, headers, body: bytes}: HttpReply): Answer {
  const joined = Object.entries(headers).map(([name, values]) => [name, values.join(', ')]);
  // A byte order mark is no JSON (RFC 8259, 8.1): it stays.
  const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes);
  const whole = parse(text);
  const body = whole ?? parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const accepted = isAccepted(status, body);
  return {status, accepted, headers: Object.fromEntries(joined), isJson: whole !== undefined, body};
}

/** A `success` of another type, or none, has a rule of its own and decides nothing else. */
function isAccepted(status: number, body: Answer['body']): boolean {
  const {success, errCode} = body ?? {};
  if (success === undefined) return status < 400 && errCode === undefined;
  return success === true || success === 1 || success === 'true';
}

function parse(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
