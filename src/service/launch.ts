import {randomBytes, randomInt} from 'node:crypto';
import type {AddressInfo} from 'node:net';
import {performance} from 'node:perf_hooks';
import {setTimeout as wait} from 'node:timers/promises';
import type {Server as TlsServer} from 'node:tls';
import {refusalOf} from '../auth/authenticate.js';
import {DigestNonces} from '../auth/digest-nonces.js';
import {createSteadyClock, type SteadyClock} from '../auth/steady-clock.js';
import {DEVICE_TYPES} from '../contract/device-types.js';
import {createMessageIds, DRAWS} from '../contract/message-id.js';
import {TERMINAL_TYPES} from '../engine/devices/registry.js';
import {type LocalControl, localControl} from './control/control.js';
import {addControlRoutes} from './control/control-routes.js';
import {createServer, type PaylensServer} from './create-server.js';
import {ServedHosts} from './http/door/served-hosts.js';
import {listenError} from './http/listen-error.js';
import {readTls} from './http/tls-files.js';
import {addInformationRoutes} from './information/information-routes.js';
import {createLog, type ServiceLog} from './information/log.js';
import {WHY} from './information/log-text.js';
import {createMetrics, type Metrics} from './information/metrics.js';
import {ReceivedRequests} from './information/received-requests.js';
import {CapturedRequests} from './inspector/captured-requests.js';
import type {LocalInspector} from './inspector/local-inspector.js';
import {hasInspector, openInspector} from './launch-inspector.js';
import type {LaunchOptions} from './launch-options.js';
import type {FinishedRequest, ServiceContext} from './operations/answer-request.js';
import {createAuthentication} from './operations/authentication.js';
import {explainRefusal} from './operations/explain-refusal.js';
import {mockAnswer} from './operations/mock-answer.js';
import type {Registry} from './registry/registry.js';
import {type KeptReplayStore, keepInMemory} from './replay/kept-replay-store.js';
import {openRedisStore} from './replay/redis-store.js';

/** A running service. */
export interface LaunchedService {
  readonly url: string;
  readonly received: LocalControl['received'];
  readonly inspector: LocalInspector;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  /**
   * Reads the TLS files again; what it returns puts them and another registry in force, from the
   * next connection and request on. Throws 9002 when the files are not usable.
   */
  readonly prepare: (registry: Registry) => () => void;
  /** What this process alone has received and is to answer. */
  readonly control: LocalControl;
  /** Lets requests in flight finish, refuses new ones, then closes. */
  readonly close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const DEFAULT_BODY_LIMIT = 65_536;
/** Time that requests in flight get to finish when the service stops. */
const LONGEST_STOP = 20_000;

/**
 * Starts a service and waits until it listens.
 * Throws 9020 when the address or port cannot be used or the Redis is not fit, 9002 when the
 * certificate cannot be read.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedService> {
  const now = options.now ?? Date.now;
  const log = createLog(options.writeLog ?? (() => {}), options.logForm);
  const requests = new ReceivedRequests();
  const captured = new CapturedRequests({received: requests, process: process.pid});
  const received = {list: () => requests.list(), clear: () => captured.clear()};
  const isInspected = hasInspector(options);
  let registry = options.registry;
  // Done before the store is opened, so that a failure here leaves no open connection.
  const tls = options.tls && readTls(options.tls);
  const hosts = new ServedHosts({
    host: options.host ?? LOOPBACK,
    allowedHosts: options.allowedHosts,
    bound: () => (server.app.server.address() as AddressInfo).address,
  });
  const {shared} = options;
  const clock = shared?.clock ?? createSteadyClock(now, () => performance.now());
  const secret = (bytes: Uint8Array) => new DigestNonces(bytes, randomBytes);
  let digestNonces = secret(shared?.digestSecret ?? randomBytes(32));
  const store = await openStore(options, log, (bytes) => {
    digestNonces = secret(bytes);
  });
  const {nonces: capacity} = options;
  const replay =
    store ?? keepInMemory({elapsed: clock.elapsed, ...(capacity === undefined ? {} : {capacity})});
  const own = localControl({received, forgetNonces: () => replay.clear?.()});
  const control = shared?.control ?? own;
  const draw = shared?.draw ?? randomInt(DRAWS);
  const messageId = createMessageIds({now, draw});
  const metrics = createMetrics(() => replay);
  const report = (request: FinishedRequest) => {
    metrics.observe(request);
    log.request(request);
    if (isInspected) captured.add(request, now());
  };
  const context: ServiceContext = {
    mode: options.mode,
    registry: () => registry,
    authentication: createAuthentication({
      clock,
      replay: () => replay,
      digestNonces: () => digestNonces,
    }),
    messageId,
    mock: mockAnswer,
    strict: options.strict,
    deviceTypes: options.extended ? TERMINAL_TYPES : DEVICE_TYPES,
    answers: options.mode === 'real' ? undefined : control.answers,
    explain: explainerOf(options, log, clock),
  };
  const bodyLimit = options.bodyLimit ?? DEFAULT_BODY_LIMIT;
  const server: PaylensServer = createServer({
    context,
    report,
    reportRefused: (request) => {
      metrics.observeRefused(request);
      log.refused(request);
      if (isInspected) captured.addRefused(request, now());
    },
    bodyLimit,
    timeouts: options.timeouts,
    load: options.load,
    hosts,
    tls,
    ...(options.latency === undefined ? {} : {latency: options.latency}),
    ...(options.fails ? {fails: options.fails} : {}),
  });
  server.app.server.on('drop', metrics.observeDrop);
  addInformationRoutes(server.app, {
    metrics: {text: shared?.metrics ?? metrics.text, contentType: metrics.contentType},
    isReady: async () => !server.isDraining() && (await replay.isReady()),
    limited: server.limited,
    extended: options.extended ?? false,
  });
  if (options.mode !== 'real') addControlRoutes(server.app, {control, limited: server.limited});
  const inspector = openInspector(server, {
    ...{options, captured, control, clock, context, report, bodyLimit},
    registry: () => registry,
    digestNonce: () => digestNonces.issue(clock.now()),
    url: () => url,
    port: () => (server.app.server.address() as AddressInfo).port,
  });
  const url = await listen(server, options).catch((error: unknown) => {
    replay.close();
    throw error;
  });
  return {
    url,
    received,
    inspector,
    log,
    metrics,
    prepare: (next) => {
      const pems = options.tls && readTls(options.tls);
      return () => {
        registry = next;
        if (pems) (server.app.server as unknown as TlsServer).setSecureContext(pems);
      };
    },
    control: own,
    close: async () => {
      await stop(server);
      replay.close();
      log.flush();
    },
  };
}

/** Says why a request was refused: everything under `explain`, else what `strict` alone refuses. */
function explainerOf(
  {explain, strict}: LaunchOptions,
  {logger}: ServiceLog,
  clock: SteadyClock,
): ServiceContext['explain'] {
  if (!explain && !strict) return undefined;
  return (refused) => {
    const {error, messageId} = refused;
    if (!explain && refusalOf(error)?.reason !== 'strict') return undefined;
    if (error.code !== 1003) return error.message;
    const found = explainRefusal(refused, clock.now());
    logger.info({messageId, ...found}, WHY);
    return found.faults.join('; ');
  };
}

/** The store that outlives this process; undefined when its nonces are held here. */
async function openStore(
  {replayStore: address, shared}: LaunchOptions,
  {logger}: ServiceLog,
  onSecret: (secret: Uint8Array) => void,
): Promise<KeptReplayStore | undefined> {
  if (!address) return shared?.replay;
  const replayStore = address.name;
  return openRedisStore({
    address,
    onSecret,
    wall: Date.now,
    onLost: (why) =>
      logger.error({replayStore, why}, 'replay store unavailable: signed requests get 503'),
    onEmptied: () =>
      logger.error(
        {replayStore},
        'replay store was emptied: requests from the last 15 minutes can be replayed',
      ),
    onFound: () => logger.info({replayStore}, 'replay store reconnected'),
  });
}

async function listen({app}: PaylensServer, {host = LOOPBACK, port = 0, tls}: LaunchOptions) {
  try {
    await app.listen({host, port});
  } catch (error) {
    throw listenError(error, host, port);
  }
  const {address, family, port: bound} = app.server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return `${tls ? 'https' : 'http'}://${name}:${bound}`;
}

async function stop(server: PaylensServer): Promise<void> {
  await Promise.race([server.drain(), wait(LONGEST_STOP, undefined, {ref: false})]);
  const closed = server.app.close();
  // Otherwise a connection that never sent a request would keep the server open.
  server.app.server.closeAllConnections();
  await closed;
}
