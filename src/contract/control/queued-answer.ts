import type {ErrorCode} from '../error-catalogue.js';

/** How a demo or mock service can misbehave. */
export const FAULTS = [
  'timeout',
  'drop',
  'reset',
  'slow',
  '500',
  'malformed',
  'truncated',
] as const;
/**
 * `timeout`: no response; `drop`: the connection is closed; `reset`: it is reset; `slow`: the
 * response comes after five seconds; `500`: error 1; `malformed`: half of the JSON; `truncated`: the
 * connection is closed in the middle of the response.
 */
export type Fault = (typeof FAULTS)[number];

/** The requests that a queued answer is for; without members all of them. */
export interface AnswerMatch {
  readonly reference?: string | undefined;
  /** Of the device: in the request, or in the payload where it is not encrypted. */
  readonly serial?: string | undefined;
  readonly deviceType?: string | undefined;
}

/** What a request gets: one of card, error and fault, or the usual answer; after `latency`. */
export interface TestAnswer {
  /** A test card, for process-payload. `paylens simulate --list-cards` lists them. */
  readonly card?: string | undefined;
  /** An errCode of the service. `paylens errors` lists them. */
  readonly error?: ErrorCode | undefined;
  readonly fault?: Fault | undefined;
  /** Milliseconds before the answer. */
  readonly latency?: number | undefined;
}

/** An answer for requests to come: the first that matches is used. */
export interface AnswerOrder {
  readonly match?: AnswerMatch | undefined;
  readonly answer: TestAnswer;
  /** How many requests get it; default 1. */
  readonly times?: number | undefined;
}

/** An answer that waits for its requests. */
export interface QueuedAnswer extends AnswerOrder {
  readonly id: string;
  /** How many requests still get it. */
  readonly times: number;
}
