import type {PartnerLookup} from '../../auth/partner/partner.js';
import {packageRoot} from '../../files/package-root.js';
import {type ReadingResult, ReadingThread} from '../operations/reading-thread.js';
import type {Question, ReadingOrder} from './reading-order.js';

/** The built worker; run from source, this thread reads. */
const READING_WORKER = new URL('dist/service/inspector/reading-worker.js', packageRoot());
const HAS_READING_WORKER = import.meta.url.endsWith('.js');

/** Answers questions about requests, beyond their own answers, where it can be ended. */
export class Readings {
  readonly #thread: ReadingThread<ReadingOrder> | undefined;

  constructor(worker = HAS_READING_WORKER ? READING_WORKER : undefined) {
    this.#thread = worker && new ReadingThread(worker);
  }

  async read(question: Question, partners: PartnerLookup): Promise<ReadingResult> {
    const {answerReading, readingOrder} = await import('./reading-order.js');
    const order = readingOrder(question, partners);
    return this.#thread?.read(order) ?? {json: answerReading(order)};
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
