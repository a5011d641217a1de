import type {RequestCopy, RequestDetail} from '../../contract/control/inspected-request.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import type {Incoming, Outcome} from '../operations/answer-request.js';
import type {Registry, ServiceMode} from '../registry/registry.js';
import type {CapturedRequests, CapturedRows, RawRequest} from './captured-requests.js';
import type {InspectQuestion, RequestId} from './inspect-question.js';

/** What became of a request that was sent again. */
export interface SentAgain {
  readonly messageId: string;
  readonly status: number;
}

/** What a question of each kind gets from the process that knows. */
export interface InspectReplies {
  readonly rows: CapturedRows;
  readonly detail: RequestDetail;
  readonly copy: RequestCopy;
  readonly again: SentAgain;
}

interface Process {
  readonly captured: CapturedRequests;
  readonly process: number;
  readonly mode: ServiceMode;
  readonly registry: () => Registry;
  readonly terminals?: TerminalSet | undefined;
  readonly bodyLimit: number;
  /** Answers a request as if it had come in, and keeps its books. */
  readonly answer: (incoming: Incoming) => Promise<Outcome>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new nonce of a Digest challenge. */
  readonly digestNonce: () => string;
  readonly url: () => string;
}

/** What one process answers the inspector. */
export class LocalInspector {
  readonly #own: Process;

  constructor(own: Process) {
    this.#own = own;
  }

  /** Undefined: another process has this request, or none. Throws what sending again throws. */
  async answer<A extends InspectQuestion['ask']>(
    question: Extract<InspectQuestion, {ask: A}>,
  ): Promise<InspectReplies[A] | undefined>;
  async answer(question: InspectQuestion): Promise<unknown> {
    const {captured, process} = this.#own;
    if (question.ask === 'rows') return captured.rowsAfter(question.after[process]);
    if (question.id.process !== process) return undefined;
    if (question.ask === 'detail') return this.#detail(question.id, question.brief);
    if (question.ask === 'copy') return this.#copy(question.id);
    return this.#again(question.id, question.edit);
  }

  async #detail({sequence}: RequestId, brief: boolean): Promise<RequestDetail | undefined> {
    const {captured, registry, mode, terminals} = this.#own;
    const row = captured.find(sequence);
    if (!row) return undefined;
    const {requestDetail} = await import('./request-detail.js');
    const raw = captured.raw(sequence);
    const detail = requestDetail({row, raw, registry: registry(), mode, terminals, brief});
    if (brief || mode === 'real' || !raw || row.operation === undefined) return detail;
    const {signedAnew} = await import('./sign-anew.js');
    const {kind, text} = await signedAnew(raw, this.#signing());
    return {...detail, resigning: {kind, text}};
  }

  async #copy({sequence}: RequestId): Promise<RequestCopy | undefined> {
    const found = this.#rawOf(sequence);
    if (!found) return undefined;
    const {copyOf, sameAgain} = await import('./send-again.js');
    const signing = this.#own.mode === 'real' ? undefined : this.#signing();
    // What is masked has the target of its row.
    const raw = signing ? found.raw : {...found.raw, target: found.target};
    return copyOf(this.#own.url(), sameAgain(raw), signing);
  }

  async #again({sequence}: RequestId, edit: unknown): Promise<SentAgain | undefined> {
    if (this.#own.mode === 'real')
      throw new PaylensError(2011, 'captured signatures are not replayed in real mode');
    const found = this.#rawOf(sequence);
    if (!found) return undefined;
    const {editedAgain, sameAgain} = await import('./send-again.js');
    const incoming =
      edit === undefined ? sameAgain(found.raw) : await editedAgain(found, edit, this.#signing());
    if (incoming.body.length > this.#own.bodyLimit)
      throw new PaylensError(2006, `expected at most ${this.#own.bodyLimit} bytes`);
    const {messageId, answer} = await this.#own.answer(incoming);
    return {messageId, status: answer.status};
  }

  #rawOf(sequence: number): {readonly raw: RawRequest; readonly target: string} | undefined {
    const raw = this.#own.captured.raw(sequence);
    const target = raw && this.#own.captured.find(sequence)?.target;
    return raw && target !== undefined ? {raw, target} : undefined;
  }

  #signing() {
    const {registry, now, digestNonce} = this.#own;
    return {partners: registry().partners, timestamp: Math.floor(now() / 1000), digestNonce};
  }
}
