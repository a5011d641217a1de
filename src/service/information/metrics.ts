import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import type {ServiceReplayStore} from '../replay/service-replay-store.js';

/** The metrics of a service. Labels never contain a PAN, a serial number, a partner or a key. */
export interface Metrics {
  readonly observe: (request: FinishedRequest) => void;
  readonly observeRefused: (request: RefusedRequest) => void;
  /** Counts a connection beyond the limit. */
  readonly observeDrop: () => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** Makes the Prometheus metrics of a service. */
export function createMetrics(replay: ServiceReplayStore): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({register: registry, prefix: 'paylens_'});
  const registers = [registry];
  const requests = new Counter({
    name: 'paylens_requests_total',
    help: 'Requests answered, by operation, HTTP status and authentication method',
    labelNames: ['operation', 'status', 'authentication'],
    registers,
  });
  const errors = new Counter({
    name: 'paylens_errors_total',
    help: 'Error objects sent, by operation and errCode',
    labelNames: ['operation', 'errCode'],
    registers,
  });
  const duration = new Histogram({
    name: 'paylens_request_duration_seconds',
    help: 'Time from the complete request to the response',
    labelNames: ['operation'],
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const drops = new Counter({
    name: 'paylens_connections_dropped_total',
    help: 'Connections closed because the limit was reached',
    registers,
  });
  addReplayMetrics(registers, replay);
  return {
    observe: ({operation, outcome: {answer, error, sender}, milliseconds}) => {
      requests.inc({operation, status: answer.status, authentication: sender?.method ?? 'none'});
      duration.observe({operation}, milliseconds / 1000);
      if (error) errors.inc({operation, errCode: error.code});
    },
    observeRefused: ({answer, error}) => {
      requests.inc({operation: 'none', status: answer.status, authentication: 'none'});
      errors.inc({operation: 'none', errCode: error.code});
    },
    observeDrop: () => drops.inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Adds the state of the replay store, which is collected when the metrics are requested. */
function addReplayMetrics(registers: Registry[], replay: ServiceReplayStore): void {
  new Gauge({
    name: 'paylens_replay_store_up',
    help: 'Whether the replay store is reachable (1) or not (0)',
    registers,
    async collect() {
      this.set((await replay.isReady()) ? 1 : 0);
    },
  });
  new Counter({
    name: 'paylens_replay_store_failures_total',
    help: 'Nonces the replay store could not store; their requests got 503',
    registers,
    collect() {
      this.reset();
      this.inc(replay.failures);
    },
  });
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
