import {refusalOf} from '../../auth/authenticate.js';
import {parseAuthorization} from '../../auth/authorization-header.js';
import {contentHash} from '../../auth/string-to-hash.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {KeyRing} from '../../engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../../engine/families/registry.js';
import {bytesFromUtf8} from '../../platform/bytes.js';
import {headerValues} from '../http/request-head.js';
import type {UpstreamAnswer} from '../http/send-upstream.js';
import {explanationIn, type Service} from '../open-service.js';
import {answerRequest, type Incoming} from '../operations/answer-request.js';
import type {Explanation} from '../operations/explain-refusal.js';

/** What is known about a refusal of the endpoint. */
export interface ReadRefusal {
  /** Of this service, had it refused the request. */
  readonly error: PaylensError;
  readonly why: string;
  readonly explanation?: Explanation;
}

/** Nonces of accepted requests that are remembered. */
const MAX_NONCES = 10_000;
/** Errors that the request alone shows, whatever devices and keys the endpoint has. */
const OF_THE_FORM = /^(?:1101|1102|1201|20\d\d|21\d\d|2400)$/;

/** Finds out why an endpoint refused a request, with the partner's key and the endpoint's clock. */
export class RefusalReader {
  readonly #service: Service;
  readonly #used = new Set<string>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Undefined for a request that was not refused with 400 or 401. */
  async read(
    incoming: Incoming,
    {status, rawHeaders}: UpstreamAnswer,
  ): Promise<ReadRefusal | undefined> {
    if (status !== 400 && status !== 401) {
      if (status < 400) this.#remember(incoming);
      return undefined;
    }
    const date = Date.parse(headerValues(rawHeaders, 'date')[0] ?? '');
    const now = Number.isNaN(date) ? Date.now() : date;
    const local = await this.#judge(incoming, now);
    if (status === 400 && local?.code !== 1003) {
      const isKnown = local && OF_THE_FORM.test(String(local.code));
      return isKnown ? {error: local, why: local.message} : undefined;
    }
    const {registry, readings} = this.#service;
    const reason = this.#reasonFor(incoming, local);
    const question = {refused: {...incoming, reason}, now} as const;
    const explanation = explanationIn(await readings.read(question, registry.partners));
    const error = new PaylensError(1003, '', {cause: {accepted: false, reason}});
    return {error, why: explanation.faults.join('; '), explanation};
  }

  /** Only the endpoint knows the nonces of its challenges. */
  #reasonFor(incoming: Incoming, local: PaylensError | undefined) {
    const reason = local?.code === 1003 ? (refusalOf(local)?.reason ?? 'credentials') : undefined;
    const isChallenge = reason === 'time' && parametersOf(incoming)?.get('timestamp') === undefined;
    if (reason !== undefined && !isChallenge) return reason;
    return this.#used.has(nonceOf(incoming) ?? '') ? 'replay' : 'endpoint';
  }

  /** The error that this service would give, by its partners; no nonce is claimed for that. */
  async #judge(incoming: Incoming, time: number): Promise<PaylensError | undefined> {
    const service = this.#service;
    const now = () => time;
    const outcome = await answerRequest(incoming, {
      ...{mode: 'real', deviceTypes: TERMINAL_TYPES, answers: undefined, challenges: () => []},
      registry: {...service.registry, keys: new KeyRing([]), allowUnregistered: true},
      authContext: (registry) => ({
        ...service.authContext(registry),
        ...{now, latest: now, clock: undefined, replay: {claim: async () => 'fresh'}},
      }),
      messageId: service.messageId,
    });
    return outcome.error;
  }

  #remember(incoming: Incoming): void {
    const nonce = nonceOf(incoming);
    if (nonce === undefined) return;
    const [oldest = ''] = this.#used;
    if (this.#used.size >= MAX_NONCES) this.#used.delete(oldest);
    this.#used.add(nonce);
  }
}

/** What an endpoint accepts once, hashed: a nonce is as long as its client likes. */
function nonceOf(incoming: Incoming): string | undefined {
  const parameters = parametersOf(incoming);
  const values = ['username', 'nonce', 'nc'].map((name) => parameters?.get(name)?.value);
  return values[1] === undefined ? undefined : contentHash(bytesFromUtf8(JSON.stringify(values)));
}

function parametersOf({rawHeaders}: Incoming) {
  const [header = ''] = headerValues(rawHeaders, 'authorization');
  return parseAuthorization(header)?.parameters;
}
