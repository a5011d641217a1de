import {PaylensError} from '../../contract/paylens-error.js';
import {AnswerQueue} from '../operations/answer-queue.js';
import type {ControlNews, ControlQuestion, ControlReply} from './control-messages.js';

interface Team {
  /** Tells every worker, and waits until all know. */
  readonly tell: (news: ControlNews) => Promise<unknown>;
  readonly forgetNonces: () => void;
}

type Answers = {
  readonly [A in ControlQuestion['ask']]: (question: Extract<ControlQuestion, {ask: A}>) => unknown;
};

/**
 * The queued answers of all workers: their primary holds them, so that each is used once. Workers
 * ask for one only while they know that there is any.
 */
export class TeamControl {
  readonly #team: Team;
  readonly #queue = new AnswerQueue();
  #isTokenUsed = false;

  readonly #answers: Answers = {
    take: ({call}) => {
      const taken = this.#queue.take(call);
      // Who asks before it has heard that gets none.
      if (taken && this.#queue.isEmpty) void this.#tellOfQueue();
      return taken;
    },
    add: async ({order}) => {
      const id = this.#queue.add(order);
      await this.#tellOfQueue();
      return id;
    },
    list: () => this.#queue.list(),
    remove: async ({answer}) => {
      const isRemoved = this.#queue.remove(answer);
      await this.#tellOfQueue();
      return isRemoved;
    },
    claimToken: () => {
      const isFirst = !this.#isTokenUsed;
      this.#isTokenUsed = true;
      return isFirst;
    },
    forget: () => this.#team.tell({forgetsRequests: true}),
    reset: () => {
      this.#queue.remove();
      this.#team.forgetNonces();
      return this.#team.tell({hasAnswers: false, forgetsRequests: true});
    },
  };

  constructor(team: Team) {
    this.#team = team;
  }

  /** What a worker that starts must know. */
  get news(): ControlNews {
    return {hasAnswers: !this.#queue.isEmpty};
  }

  async reply(question: ControlQuestion): Promise<ControlReply> {
    const answer = this.#answers[question.ask] as (question: ControlQuestion) => unknown;
    try {
      return {result: await answer(question)};
    } catch (error) {
      if (error instanceof PaylensError) return {code: error.code, detail: error.detail};
      throw error;
    }
  }

  #tellOfQueue(): Promise<unknown> {
    return this.#team.tell(this.news);
  }
}
