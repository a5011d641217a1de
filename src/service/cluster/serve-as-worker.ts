import {createSteadyClock} from '../../auth/steady-clock.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {InspectQuestion} from '../inspector/inspect-question.js';
import type {InspectReplies} from '../inspector/local-inspector.js';
import {type LaunchedService, launch} from '../launch.js';
import type {LaunchOptions} from '../launch-options.js';
import {demoRegistry} from '../registry/demo-registry.js';
import type {Registry} from '../registry/registry.js';
import {registryOf, unpackRegistry} from '../registry/registry-source.js';
import type {ControlNews} from './control-messages.js';
import type {
  InspectReply,
  JointViews,
  ServiceOrder,
  ToPrimary,
  ToWorker,
  ViewName,
  WorkerOrder,
  WorkerRegistry,
} from './messages.js';
import {orAfter} from './or-after.js';
import {SharedReplayStore} from './shared-replay-store.js';
import {WorkerControl} from './worker-control.js';

/**
 * Timeout for the report of the primary about all workers: longer than its own for each of them.
 */
const LONGEST_ASK = 5_000;

/** The wire to the primary, and what the worker cannot know itself. */
export interface WorkerWire {
  /** Throws or calls back when the primary is gone. */
  readonly send: (message: ToPrimary, done?: (error: Error | null) => void) => void;
  readonly receive: (listener: (message: ToWorker) => void) => void;
  /** What becomes of the options that were sent as they were typed. */
  readonly options: (order: ServiceOrder) => Pick<LaunchOptions, 'now' | 'fails' | 'writeLog'>;
  /** Ends the process. */
  readonly end: () => void;
}

/** Serves as one of several processes, as its primary says. */
export function serveAsWorker(wire: WorkerWire): void {
  const worker = new ServiceWorker(wire);
  wire.receive((message) => worker.take(message));
  wire.send({type: 'hello'});
}

type Handlers = {
  readonly [T in ToWorker['type']]: (message: Extract<ToWorker, {type: T}>) => unknown;
};

class ServiceWorker {
  readonly #wire: WorkerWire;
  #nonces: SharedReplayStore | undefined;
  readonly #asked = new Map<number, (joint: never) => void>();
  readonly #control = new WorkerControl({
    ask: (question) => this.#question((id) => ({type: 'ask', id, question})),
    requests: () => this.#ask('received'),
  });
  #questions = 0;
  #service: LaunchedService | undefined;
  /** Puts what was prepared in force. */
  #prepared: (() => void) | undefined;

  readonly #handlers: Handlers = {
    start: ({order}) => this.#start(order),
    prepare: ({registry}) => this.#prepare(registry),
    commit: () => this.#prepared?.(),
    claimed: (answer) => this.#nonces?.answer(answer),
    show: ({id, view}) => this.#show(id, view),
    shown: ({id, joint}) => this.#asked.get(id)?.(joint as never),
    replied: ({id, reply}) => this.#asked.get(id)?.(reply as never),
    inspect: ({id, question}) => this.#inspect(id, question),
    inspected: ({id, replies}) => this.#asked.get(id)?.(replies as never),
    hear: ({id, news}) => this.#hear(id, news),
    stop: () => this.#stop(),
  };

  constructor(wire: WorkerWire) {
    this.#wire = wire;
  }

  take(message: ToWorker): void {
    const handle = this.#handlers[message.type] as (message: ToWorker) => unknown;
    handle(message);
  }

  async #start({service: order, registry, draw, digestSecret, news}: WorkerOrder): Promise<void> {
    try {
      this.#control.hear(news);
      const {now: _now, fail: _fail, ...options} = order;
      const own = this.#wire.options(order);
      const clock = createSteadyClock(own.now ?? Date.now, () => performance.now());
      this.#nonces = new SharedReplayStore(clock, (batch, done) =>
        this.#wire.send({type: 'claim', ...batch}, done),
      );
      this.#service = await launch({
        ...options,
        ...own,
        registry: opened(registry),
        shared: {
          draw,
          clock,
          digestSecret,
          replay: order.replayStore ? undefined : this.#nonces,
          metrics: () => this.#ask('metrics'),
          control: this.#control,
          inspect: (question) => this.#inspectAll(question),
          claimToken: () => this.#control.claimToken(),
        },
      });
      this.#wire.send({type: 'listening', url: this.#service.url});
    } catch (error) {
      const {code, detail, hint} = error instanceof PaylensError ? error : new PaylensError(1);
      this.#wire.send({type: 'failed', code, detail, hint});
    }
  }

  #prepare(registry: WorkerRegistry): void {
    try {
      this.#prepared = this.#service?.prepare(opened(registry));
    } catch {
      this.#prepared = undefined;
    }
    this.#wire.send({type: 'prepared', usable: this.#prepared !== undefined});
  }

  async #show(id: number, view: ViewName): Promise<void> {
    const service = this.#service;
    if (!service) return;
    const own = view === 'metrics' ? await service.metrics.data() : service.received.list();
    this.#wire.send({type: 'shown', id, own});
  }

  async #inspect(id: number, question: InspectQuestion): Promise<void> {
    let reply: InspectReply;
    try {
      const result = await this.#service?.inspector.answer(question);
      reply = result === undefined ? undefined : {result};
    } catch (error) {
      const {code, detail} = error instanceof PaylensError ? error : new PaylensError(1);
      reply = {code, detail};
    }
    this.#wire.send({type: 'inspected', id, reply});
  }

  /** Of all workers; throws what the first of them throws that fails. */
  async #inspectAll<A extends InspectQuestion['ask']>(
    question: Extract<InspectQuestion, {ask: A}>,
  ): Promise<readonly InspectReplies[A][]> {
    const replies = await this.#question<readonly InspectReply[]>((id) => ({
      type: 'inspect',
      id,
      question,
    }));
    return replies.flatMap((reply) => {
      if (!reply) return [];
      if ('code' in reply) throw new PaylensError(reply.code, reply.detail);
      return [reply.result as InspectReplies[A]];
    });
  }

  #hear(id: number, news: ControlNews): void {
    this.#control.hear(news);
    if (news.forgetsRequests) this.#service?.received.clear();
    this.#wire.send({type: 'heard', id});
  }

  #ask<V extends ViewName>(view: V): Promise<JointViews[V]> {
    return this.#question((id) => ({type: 'show', id, view}));
  }

  async #question<T>(message: (id: number) => ToPrimary): Promise<T> {
    const id = this.#questions++;
    const told = new Promise<T>((resolve) => {
      this.#asked.set(id, resolve as (joint: never) => void);
      this.#wire.send(message(id));
    });
    const answer = await orAfter(LONGEST_ASK, undefined, told);
    this.#asked.delete(id);
    if (answer === undefined) throw new PaylensError(2, 'no response from the primary');
    return answer;
  }

  async #stop(): Promise<void> {
    await this.#service?.close();
    this.#wire.end();
  }
}

function opened(registry: WorkerRegistry): Registry {
  return registry === 'demo' ? demoRegistry() : registryOf(unpackRegistry(registry));
}
