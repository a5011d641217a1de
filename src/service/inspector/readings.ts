import {packageRoot} from '../../files/package-root.js';
import type {RefusedRaw} from '../operations/explain-refusal.js';
import type {ReadingResult} from '../operations/reading-thread.js';
import {ReadingThread} from '../operations/reading-thread.js';
import type {ReadingOrder} from './reading-order.js';
import type {DetailSource} from './request-detail.js';

/** The built worker; run from source, this thread reads. */
const READING_WORKER = new URL('dist/service/inspector/reading-worker.js', packageRoot());
const HAS_READING_WORKER = import.meta.url.endsWith('.js');

/** What is read of requests beyond their answers, where it can be ended. */
export class Readings {
  readonly #thread: ReadingThread<ReadingOrder> | undefined;

  constructor(worker = HAS_READING_WORKER ? READING_WORKER : undefined) {
    this.#thread = worker && new ReadingThread(worker);
  }

  /** A RequestDetail. */
  async detail({raw, partners, row, ...rest}: DetailSource): Promise<ReadingResult> {
    const {rawCopy, sentPartners} = await import('./reading-order.js');
    const detail = {...rest, row, raw: raw && rawCopy(raw)};
    const sent = raw ? sentPartners(raw, partners, row.partnerId) : [];
    return this.#read({detail, partners: sent});
  }

  /** An Explanation of a request that got a 1003 at `now`, in milliseconds. */
  async explanation({reason, partners, ...raw}: RefusedRaw, now: number): Promise<ReadingResult> {
    const {rawCopy, sentPartners} = await import('./reading-order.js');
    const refused = {...rawCopy(raw), reason};
    return this.#read({refused, now, partners: sentPartners(raw, partners)});
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  async #read(order: ReadingOrder): Promise<ReadingResult> {
    if (this.#thread) return this.#thread.read(order);
    const {answerReading} = await import('./reading-order.js');
    return {json: answerReading(order)};
  }
}
