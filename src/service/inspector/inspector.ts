import type {SteadyClock} from '../../auth/steady-clock.js';
import type {
  InspectedRequest,
  RequestCopy,
  RequestDetail,
} from '../../contract/control/inspected-request.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {RawRequest} from '../http/request-head.js';
import type {CapturedRequests} from '../information/captured-requests.js';
import type {Incoming, Outcome} from '../operations/answer-request.js';
import type {Registry, ServiceMode} from '../registry/registry.js';
import {type Readings, readDetail} from './reading-thread.js';
import type {DetailSource} from './request-detail.js';

/** The answer to a request that was sent again. */
export interface ResentRequest {
  readonly messageId: string;
  readonly status: number;
}

/** The parts of a service that its inspector uses. */
interface InspectedService {
  readonly captured: CapturedRequests;
  readonly mode: ServiceMode;
  /** Replaced by a reload. */
  readonly registry: Registry;
  readonly clock: SteadyClock;
  /** A new nonce of a Digest challenge. */
  readonly digestNonce: () => string;
  readonly readings: Readings;
}

interface InspectorOptions {
  readonly service: InspectedService;
  readonly bodyLimit: number;
  readonly url: () => string;
  /** Answers a request as if it had come in; it is logged and counted. */
  readonly answer: (incoming: Incoming) => Promise<Outcome>;
}

/** Details that are kept: one may be a few megabytes. */
const MAX_DETAILS = 8;

/** Answers questions about the requests that a service received. */
export class Inspector {
  readonly #options: InspectorOptions;
  readonly #service: InspectedService;
  readonly #details = new Map<string, Promise<string>>();
  /** The one under which the details were read. */
  #registry: Registry | undefined;

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.#service = options.service;
  }

  get captured(): CapturedRequests {
    return this.#service.captured;
  }

  /**
   * All details of a request, as JSON of a RequestDetail; undefined if it is no longer stored. `brief`:
   * without what takes long to calculate.
   */
  async detail(sequence: number, brief: boolean): Promise<string | undefined> {
    const {captured, mode} = this.#service;
    const row = captured.find(sequence);
    if (!row) return undefined;
    if (mode === 'real') return (await captured.read(sequence)) ?? (await this.#unread(row));
    const raw = captured.raw(sequence);
    const json = await this.#read({row, raw, mode, brief});
    if (brief || !raw || row.operation === undefined) return json;
    const {resign} = await import('./resign.js');
    const {kind, text} = await resign(raw, this.#signing());
    return `${json.slice(0, -1)},"resigning":${JSON.stringify({kind, text})}}`;
  }

  /** Each request is read once, as long as it is among the last ones shown. */
  #read(source: Omit<DetailSource, 'partners'>): Promise<string> {
    const {registry} = this.#service;
    if (registry !== this.#registry) this.#details.clear();
    this.#registry = registry;
    const key = `${source.row.sequence} ${source.brief}`;
    const known = this.#details.get(key);
    const json = known ?? this.#newDetail(key, source, registry);
    this.#details.delete(key);
    this.#details.set(key, json);
    const [oldest = ''] = this.#details.keys();
    if (this.#details.size > MAX_DETAILS) this.#details.delete(oldest);
    return json;
  }

  async #newDetail(
    key: string,
    detail: Omit<DetailSource, 'partners'>,
    {partners}: Registry,
  ): Promise<string> {
    const {json, reason} = await readDetail(this.#service.readings, detail, partners);
    if (reason === 'queue') this.#details.delete(key);
    return json;
  }

  /** The row alone of a request that is no longer stored. */
  async #unread(row: InspectedRequest): Promise<string> {
    const {registry, mode} = this.#service;
    const {requestDetail} = await import('./request-detail.js');
    return JSON.stringify(requestDetail({row, raw: undefined, partners: registry.partners, mode}));
  }

  /** A request to be copied as a command. */
  async copy(sequence: number): Promise<RequestCopy | undefined> {
    const {copyRequest, maskedCopy, repeatRequest} = await import('./send-again.js');
    const url = this.#options.url();
    const {captured, mode} = this.#service;
    const read = mode === 'real' ? await captured.read(sequence) : undefined;
    if (read !== undefined) return maskedCopy(url, JSON.parse(read) as RequestDetail);
    const found = this.#rawRequest(sequence);
    return found && copyRequest(url, repeatRequest(found.raw), this.#signing());
  }

  /** Sends a request again, with changes if there are any. Throws 2011 in real mode. */
  async sendAgain(sequence: number, edit: unknown): Promise<ResentRequest | undefined> {
    if (this.#service.mode === 'real')
      throw new PaylensError(2011, 'captured signatures are not replayed in real mode');
    const found = this.#rawRequest(sequence);
    if (!found) return undefined;
    const {editRequest, repeatRequest} = await import('./send-again.js');
    const incoming =
      edit === undefined
        ? repeatRequest(found.raw)
        : await editRequest(found, edit, this.#signing());
    const {bodyLimit} = this.#options;
    if (incoming.body.length > bodyLimit)
      throw new PaylensError(2006, `expected at most ${bodyLimit} bytes`);
    const {messageId, answer} = await this.#options.answer(incoming);
    return {messageId, status: answer.status};
  }

  #rawRequest(sequence: number): {readonly raw: RawRequest; readonly target: string} | undefined {
    const {captured, mode} = this.#service;
    const raw = mode === 'real' ? undefined : captured.raw(sequence);
    const target = raw && captured.find(sequence)?.target;
    return raw && target !== undefined ? {raw, target} : undefined;
  }

  #signing() {
    const {registry, clock, digestNonce} = this.#service;
    return {partners: registry.partners, timestamp: Math.floor(clock.now() / 1000), digestNonce};
  }
}
