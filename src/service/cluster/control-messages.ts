import type {AnswerOrder} from '../../contract/control/queued-answer.js';
import type {ErrorCode} from '../../contract/error-catalogue.js';
import type {AnswerCall} from '../operations/answer-queue.js';

/** What a worker asks of the queue that its primary holds, or to be forgotten by all workers. */
export type ControlQuestion =
  | {readonly ask: 'take'; readonly call: AnswerCall}
  | {readonly ask: 'add'; readonly order: AnswerOrder}
  | {readonly ask: 'list'}
  | {readonly ask: 'remove'; readonly answer?: string | undefined}
  /** Whether this is the first who exchanges the inspector's token. */
  | {readonly ask: 'claimToken'}
  | {readonly ask: 'forget'}
  | {readonly ask: 'reset'};

/** The primary's reply. */
export type ControlReply =
  | {readonly result: unknown}
  | {readonly code: ErrorCode; readonly detail: string};

/** What every worker must know before the control request is answered. */
export interface ControlNews {
  /** Whether answers are queued, so that each request asks for one. */
  readonly hasAnswers?: boolean;
  readonly forgetsRequests?: boolean;
}
