import {performance} from 'node:perf_hooks';
import type {Server as TlsServer} from 'node:tls';
import type {Control} from './control/control.js';
import {addControlRoutes, SERVICE_CONTROL} from './control/control-routes.js';
import {readTls} from './http/tls-files.js';
import {addInformationRoutes} from './information/information-routes.js';
import type {ServiceLog} from './information/log.js';
import {Inspector} from './inspector/inspector.js';
import {InspectorToken} from './inspector/inspector-access.js';
import {addInspectorRoutes} from './inspector/inspector-routes.js';
import {hasInspector, type LaunchOptions} from './launch-options.js';
import {openService, reportRequest, type Service} from './open-service.js';
import {answerRequest, type Incoming, type Outcome} from './operations/answer-request.js';
import {PaylensServer} from './paylens-server.js';
import type {Registry} from './registry/registry.js';

/** A running service. */
export interface LaunchedService {
  readonly url: string;
  readonly control: Control;
  readonly log: ServiceLog;
  /**
   * Uses another registry, and the TLS files as they are now, from the next connection and request
   * on. Throws 9002, and changes nothing, if the files are not usable.
   */
  readonly reload: (registry: Registry) => void;
  /** Lets requests in flight finish, refuses new ones, then closes. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a service and waits until it listens.
 * Throws 9020 when the address, the port or the Redis cannot be used, 9002 when the certificate
 * cannot be read.
 */
export async function launch(given: LaunchOptions): Promise<LaunchedService> {
  // What others added to Object.prototype is not an option.
  const options: LaunchOptions = Object.assign(Object.create(null), given);
  const {tls: tlsFiles} = options;
  // Read before the store is opened, so that a failure leaves no open connection.
  const tls = tlsFiles && readTls(tlsFiles);
  const service = await openService(options);
  const {replay, control, log, readings} = service;
  const server = new PaylensServer(service, tls);
  addRoutes(server, service);
  await server.listen().catch((error: unknown) => {
    replay.close();
    throw error;
  });
  return {
    ...{url: server.url, control, log},
    reload: (registry) => {
      const pems = tlsFiles && readTls(tlsFiles);
      service.registry = registry;
      if (pems) (server.app.server as unknown as TlsServer).setSecureContext(pems);
    },
    close: async () => {
      await server.close();
      replay.close();
      await readings.close();
      log.flush();
    },
  };
}

function addRoutes(server: PaylensServer, service: Service): void {
  const {app, limited} = server;
  const {metrics, replay, control, clock, options, mode} = service;
  app.server.on('drop', () => metrics.observeDrop());
  addInformationRoutes(app, {
    metrics,
    limited,
    clock,
    isReady: async () => !server.isDraining && (await replay.isReady()),
    extended: options.extended ?? false,
  });
  if (mode !== 'real') addControlRoutes(app, {control, limited, ...SERVICE_CONTROL});
  if (hasInspector(options)) addInspector(server, service);
}

function addInspector(server: PaylensServer, service: Service): void {
  const {options, clock, control, mode} = service;
  const {app, limited, holdOpen, bodyLimit} = server;
  const {inspectorToken} = options;
  const inspector = new Inspector({
    ...{service, bodyLimit},
    url: () => server.url,
    answer: (incoming) => answerAgain(incoming, service),
  });
  addInspectorRoutes(app, {
    ...{mode, control, limited, holdOpen, inspector},
    origin: {scheme: options.tls ? 'https' : 'http', port: () => server.address.port},
    token:
      inspectorToken === undefined ? undefined : new InspectorToken(inspectorToken, clock.elapsed),
  });
}

/** Answers a request that the inspector sends again; faults of the connection are left out. */
async function answerAgain(incoming: Incoming, service: Service): Promise<Outcome> {
  const started = performance.now();
  const outcome = await answerRequest(incoming, service);
  const milliseconds = performance.now() - started;
  const response = {responseHead: '', responseBody: outcome.answer.body};
  reportRequest(service, {...incoming, ...response, outcome, milliseconds});
  return outcome;
}
