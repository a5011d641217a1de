import {Counter, collectDefaultMetrics, Histogram, Registry} from 'prom-client';
import type {FinishedRequest, RefusedRequest} from '../operations/answer-request.js';
import type {KeptReplayStore} from '../replay/kept-replay-store.js';
import {addReplayMetrics} from '../replay/replay-metrics.js';

/** The metrics of a service. Labels never contain a PAN, a serial number, a partner or a key. */
export interface Metrics {
  readonly observe: (request: FinishedRequest) => void;
  readonly observeRefused: (request: RefusedRequest) => void;
  /** A connection was beyond the limit. */
  readonly observeDrop: () => void;
  readonly text: () => Promise<string>;
  /** The metrics as data, to be merged with those of other processes. */
  readonly data: () => Promise<object[]>;
  readonly contentType: string;
}

/** Makes the Prometheus metrics of one server. `replay` is asked for its state when they are. */
export function createMetrics(replay: () => KeptReplayStore): Metrics {
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
    data: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}
