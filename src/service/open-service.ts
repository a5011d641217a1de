import {randomBytes, randomInt} from 'node:crypto';
import {performance} from 'node:perf_hooks';
import {refusalOf} from '../auth/authenticate.js';
import {DigestNonces} from '../auth/digest-nonces.js';
import {createSteadyClock, type SteadyClock} from '../auth/steady-clock.js';
import {DEVICE_TYPES} from '../contract/device-types.js';
import {createMessageIds, DRAWS} from '../contract/message-id.js';
import {TERMINAL_TYPES} from '../engine/families/registry.js';
import {Control} from './control/control.js';
import {CapturedRequests} from './information/captured-requests.js';
import {ServiceLog} from './information/log.js';
import {WHY} from './information/log-text.js';
import {createMetrics, type Metrics} from './information/metrics.js';
import {hasInspector, type LaunchOptions} from './launch-options.js';
import type {FinishedRequest, RefusedRequest, ServiceContext} from './operations/answer-request.js';
import {createAuthentication} from './operations/authentication.js';
import {explainRefusal} from './operations/explain-refusal.js';
import {mockAnswer} from './operations/mock-answer.js';
import type {Registry} from './registry/registry.js';
import type {RedisAddress} from './replay/redis-address.js';
import {openRedisStore} from './replay/redis-store.js';
import {memoryStore, type ServiceReplayStore} from './replay/service-replay-store.js';

/** The parts of a service that do not depend on its HTTP server. */
export interface Service {
  readonly options: LaunchOptions;
  readonly log: ServiceLog;
  readonly clock: SteadyClock;
  readonly captured: CapturedRequests;
  readonly replay: ServiceReplayStore;
  readonly control: Control;
  readonly metrics: Metrics;
  readonly messageId: () => string;
  /** Services that share a Redis also share the secret of these nonces. */
  readonly digestNonces: () => DigestNonces;
  /** Replaced by a reload. */
  registry: Registry;
}

/** Opens the replay store of a service, and everything that it logs and counts with. Throws 9020. */
export async function openService(options: LaunchOptions): Promise<Service> {
  const {now = Date.now, nonces: capacity, replayStore, registry} = options;
  const log = new ServiceLog(options.writeLog ?? (() => {}), options.logForm);
  const clock = createSteadyClock(now, () => performance.now());
  const captured = new CapturedRequests();
  let digestNonces = new DigestNonces(randomBytes(32), randomBytes);
  const onSecret = (secret: Uint8Array) => {
    digestNonces = new DigestNonces(secret, randomBytes);
  };
  const replay = replayStore
    ? await openReplayStore(replayStore, log, onSecret)
    : memoryStore({elapsed: clock.elapsed, capacity});
  return {
    ...{options, log, clock, captured, replay, registry},
    control: new Control({received: captured, forgetNonces: () => replay.clear?.()}),
    metrics: createMetrics(replay),
    messageId: createMessageIds({now, draw: randomInt(DRAWS)}),
    digestNonces: () => digestNonces,
  };
}

/** What answering a request needs of a service. */
export function newContext(service: Service): ServiceContext {
  const {options, clock, replay, control, messageId, digestNonces} = service;
  return {
    mode: options.mode,
    registry: () => service.registry,
    authentication: createAuthentication({clock, replay, digestNonces}),
    messageId,
    mock: mockAnswer,
    strict: options.strict,
    deviceTypes: options.extended ? TERMINAL_TYPES : DEVICE_TYPES,
    answers: options.mode === 'real' ? undefined : control.answers,
    explain: newExplainer(service),
  };
}

/** Logs and counts a request, and keeps it for the inspector. */
export function reportRequest(service: Service, request: FinishedRequest): void {
  const {metrics, log, captured, options} = service;
  metrics.observe(request);
  log.request(request);
  if (hasInspector(options)) captured.add(request, currentTime(options));
}

/** The same for a request that was refused before it reached an operation. */
export function reportRefused(service: Service, request: RefusedRequest): void {
  const {metrics, log, captured, options} = service;
  metrics.observeRefused(request);
  log.refused(request);
  if (hasInspector(options)) captured.addRefused(request, currentTime(options));
}

function currentTime({now = Date.now}: LaunchOptions): number {
  return now();
}

function openReplayStore(
  address: RedisAddress,
  log: ServiceLog,
  onSecret: (secret: Uint8Array) => void,
): Promise<ServiceReplayStore> {
  const replayStore = address.name;
  return openRedisStore({
    address,
    onSecret,
    wall: Date.now,
    onLost: (why) =>
      log.error('replay store unavailable: signed requests get 503', {replayStore, why}),
    onEmptied: () =>
      log.error('replay store was emptied: requests from the last 15 minutes can be replayed', {
        replayStore,
      }),
    onFound: () => log.info('replay store reconnected', {replayStore}),
  });
}

/** Explains every refusal under `explain`, else only those of `strict`. */
function newExplainer({
  options: {explain, strict},
  log,
  clock,
}: Service): ServiceContext['explain'] {
  if (!explain && !strict) return undefined;
  return (refused) => {
    const {error, messageId} = refused;
    if (!explain && refusalOf(error)?.reason !== 'strict') return undefined;
    if (error.code !== 1003) return error.message;
    const found = explainRefusal(refused, clock.now());
    log.info(WHY, {messageId, ...found});
    return found.faults.join('; ');
  };
}
