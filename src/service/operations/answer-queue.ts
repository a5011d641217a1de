import {randomUUID} from 'node:crypto';
import type {AnswerOrder} from '../../contract/control/queued-answer.js';
import type {Operation} from '../../contract/operation.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {comparableSerial} from '../registry/device-registry.js';

/** The parts of a request that an answer can match. */
export interface AnswerCall {
  readonly operation: Operation;
  readonly reference?: string | undefined;
  readonly deviceType?: string | undefined;
  /** In the request and in its payload. */
  readonly serials: readonly string[];
}

/** Answers in the queue at most. */
const MAX_ANSWERS = 1000;

/** What a queue takes: an answer, and for how many calls it is. */
interface Order {
  readonly answer: unknown;
  readonly times?: number | undefined;
}

/** An order in a queue. */
export type Waiting<T> = T & {readonly id: string; readonly times: number};

/** The answers of a service. */
export type ServiceAnswers = AnswerQueue<AnswerOrder, AnswerCall>;

/** A queue for the answers of a service. */
export function serviceAnswers(): ServiceAnswers {
  return new AnswerQueue(isFor);
}

/** The answers that wait for their calls, first come first used. */
export class AnswerQueue<T extends Order, Call> {
  readonly #isFor: (order: T, call: Call) => boolean;
  #answers: Waiting<T>[] = [];

  constructor(isFor: (order: T, call: Call) => boolean) {
    this.#isFor = isFor;
  }

  /** Whether nothing is queued: then a request is not compared with answers at all. */
  get isEmpty(): boolean {
    return this.#answers.length === 0;
  }

  /** Queues an answer and returns its id. Throws 2005 when too many wait. */
  add(order: T): string {
    if (this.#answers.length >= MAX_ANSWERS)
      throw new PaylensError(2005, `at most ${MAX_ANSWERS} answers can wait: delete some`);
    const id = randomUUID();
    this.#answers.push(Object.assign({id}, order, {times: order.times ?? 1}));
    return id;
  }

  list(): readonly Waiting<T>[] {
    return [...this.#answers];
  }

  /** Removes an answer, or all; false if none has this id. */
  remove(id?: string): boolean {
    const kept = this.#answers.filter((answer) => id !== undefined && answer.id !== id);
    const isRemoved = id === undefined || kept.length < this.#answers.length;
    this.#answers = kept;
    return isRemoved;
  }

  /** Uses the first answer for this call; undefined if there is none. */
  take(call: Call): T['answer'] | undefined {
    const index = this.#answers.findIndex((order) => this.#isFor(order, call));
    const found = this.#answers[index];
    if (!found) return undefined;
    if (found.times === 1) this.#answers.splice(index, 1);
    else this.#answers[index] = Object.assign({}, found, {times: found.times - 1});
    return found.answer;
  }
}

function isFor({match = {}, answer}: AnswerOrder, call: AnswerCall): boolean {
  if (answer.card !== undefined && call.operation !== 'process-payload') return false;
  if (match.reference !== undefined && match.reference !== call.reference) return false;
  if (match.deviceType !== undefined && match.deviceType !== call.deviceType) return false;
  if (match.serial === undefined) return true;
  const wanted = comparableSerial(match.serial);
  return call.serials.some((serial) => comparableSerial(serial) === wanted);
}
