import type {Worker} from 'node:cluster';
import type {ToWorker, WorkerRegistry} from './messages.js';
import {orAfter} from './or-after.js';

/** Timeouts for a worker to report about itself and to prepare a registry. */
const LONGEST_SHOW = 2_000;
const LONGEST_PREPARE = 30_000;

/** A worker as its primary knows it: how far it is, and what it was asked. */
export class Member {
  readonly worker: Worker;
  readonly number: number;
  /** What it has, as an object: never compared by content. */
  registry: WorkerRegistry | undefined;
  /** When it began to serve, in milliseconds of `performance.now`. */
  servingSince: number | undefined;
  readonly #asked = new Map<number, (own: never) => void>();
  #questions = 0;
  #prepared: ((usable: boolean) => void) | undefined;

  constructor(worker: Worker, number: number) {
    this.worker = worker;
    this.number = number;
    // What cannot be sent any more is of no use to a worker that ends.
    worker.on('error', () => {});
  }

  tell(message: ToWorker): void {
    if (this.worker.isConnected()) this.worker.send(message, () => {});
  }

  /** Its answer to a message; undefined: there is none. */
  request<T>(message: (id: number) => ToWorker): Promise<T | undefined> {
    const id = this.#questions++;
    const told = new Promise<T | undefined>((resolve) => {
      this.#asked.set(id, resolve);
      this.tell(message(id));
    });
    return orAfter(LONGEST_SHOW, undefined, told).finally(() => this.#asked.delete(id));
  }

  /** It has answered a message. */
  answered(id: number, own?: unknown): void {
    this.#asked.get(id)?.(own as never);
  }

  /** A worker that ends meanwhile counts as one that can: its successor starts with the new one. */
  prepare(registry: WorkerRegistry): Promise<boolean> {
    const prepared = new Promise<boolean>((resolve) => {
      this.#prepared = resolve;
      this.tell({type: 'prepare', registry});
    });
    return orAfter(LONGEST_PREPARE, false, prepared);
  }

  /** It has answered `prepare`. */
  prepared(usable: boolean): void {
    this.#prepared?.(usable);
  }

  /** Puts what it has prepared in force. */
  commit(registry: WorkerRegistry): void {
    this.registry = registry;
    this.tell({type: 'commit'});
  }

  /** It has ended: no answer comes any more. */
  end(): void {
    for (const resolve of this.#asked.values()) resolve(undefined as never);
    this.prepared(true);
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }
}
