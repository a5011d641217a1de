import {randomBytes, randomInt} from 'node:crypto';
import type {AddressInfo} from 'node:net';
import {performance} from 'node:perf_hooks';
import {setTimeout as wait} from 'node:timers/promises';
import {MemoryReplayStore} from '../auth/memory-replay-store.js';
import {createSteadyClock} from '../auth/steady-clock.js';
import {createMessageIds} from '../contract/message-id.js';
import {packageVersion} from '../contract/package-root.js';
import {PaylensError} from '../contract/paylens-error.js';
import {createAuthentication} from './authentication.js';
import {createServer, type FinishedRequest, type PaylensServer} from './create-server.js';
import {explainRefusal} from './explain.js';
import {addInformationRoutes} from './information-routes.js';
import {createLog, type ServiceLog} from './log.js';
import {createMetrics} from './metrics.js';
import {mockAnswer} from './mock-answer.js';
import type {Incoming} from './partner-service.js';
import {ReceivedRequests} from './received-requests.js';
import type {Registry, ServiceMode} from './service-state.js';
import type {Timeouts} from './timeouts.js';
import {readTls, type TlsFiles} from './tls-files.js';

/** How a service is started; everything but mode and registry has a default. */
export interface LaunchOptions {
  readonly mode: ServiceMode;
  readonly registry: Registry;
  readonly host?: string | undefined;
  /** 0: any free one. */
  readonly port?: number | undefined;
  /** Milliseconds since 1970; default the system clock. */
  readonly now?: (() => number) | undefined;
  readonly bodyLimit?: number | undefined;
  readonly timeouts?: Timeouts | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly latency?: number | undefined;
  readonly fails?: (() => boolean) | undefined;
  /** How many nonces are held at most; half of them for one partner. Default 1,000,000. */
  readonly nonces?: number | undefined;
  /** Where log lines go; absent: nowhere. */
  readonly writeLog?: ((line: string) => void) | undefined;
  /** Names the mistake in signatures that are wrong, in the log. */
  readonly explain?: boolean | undefined;
}

/** A running service. */
export interface LaunchedService {
  readonly url: string;
  readonly received: ReceivedRequests;
  readonly log: ServiceLog;
  /** Uses another registry from the next request on. */
  readonly reload: (registry: Registry) => void;
  /** Forgets received requests and nonces. */
  readonly reset: () => void;
  /** Lets requests in flight finish, refuses new ones, then closes. */
  readonly close: () => Promise<void>;
}

const DEFAULT_BODY_LIMIT = 65_536;
/** After this long a request in flight is cut off when the service stops. */
const LONGEST_STOP = 20_000;

/**
 * Starts a service and waits until it listens.
 * Throws 9020 when the address or port cannot be used, 9002 when the certificate cannot be read.
 */
export async function launch(options: LaunchOptions): Promise<LaunchedService> {
  const now = options.now ?? Date.now;
  const log = createLog(options.writeLog ?? (() => {}));
  const received = new ReceivedRequests();
  let registry = options.registry;
  const clock = createSteadyClock(now, () => performance.now());
  const newReplayStore = () =>
    new MemoryReplayStore({
      elapsed: clock.elapsed,
      ...(options.nonces === undefined ? {} : {capacity: options.nonces}),
    });
  let replay = newReplayStore();
  const messageId = createMessageIds({now, draw: String(randomInt(100_000)).padStart(5, '0')});
  const metrics = createMetrics(() => replay);
  const report = (request: FinishedRequest) => {
    metrics.observe(request);
    log.request(request);
    if (options.mode !== 'real') received.add(request, now());
  };
  const server = createServer({
    context: {
      mode: options.mode,
      registry: () => registry,
      authentication: createAuthentication({
        clock,
        replay: () => replay,
        digestSecret: randomBytes(32),
      }),
      messageId,
      mock: mockAnswer,
      ...(options.explain && {
        explain: (incoming: Incoming, error: unknown, registry: Registry) =>
          log.logger.info(explainRefusal(incoming, error, registry, clock.now()), 'why 1003'),
      }),
    },
    report,
    reportRefused: (request) => {
      metrics.observeRefused(request);
      log.refused(request);
    },
    bodyLimit: options.bodyLimit ?? DEFAULT_BODY_LIMIT,
    timeouts: options.timeouts,
    tls: options.tls && readTls(options.tls),
    ...(options.latency === undefined ? {} : {latency: options.latency}),
    ...(options.fails ? {fails: options.fails} : {}),
  });
  await addInformationRoutes(server.app, {
    version: packageVersion(),
    metrics,
    isReady: async () => !server.isDraining(),
    received: options.mode === 'real' ? undefined : received,
    messageId,
  });
  const url = await listen(server, options);
  return {
    url,
    received,
    log,
    reload: (next) => {
      registry = next;
    },
    reset: () => {
      received.clear();
      replay = newReplayStore();
    },
    close: async () => {
      await stop(server);
      log.flush();
    },
  };
}

async function listen({app}: PaylensServer, {host = '127.0.0.1', port = 0, tls}: LaunchOptions) {
  try {
    await app.listen({host, port});
  } catch (error) {
    const {code = 'unknown'} = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another program uses the port' : code;
    throw new PaylensError(9020, `cannot listen on ${host} port ${port}: ${why}`, {
      hint: 'Choose another port with --port; --port 0 takes any free one.',
    });
  }
  const {address, family, port: bound} = app.server.address() as AddressInfo;
  const name = family === 'IPv6' ? `[${address}]` : address;
  return `${tls ? 'https' : 'http'}://${name}:${bound}`;
}

async function stop(server: PaylensServer): Promise<void> {
  await Promise.race([server.drain(), wait(LONGEST_STOP, undefined, {ref: false})]);
  const closed = server.app.close();
  // Else a connection that never sent a request would keep the server open.
  server.app.server.closeAllConnections();
  await closed;
}
