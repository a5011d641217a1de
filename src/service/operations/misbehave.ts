import type {ServerResponse} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import type {FastifyReply} from 'fastify';
import type {Fault} from '../../contract/control/queued-answer.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {errorAnswer} from '../http/http-message.js';
import type {Outcome} from './answer-request.js';

interface Misbehaviour {
  readonly outcome: Outcome;
  readonly reply: FastifyReply;
  /** Responses that are never sent. */
  readonly unanswered: Set<ServerResponse>;
}

const SLOW_ANSWER = 5_000;
/** Those that leave no answer to be sent. */
const SILENT: ReadonlySet<Fault> = new Set(['timeout', 'drop', 'reset', 'truncated']);

/** The outcome to answer with under a fault; undefined: the fault is all that the client gets. */
export async function misbehave(
  fault: Fault,
  misbehaviour: Misbehaviour,
): Promise<Outcome | undefined> {
  if (SILENT.has(fault)) misbehaviour.reply.hijack();
  return MISBEHAVE[fault](misbehaviour);
}

const MISBEHAVE: Readonly<
  Record<Fault, (about: Misbehaviour) => Outcome | undefined | Promise<Outcome>>
> = {
  slow: async ({outcome}) => {
    await wait(SLOW_ANSWER, undefined, {ref: false});
    return outcome;
  },
  '500': ({outcome}) => {
    const {messageId, reference} = outcome;
    const error = new PaylensError(1, 'as requested');
    return {...outcome, error, answer: errorAnswer(error, {messageId, reference})};
  },
  malformed: ({outcome}) => {
    const {answer} = outcome;
    return {...outcome, answer: {...answer, body: halfOf(answer.body)}};
  },
  timeout: ({reply: {raw}, ...about}) => {
    about.unanswered.add(raw);
    raw.once('close', () => about.unanswered.delete(raw));
    return undefined;
  },
  drop: ({reply}) => {
    reply.raw.destroy();
    return undefined;
  },
  reset: ({reply: {raw}}) => {
    const {socket} = raw;
    // TLS has no reset of its own.
    if (!socket || 'encrypted' in socket) raw.destroy();
    else socket.resetAndDestroy();
    return undefined;
  },
  truncated: ({outcome, reply: {raw}}) => {
    const {status, headers, body} = outcome.answer;
    raw.writeHead(status, {...headers, 'content-length': Buffer.byteLength(body)});
    raw.write(halfOf(body), () => raw.destroy());
    return undefined;
  },
};

function halfOf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}
