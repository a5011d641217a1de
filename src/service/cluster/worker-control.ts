import type {QueuedAnswer, TestAnswer} from '../../contract/control/queued-answer.js';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import {PaylensError} from '../../contract/paylens-error.js';
import type {Control} from '../control/control.js';
import type {AnswerCall} from '../operations/answer-queue.js';
import type {ControlNews, ControlQuestion, ControlReply} from './control-messages.js';

interface Primary {
  /** Throws 2 when there is no response. */
  readonly ask: (question: ControlQuestion) => Promise<ControlReply>;
  readonly requests: () => Promise<readonly ReceivedRequest[]>;
}

/** The control of a service as one of its workers has it: the primary holds everything. */
export class WorkerControl implements Control {
  readonly #primary: Primary;
  #hasAnswers = false;

  readonly answers;

  constructor(primary: Primary) {
    this.#primary = primary;
    const isEmpty = () => !this.#hasAnswers;
    this.answers = {
      get isEmpty() {
        return isEmpty();
      },
      take: (call: AnswerCall) => this.#ask<TestAnswer | undefined>({ask: 'take', call}),
    };
  }

  hear({hasAnswers}: ControlNews): void {
    this.#hasAnswers = hasAnswers ?? this.#hasAnswers;
  }

  requests(): Promise<readonly ReceivedRequest[]> {
    return this.#primary.requests();
  }

  forgetRequests(): Promise<void> {
    return this.#ask({ask: 'forget'});
  }

  reset(): Promise<void> {
    return this.#ask({ask: 'reset'});
  }

  addAnswer(order: Parameters<Control['addAnswer']>[0]): Promise<string> {
    return this.#ask({ask: 'add', order});
  }

  queuedAnswers(): Promise<readonly QueuedAnswer[]> {
    return this.#ask({ask: 'list'});
  }

  removeAnswers(answer?: string): Promise<boolean> {
    return this.#ask({ask: 'remove', answer});
  }

  /** Whether this is the first exchange of the inspector's token among all workers. */
  claimToken(): Promise<boolean> {
    return this.#ask({ask: 'claimToken'});
  }

  async #ask<T>(question: ControlQuestion): Promise<T> {
    const reply = await this.#primary.ask(question);
    if ('code' in reply) throw new PaylensError(reply.code, reply.detail);
    return reply.result as T;
  }
}
