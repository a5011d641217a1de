import {randomUUID} from 'node:crypto';
import type {AnswerOrder, QueuedAnswer, TestAnswer} from '../../contract/control/queued-answer.js';
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

/** The answers that wait for their requests, first come first used. */
export class AnswerQueue {
  #answers: QueuedAnswer[] = [];

  /** Whether nothing is queued: then a request is not compared with answers at all. */
  get isEmpty(): boolean {
    return this.#answers.length === 0;
  }

  /** Queues an answer and returns its id. Throws 2005 when too many wait. */
  add({times = 1, ...order}: AnswerOrder): string {
    if (this.#answers.length >= MAX_ANSWERS)
      throw new PaylensError(2005, `at most ${MAX_ANSWERS} answers can wait: delete some`);
    const id = randomUUID();
    this.#answers.push({id, ...order, times});
    return id;
  }

  list(): readonly QueuedAnswer[] {
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
  take(call: AnswerCall): TestAnswer | undefined {
    const index = this.#answers.findIndex((answer) => isFor(answer, call));
    const found = this.#answers[index];
    if (!found) return undefined;
    if (found.times === 1) this.#answers.splice(index, 1);
    else this.#answers[index] = {...found, times: found.times - 1};
    return found.answer;
  }
}

function isFor({match = {}, answer}: QueuedAnswer, call: AnswerCall): boolean {
  if (answer.card !== undefined && call.operation !== 'process-payload') return false;
  if (match.reference !== undefined && match.reference !== call.reference) return false;
  if (match.deviceType !== undefined && match.deviceType !== call.deviceType) return false;
  if (match.serial === undefined) return true;
  const wanted = comparableSerial(match.serial);
  return call.serials.some((serial) => comparableSerial(serial) === wanted);
}
