import type {ServerResponse} from 'node:http';
import type {FastifyReply} from 'fastify';
import type {Fault} from '../../contract/control/queued-answer.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {errorAnswer} from '../http/http-message.js';
import {waitForClient} from '../http/wait-for-client.js';
import type {Outcome} from './answer-request.js';

interface FaultContext {
  readonly outcome: Outcome;
  readonly reply: FastifyReply;
  /** Takes charge of a response that is never sent. */
  readonly holdOpen: (response: ServerResponse) => void;
}

const SLOW_ANSWER_MS = 5_000;
/** Faults after which no answer is sent. */
const WITHOUT_ANSWER: ReadonlySet<Fault> = new Set(['timeout', 'drop', 'reset', 'truncated']);

/** The outcome to answer with under a fault; undefined if the client gets no answer. */
export async function injectFault(
  fault: Fault,
  context: FaultContext,
): Promise<Outcome | undefined> {
  if (WITHOUT_ANSWER.has(fault)) context.reply.hijack();
  return INJECTIONS[fault](context);
}

type Injection = (context: FaultContext) => Outcome | undefined | Promise<Outcome>;

const INJECTIONS: Readonly<Record<Fault, Injection>> = {
  slow: async ({outcome, reply}) => {
    await waitForClient(SLOW_ANSWER_MS, reply.request.raw.socket);
    return outcome;
  },
  '500': ({outcome}) => {
    const {messageId, reference} = outcome;
    const error = new PaylensError(1, 'as requested');
    return {
      ...outcome,
      error,
      isRequested: true,
      answer: errorAnswer(error, {messageId, reference}),
    };
  },
  malformed: ({outcome}) => {
    const {answer} = outcome;
    return {...outcome, answer: {...answer, body: firstHalf(answer.body)}};
  },
  timeout: ({reply, holdOpen}) => void holdOpen(reply.raw),
  drop: ({reply}) => void reply.raw.destroy(),
  reset: ({reply: {raw}}) => {
    const {socket} = raw;
    // TLS cannot be reset.
    if (!socket || 'encrypted' in socket) raw.destroy();
    else socket.resetAndDestroy();
  },
  truncated: ({outcome, reply: {raw}}) => {
    const {status, headers, body} = outcome.answer;
    raw.writeHead(status, {...headers, 'content-length': Buffer.byteLength(body)});
    raw.write(firstHalf(body), () => raw.destroy());
  },
};

/** What is sent of a body under a fault that the answer does not show. */
export function sentPart(fault: Fault | undefined, body: string): string {
  return fault === 'truncated' ? firstHalf(body) : body;
}

function firstHalf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}
