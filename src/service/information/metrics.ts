import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import type {ServiceReplayStore} from '../replay/service-replay-store.js';

const REQUESTS = {
  name: 'paylens_requests_total',
  help: 'Requests answered, by operation, HTTP status and authentication method',
  labelNames: ['operation', 'status', 'authentication'],
} as const satisfies CounterConfiguration<string>;
const ERRORS = {
  name: 'paylens_errors_total',
  help: 'Error objects sent, by operation and errCode',
  labelNames: ['operation', 'errCode'],
} as const satisfies CounterConfiguration<string>;
const DURATION = {
  name: 'paylens_request_duration_seconds',
  help: 'Time from the complete request to the response',
  labelNames: ['operation'],
  buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
};
const DROPS = {
  name: 'paylens_connections_dropped_total',
  help: 'Connections closed because the limit was reached',
};

const DROPPED_LINES = {
  name: 'paylens_log_lines_dropped_total',
  help: 'Log lines dropped because they could not be written',
};
const CLOCK_JUMPS = {
  name: 'paylens_clock_jumps_total',
  help: 'Times that the system clock was set by a second or more',
};
const STORE_FAILURES = {
  name: 'paylens_replay_store_failures_total',
  help: 'Nonces the replay store could not store; their requests got 503',
};

/** Prometheus metrics. Labels never contain a PAN, a serial number, a partner or a key. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({...REQUESTS, registers: [this.#registry]});
  readonly #errors = new Counter({...ERRORS, registers: [this.#registry]});
  readonly #duration = new Histogram({...DURATION, registers: [this.#registry]});
  readonly #drops = new Counter({...DROPS, registers: [this.#registry]});

  constructor(
    replay: ServiceReplayStore,
    log: {readonly dropped: number},
    clock: {readonly jumps: number},
  ) {
    collectDefaultMetrics({register: this.#registry, prefix: 'paylens_'});
    addReplayMetrics(this.#registry, replay);
    addCount(this.#registry, DROPPED_LINES, () => log.dropped);
    addCount(this.#registry, CLOCK_JUMPS, () => clock.jumps);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  observe({operation: given, outcome, milliseconds}: FinishedRequest): void {
    const operation = given ?? 'none';
    const {answer, error, sender} = outcome;
    const authentication = sender?.method ?? 'none';
    this.#requests.inc({operation, status: answer.status, authentication});
    this.#duration.observe({operation}, milliseconds / 1000);
    if (error) this.#errors.inc({operation, errCode: error.code});
  }

  /** Counts a request that was rejected before it reached an operation. */
  observeRefused({answer, error}: RefusedRequest): void {
    this.#requests.inc({operation: 'none', status: answer.status, authentication: 'none'});
    this.#errors.inc({operation: 'none', errCode: error.code});
  }

  /** Counts a connection beyond the limit. */
  observeDrop(): void {
    this.#drops.inc();
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** Adds the state of the replay store, which is collected when the metrics are requested. */
function addReplayMetrics(register: Registry, replay: ServiceReplayStore): void {
  const registers = [register];
  new Gauge({
    name: 'paylens_replay_store_up',
    help: 'Whether the replay store is reachable (1) or not (0)',
    registers,
    async collect() {
      this.set((await replay.isReady()) ? 1 : 0);
    },
  });
  addCount(register, STORE_FAILURES, () => replay.failures);
  if (replay.size === undefined) return;
  new Gauge({
    name: 'paylens_replay_store_nonces',
    help: 'Used nonces stored for replay protection',
    registers,
    collect() {
      this.set(replay.size ?? 0);
    },
  });
}

/** Adds a count that is kept elsewhere. */
function addCount(register: Registry, about: {name: string; help: string}, count: () => number) {
  new Counter({
    ...about,
    registers: [register],
    collect() {
      this.reset();
      this.inc(count());
    },
  });
}
