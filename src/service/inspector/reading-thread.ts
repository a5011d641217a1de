import {Worker} from 'node:worker_threads';
import type {PartnerLookup} from '../../auth/partner/partner.js';
import type {StoppedReading} from '../../contract/control/inspected-request.js';
import {packageRoot} from '../../files/package-root.js';
import type {Question, ReadingOrder} from './reading-order.js';
import type {DetailSource} from './request-detail.js';

/** What a reading gave, or why there is nothing. */
export type ReadingResult = {readonly json: string} | {readonly stopped: StoppedReading};

/** Longest time of one reading that does not ask for more. */
const MAX_READING_MS = 300;
/** Orders that wait; further ones are refused. */
const MAX_WAITING_ORDERS = 64;
const MEMORY = {maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16};

interface WaitingOrder<Order> {
  readonly order: Order;
  readonly limitMs: number;
  readonly resolve: (result: ReadingResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread in which bytes of strangers are read, one order after the other. Started by the first one
 * and kept; an order that takes too long ends the thread, and the next one starts another.
 * The worker first sends any message when it is ready, then the answer to each order: JSON, or an Error.
 */
export class ReadingThread<Order> {
  readonly #worker: URL;
  readonly #waiting: WaitingOrder<Order>[] = [];
  #thread: Worker | undefined;
  #isReady = false;
  #current: WaitingOrder<Order> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(worker: URL) {
    this.#worker = worker;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING_ORDERS;
  }

  read(order: Order, limitMs = MAX_READING_MS): Promise<ReadingResult> {
    if (this.isFull) return Promise.resolve(stoppedBy('queue', limitMs));
    return new Promise((resolve, reject) => {
      this.#waiting.push({order, limitMs, resolve, reject});
      this.#next();
    });
  }

  /** Orders that are not answered yet stay unanswered. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
    await this.#thread?.terminate();
  }

  #next(): void {
    if (this.#current || this.#waiting.length === 0) return;
    this.#thread ??= this.#start();
    if (!this.#isReady) return;
    this.#current = this.#waiting.shift();
    this.#thread.postMessage(this.#current?.order);
    // What was answered while this thread was busy arrives before the timer's second turn.
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#end('time'));
    }, this.#current?.limitMs);
  }

  #start(): Worker {
    const thread = new Worker(this.#worker, {resourceLimits: MEMORY});
    thread.unref();
    // What a thread that was ended had sent before answers no other order.
    thread.on('message', (message: unknown) => {
      if (thread === this.#thread) this.#take(message);
    });
    thread.on('error', () => {
      if (thread !== this.#thread) return;
      this.#current ??= this.#waiting.shift();
      this.#end('memory');
    });
    return thread;
  }

  #take(message: unknown): void {
    clearTimeout(this.#timer);
    const order = this.#current;
    this.#current = undefined;
    this.#isReady = true;
    if (message instanceof Error) order?.reject(message);
    else order?.resolve({json: String(message)});
    this.#next();
  }

  #end(reason: StoppedReading['reason']): void {
    clearTimeout(this.#timer);
    const [thread, order] = [this.#thread, this.#current];
    this.#thread = undefined;
    this.#isReady = false;
    this.#current = undefined;
    void thread?.terminate();
    order?.resolve(stoppedBy(reason, order.limitMs));
    this.#next();
  }
}

function stoppedBy(reason: StoppedReading['reason'], limitMs = MAX_READING_MS): ReadingResult {
  return {stopped: {reason, limitMs}};
}

/** The built worker; run from source, this thread reads. */
const READING_WORKER = new URL('dist/service/inspector/reading-worker.js', packageRoot());
const HAS_READING_WORKER = import.meta.url.endsWith('.js');

/** Answers questions about requests, beyond their own answers, where it can be ended. */
export class Readings {
  readonly #thread: ReadingThread<ReadingOrder> | undefined;

  constructor(worker = HAS_READING_WORKER ? READING_WORKER : undefined) {
    this.#thread = worker && new ReadingThread(worker);
  }

  async read(
    question: Question,
    partners: PartnerLookup,
    limitMs?: number,
  ): Promise<ReadingResult> {
    if (this.#thread?.isFull) return stoppedBy('queue', limitMs);
    const {answerReading, readingOrder} = await import('./reading-order.js');
    const order = readingOrder(question, partners);
    return this.#thread?.read(order, limitMs) ?? {json: answerReading(order)};
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}

/**
 * The details of a request as JSON; of a reading that was stopped, the reason, and what is known
 * without an explanation, or else the row.
 */
export async function readDetail(
  readings: Readings,
  detail: Omit<DetailSource, 'partners'>,
  partners: PartnerLookup,
): Promise<{readonly json: string; readonly reason?: StoppedReading['reason']}> {
  const result = await readings.read({detail}, partners);
  if ('json' in result) return result;
  const {stopped} = result;
  if (stopped.reason === 'time' && !detail.brief) {
    const {json, reason = stopped.reason} = await readDetail(
      readings,
      {...detail, brief: true},
      partners,
    );
    return {json: JSON.stringify({...JSON.parse(json), stopped}), reason};
  }
  const {requestDetail} = await import('./request-detail.js');
  const row = requestDetail({...detail, partners, raw: undefined});
  return {json: JSON.stringify({...row, stopped}), reason: stopped.reason};
}
