import type {AddressInfo} from 'node:net';
import {performance} from 'node:perf_hooks';
import {setTimeout as wait} from 'node:timers/promises';
import type {Server as TlsServer} from 'node:tls';
import type {Control, ReceivedList} from './control/control.js';
import {addControlRoutes} from './control/control-routes.js';
import {listenError} from './http/listen-error.js';
import {ServedHosts} from './http/served-hosts.js';
import {readTls} from './http/tls-files.js';
import {addInformationRoutes} from './information/information-routes.js';
import type {ServiceLog} from './information/log.js';
import type {Metrics} from './information/metrics.js';
import {Inspector} from './inspector/inspector.js';
import {addInspectorRoutes} from './inspector/inspector-routes.js';
import {InspectorToken} from './inspector/inspector-token.js';
import {hasInspector, type LaunchOptions} from './launch-options.js';
import {
  newContext,
  openService,
  reportRefused,
  reportRequest,
  type Service,
} from './open-service.js';
import {answerRequest, type Incoming, type Outcome} from './operations/answer-request.js';
import {PaylensServer, type ServerOptions} from './paylens-server.js';
import type {Registry} from './registry/registry.js';

/** A running service. */
export interface LaunchedService {
  readonly url: string;
  readonly received: ReceivedList;
  readonly control: Control;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  /**
   * Uses another registry, and the TLS files as they are now, from the next connection and request
   * on. Throws 9002, and changes nothing, if the files are not usable.
   */
  readonly reload: (registry: Registry) => void;
  /** Lets requests in flight finish, refuses new ones, then closes. */
  readonly close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const DEFAULT_BODY_LIMIT = 65_536;
/** Time that requests in flight get to finish when the service stops. */
const MAX_STOP_MS = 20_000;

/**
 * Starts a service and waits until it listens.
 * Throws 9020 when the address, the port or the Redis cannot be used, 9002 when the certificate
 * cannot be read.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedService> {
  const {tls: tlsFiles} = options;
  // Read before the store is opened, so that a failure leaves no open connection.
  const tls = tlsFiles && readTls(tlsFiles);
  const service = await openService(options);
  const {replay, control, log, metrics} = service;
  const server = newServer(service, tls);
  const url = await listen(server, options).catch((error: unknown) => {
    replay.close();
    throw error;
  });
  return {
    url,
    received: control.received,
    ...{control, log, metrics},
    reload: (registry) => {
      const pems = tlsFiles && readTls(tlsFiles);
      service.registry = registry;
      if (pems) (server.app.server as unknown as TlsServer).setSecureContext(pems);
    },
    close: async () => {
      await stop(server);
      replay.close();
      log.flush();
    },
  };
}

function newServer(service: Service, tls: ServerOptions['tls']): PaylensServer {
  const {host = LOOPBACK, allowedHosts, ...options} = service.options;
  const {bodyLimit = DEFAULT_BODY_LIMIT, timeouts, load, latency, fails} = options;
  const context = newContext(service);
  const server: PaylensServer = new PaylensServer({
    ...{context, bodyLimit, timeouts, load, latency, fails, tls},
    report: (request) => reportRequest(service, request),
    reportRefused: (request) => reportRefused(service, request),
    hosts: new ServedHosts({host, allowedHosts, bound: () => boundAddress(server).address}),
  });
  const {app, limited} = server;
  const {metrics, replay, control} = service;
  app.server.on('drop', metrics.observeDrop);
  addInformationRoutes(app, {
    metrics,
    limited,
    isReady: async () => !server.isDraining && (await replay.isReady()),
    extended: options.extended ?? false,
  });
  if (options.mode !== 'real') addControlRoutes(app, {control, limited});
  const answer = (incoming: Incoming) => answerAgain(incoming, service, context);
  if (hasInspector(options)) addInspector(server, service, {bodyLimit, answer});
  return server;
}

function addInspector(
  server: PaylensServer,
  service: Service,
  own: {readonly bodyLimit: number; readonly answer: (incoming: Incoming) => Promise<Outcome>},
): void {
  const {options, captured, clock, digestNonces, control} = service;
  const {mode, inspector: secrets, tls} = options;
  const {app, limited, holdOpen} = server;
  const inspector = new Inspector({
    ...{captured, mode, now: clock.now, ...own},
    registry: () => service.registry,
    digestNonce: () => digestNonces().issue(clock.now()),
    url: () => serverUrl(server, tls !== undefined),
  });
  addInspectorRoutes(app, {
    ...{mode, control, limited, holdOpen, inspector},
    origin: {scheme: tls ? 'https' : 'http', port: () => boundAddress(server).port},
    token: secrets && new InspectorToken({secrets, elapsed: clock.elapsed}),
  });
}

/** Answers a request that the inspector sends again; faults of the connection are left out. */
async function answerAgain(
  incoming: Incoming,
  service: Service,
  context: ServerOptions['context'],
): Promise<Outcome> {
  const started = performance.now();
  const outcome = await answerRequest(incoming, context);
  const milliseconds = performance.now() - started;
  const {operation, target, rawHeaders, body} = incoming;
  reportRequest(service, {outcome, operation, target, milliseconds, rawHeaders, body});
  return outcome;
}

async function listen(
  server: PaylensServer,
  {host = LOOPBACK, port = 0, tls}: LaunchOptions,
): Promise<string> {
  try {
    await server.app.listen({host, port});
  } catch (error) {
    throw listenError(error, host, port);
  }
  return serverUrl(server, tls !== undefined);
}

function serverUrl(server: PaylensServer, hasTls: boolean): string {
  const {address, family, port} = boundAddress(server);
  const name = family === 'IPv6' ? `[${address}]` : address;
  return `${hasTls ? 'https' : 'http'}://${name}:${port}`;
}

function boundAddress({app}: PaylensServer): AddressInfo {
  return app.server.address() as AddressInfo;
}

async function stop(server: PaylensServer): Promise<void> {
  await Promise.race([server.drain(), wait(MAX_STOP_MS, undefined, {ref: false})]);
  const closed = server.app.close();
  // Otherwise a connection that never sent a request would keep the server open.
  server.app.server.closeAllConnections();
  await closed;
}
