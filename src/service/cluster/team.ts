import cluster from 'node:cluster';
import {randomBytes, randomInt} from 'node:crypto';
import {fileURLToPath} from 'node:url';
import {DRAWS} from '../../contract/message-id.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {defectFields} from '../../contract/stack-of.js';
import type {ServiceLog} from '../information/log.js';
import {SharedView} from '../information/shared-view.js';
import type {KeptReplayStore} from '../replay/kept-replay-store.js';
import type {ControlNews} from './control-messages.js';
import {joinMetrics, joinReceived} from './join-views.js';
import {Member} from './member.js';
import type {
  InspectReply,
  ServiceOrder,
  ToPrimary,
  ViewName,
  Views,
  WorkerRegistry,
} from './messages.js';
import {Replacements} from './replacements.js';
import {answerClaims, type SharedNonces} from './shared-replay-store.js';
import {TeamControl} from './team-control.js';

interface TeamOptions {
  readonly workers: number;
  /** The program that a worker runs. */
  readonly script: URL;
  readonly service: ServiceOrder;
  readonly registry: WorkerRegistry;
  /** Where the nonces are, unless in a Redis. */
  readonly nonces: SharedNonces<KeptReplayStore> | undefined;
  readonly logger: ServiceLog['logger'];
}

type Handlers = {
  readonly [T in ToPrimary['type']]: (
    member: Member,
    message: Extract<ToPrimary, {type: T}>,
  ) => unknown;
};

/** A worker that has not ended by then is killed: longer than it waits for its requests. */
const LONGEST_STOP = 25_000;

/**
 * The processes of one service under their primary. It starts them, replaces those that die, holds
 * their nonces, gives a new registry to all or to none, and joins what they tell.
 */
export class Team {
  readonly #options: TeamOptions;
  readonly #members = new Map<number, Member>();
  readonly #digestSecret = randomBytes(32);
  #registry: WorkerRegistry;
  #draw = randomInt(DRAWS);
  #stopping = false;
  readonly #replacements = new Replacements((number) => this.#fork(number));
  /** However many of the workers are asked at once. */
  readonly #joint = {
    metrics: new SharedView(async () => joinMetrics(await this.#showsOf('metrics'), this.#state())),
    received: new SharedView(async () => joinReceived(await this.#showsOf('received'))),
  };
  readonly #control = new TeamControl({
    tell: (news) => Promise.all([...this.#members.values()].map((each) => this.#hear(each, news))),
    forgetNonces: () => this.#options.nonces?.store.clear?.(),
  });
  #turn: Promise<unknown> = Promise.resolve();
  #started: {resolve: (url: string) => void; reject: (error: Error) => void} | undefined;

  readonly #handlers: Handlers = {
    hello: (member) => this.#order(member),
    listening: (member, {url}) => this.#welcome(member, url),
    failed: (member, message) => this.#fail(member, message),
    prepared: (member, {usable}) => member.prepared(usable),
    claim: (member, message) => this.#claim(member, message),
    show: (member, message) => this.#showAll(member, message),
    shown: (member, {id, own}) => member.answered(id, own),
    inspect: (member, message) => this.#inspectAll(member, message),
    inspected: (member, {id, reply}) => member.answered(id, reply),
    ask: (member, message) => this.#reply(member, message),
    heard: (member, {id}) => member.answered(id),
  };

  constructor(options: TeamOptions) {
    this.#options = options;
    this.#registry = options.registry;
  }

  /**
   * Starts the workers and returns the url when all of them listen.
   * Throws what `launch` throws in the first that fails; then none is left.
   */
  async start(): Promise<string> {
    cluster.setupPrimary({
      exec: fileURLToPath(this.#options.script),
      args: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    process.once('exit', () => this.#kill());
    const started = new Promise<string>((resolve, reject) => {
      this.#started = {resolve, reject};
    });
    for (let number = 1; number <= this.#options.workers; number++) this.#fork(number);
    try {
      return await started;
    } catch (error) {
      this.#stopping = true;
      this.#kill();
      throw error;
    } finally {
      this.#started = undefined;
    }
  }

  /** Puts a registry in force: every worker has it ready before the first uses it. */
  reload(registry: WorkerRegistry): Promise<void> {
    return this.#inTurn(async () => {
      const serving = this.#serving();
      const answers = await Promise.all(serving.map((member) => member.prepare(registry)));
      if (!answers.every(Boolean)) throw new PaylensError(1, 'a worker could not apply the update');
      this.#registry = registry;
      for (const member of serving) member.commit(registry);
      await Promise.all(this.#serving().map((member) => this.#update(member)));
    });
  }

  /** Lets every worker finish its requests. */
  async close(): Promise<void> {
    this.#stopping = true;
    const ended = [...this.#members.values()].map(
      ({worker}) => new Promise((resolve) => worker.once('exit', resolve)),
    );
    for (const member of this.#members.values()) member.tell({type: 'stop'});
    this.#replacements.stop();
    const late = setTimeout(() => this.#kill(), LONGEST_STOP);
    await Promise.all(ended);
    clearTimeout(late);
  }

  #fork(number: number): void {
    const worker = cluster.fork();
    const member = new Member(worker, number);
    this.#members.set(number, member);
    worker.on('message', (message: ToPrimary) => this.#take(member, message));
    worker.once('exit', (code, signal) => this.#bury(member, signal ?? String(code)));
  }

  #take(member: Member, message: ToPrimary): void {
    const handle = this.#handlers[message.type] as (member: Member, message: ToPrimary) => unknown;
    const handled = (async () => handle(member, message))();
    // A defect in one message must not end the service.
    handled.catch((error: Error) => this.#options.logger.error(defectFields(error), 'defect'));
  }

  #order(member: Member): void {
    this.#draw = (this.#draw + 1) % DRAWS;
    const {service} = this.#options;
    const order = {
      service,
      registry: this.#registry,
      draw: this.#draw,
      digestSecret: this.#digestSecret,
      news: this.#control.news,
    };
    member.registry = this.#registry;
    member.tell({type: 'start', order});
  }

  #welcome(member: Member, url: string): void {
    member.servingSince = performance.now();
    const {logger, workers} = this.#options;
    logger.info({worker: member.number, pid: member.worker.process.pid}, 'worker ready');
    if (this.#serving().length === workers) this.#started?.resolve(url);
    void this.#inTurn(() => this.#update(member));
  }

  #fail(member: Member, {code, detail, hint}: Extract<ToPrimary, {type: 'failed'}>): void {
    const error = new PaylensError(code, detail, {hint});
    if (this.#started) this.#started.reject(error);
    else this.#options.logger.error({worker: member.number, why: error.message}, 'worker failed');
    member.kill();
  }

  /** Workers whose nonces are in a Redis do not ask. */
  async #claim(member: Member, message: Extract<ToPrimary, {type: 'claim'}>): Promise<void> {
    const {nonces} = this.#options;
    if (nonces) member.tell({type: 'claimed', ...(await answerClaims(nonces, message))});
  }

  async #showAll(member: Member, {id, view}: Extract<ToPrimary, {type: 'show'}>): Promise<void> {
    member.tell({type: 'shown', id, joint: await this.#joint[view].ask()});
  }

  async #reply(member: Member, {id, question}: Extract<ToPrimary, {type: 'ask'}>): Promise<void> {
    member.tell({type: 'replied', id, reply: await this.#control.reply(question)});
  }

  /** A worker that has no order yet gets the news with it. */
  async #hear(member: Member, news: ControlNews): Promise<void> {
    if (member.registry === undefined) return;
    await member.request((id) => ({type: 'hear', id, news}));
  }

  async #showsOf<V extends ViewName>(view: V): Promise<Views[V][]> {
    const all = await Promise.all(
      this.#serving().map((each) => each.request<Views[V]>((id) => ({type: 'show', id, view}))),
    );
    return all.filter((own) => own !== undefined);
  }

  async #inspectAll(
    member: Member,
    {id, question}: Extract<ToPrimary, {type: 'inspect'}>,
  ): Promise<void> {
    const asked = this.#serving().map((each) =>
      each.request<InspectReply>((ask) => ({type: 'inspect', id: ask, question})),
    );
    member.tell({type: 'inspected', id, replies: await Promise.all(asked)});
  }

  #state() {
    const held = this.#options.nonces?.store.held;
    return {serving: this.#serving().length, deaths: this.#replacements.deaths, held};
  }

  /** For a worker that was started with a registry that was replaced meanwhile. */
  async #update(member: Member): Promise<void> {
    const registry = this.#registry;
    if (member.registry === registry) return;
    if (await member.prepare(registry)) member.commit(registry);
  }

  /** One change of registries after the other. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#turn.then(change);
    this.#turn = changed.catch(() => {});
    return changed;
  }

  #bury(member: Member, why: string): void {
    this.#members.delete(member.number);
    member.end();
    if (this.#started) this.#started.reject(new PaylensError(1, 'a worker exited during startup'));
    if (this.#stopping) return;
    const {number: worker, servingSince} = member;
    const pause = this.#replacements.replace(worker, servingSince);
    this.#options.logger.error({worker, why, pause}, 'worker exited: starting a replacement');
  }

  #serving(): Member[] {
    return [...this.#members.values()].filter(({servingSince}) => servingSince !== undefined);
  }

  #kill(): void {
    for (const member of this.#members.values()) member.kill();
  }
}
