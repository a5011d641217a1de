import type {AnswerOrder, QueuedAnswer} from '../../contract/control/queued-answer.js';
import type {ReceivedRequest} from '../../contract/control/received-request.js';
import {AnswerQueue, type AnswerSource} from '../operations/answer-queue.js';

/** What a test suite sees and sets, of all processes of a demo or mock service together. */
export interface Control {
  /** Asked for each request. */
  readonly answers: AnswerSource;
  /** What was received, oldest first. */
  readonly requests: () => Promise<readonly ReceivedRequest[]>;
  readonly forgetRequests: () => Promise<void>;
  /** Forgets requests, answers, and nonces held by the service. */
  readonly reset: () => Promise<void>;
  /** Queues an answer that was checked; returns its id. */
  readonly addAnswer: (order: AnswerOrder) => Promise<string>;
  readonly queuedAnswers: () => Promise<readonly QueuedAnswer[]>;
  /** Removes an answer, or all; false: there is none with this id. */
  readonly removeAnswers: (id?: string) => Promise<boolean>;
}

/** That of a service of one process, which need not be waited for. */
export interface LocalControl extends Control {
  readonly answers: AnswerQueue;
  readonly received: Held['received'];
  readonly forget: () => void;
}

/** What one process holds that its control forgets. */
interface Held {
  readonly received: {readonly list: () => readonly ReceivedRequest[]; readonly clear: () => void};
  readonly forgetNonces: () => void;
}

/** The control of a service of one process. */
export function localControl({received, forgetNonces}: Held): LocalControl {
  const answers = new AnswerQueue();
  const forget = () => {
    received.clear();
    answers.remove();
    forgetNonces();
  };
  return {
    answers,
    received,
    forget,
    requests: async () => received.list(),
    forgetRequests: async () => received.clear(),
    reset: async () => forget(),
    addAnswer: async (order) => answers.add(order),
    queuedAnswers: async () => answers.list(),
    removeAnswers: async (id) => answers.remove(id),
  };
}
