import {randomBytes, randomInt} from 'node:crypto';
import {performance} from 'node:perf_hooks';
import {refusalOf} from '../auth/authenticate.js';
import {challenges, DigestNonces} from '../auth/challenges.js';
import {progressOf, SteadyClock} from '../auth/steady-clock.js';
import {stoppedText} from '../contract/control/inspected-request.js';
import {DEVICE_TYPES} from '../contract/device-types.js';
import {createMessageIds, DRAWS} from '../contract/message-id.js';
import {TERMINAL_TYPES} from '../engine/families/registry.js';
import {Control} from './control/control.js';
import {CapturedRequests} from './information/captured-requests.js';
import {ServiceLog} from './information/log.js';
import {WHY} from './information/log-text.js';
import {Metrics} from './information/metrics.js';
import {senderIdOf} from './information/request-row.js';
import type {ReadingResult} from './inspector/reading-thread.js';
import {Readings, readDetail} from './inspector/reading-thread.js';
import {hasInspector, type LaunchOptions} from './launch-options.js';
import type {FinishedRequest, RefusedRequest, ServiceContext} from './operations/answer-request.js';
import type {Explanation} from './operations/explain-refusal.js';
import type {Registry} from './registry/registry.js';
import type {RedisAddress} from './replay/redis-address.js';
import {openRedisStore} from './replay/redis-store.js';
import {memoryStore, type ServiceReplayStore} from './replay/service-replay-store.js';

/** The parts of a service that do not depend on its HTTP server. */
export interface Service extends ServiceContext {
  readonly options: LaunchOptions;
  readonly log: ServiceLog;
  readonly clock: SteadyClock;
  readonly captured: CapturedRequests;
  readonly replay: ServiceReplayStore;
  readonly control: Control;
  readonly metrics: Metrics;
  readonly readings: Readings;
  /** A new nonce of a Digest challenge. */
  readonly digestNonce: () => string;
  /** Replaced by a reload. */
  registry: Registry;
}

/** Opens the replay store of a service, and everything that it logs and counts with. Throws 9020. */
export async function openService(options: LaunchOptions): Promise<Service> {
  const {mode, strict, now = Date.now, registry} = options;
  const log = new ServiceLog(options.writeLog ?? (() => {}), options.logForm);
  const clock = serviceClock(options.now, log);
  const readings = new Readings(options.readingWorker);
  // In real mode no card number is kept: what came in is read at once.
  const captured = new CapturedRequests(
    mode === 'real'
      ? async (row, raw) =>
          (await readDetail(readings, {row, raw, mode}, service.registry.partners)).json
      : undefined,
  );
  const {replay, digestNonces} = await openNonces(options, {log, clock});
  const control = new Control(captured, () => replay.clear?.());
  const digestNonce = () => digestNonces().issue(clock.latest());
  const service: Service = {
    ...{options, mode, strict, log, clock, captured, replay, control, registry},
    ...{digestNonce, readings, metrics: new Metrics(replay, log, clock)},
    messageId: createMessageIds({now, draw: randomInt(DRAWS)}),
    authContext: ({partners}) => {
      const {now, latest} = clock;
      return {partners, now, latest, clock, digestNonces: digestNonces(), replay};
    },
    challenges: (error) =>
      challenges({nonce: digestNonce(), stale: refusalOf(error)?.stale ?? false}),
    deviceTypes: options.extended ? TERMINAL_TYPES : DEVICE_TYPES,
    answers: mode === 'real' ? undefined : control.answers,
    explain: newExplainer(options, {log, clock, readings}),
  };
  return service;
}

/** The store of used nonces, and the nonces of Digest. Throws 9020. */
async function openNonces(
  {replayStore, nonces: capacity}: LaunchOptions,
  {log, clock}: {readonly log: ServiceLog; readonly clock: SteadyClock},
) {
  let digestNonces = new DigestNonces(randomBytes(32), randomBytes);
  // Services that share a Redis also share the secret of these nonces.
  const onSecret = (secret: Uint8Array) => {
    digestNonces = new DigestNonces(secret, randomBytes);
  };
  const replay = replayStore
    ? await openReplayStore(replayStore, log, onSecret)
    : memoryStore({elapsed: clock.elapsed, capacity});
  return {replay, digestNonces: () => digestNonces};
}

/** The system clock, whose settings are logged, or the clock of a test suite. */
function serviceClock(given: (() => number) | undefined, log: ServiceLog): SteadyClock {
  const real = () => performance.now();
  if (given) return new SteadyClock(given, progressOf(given, real));
  return new SteadyClock(Date.now, real, (seconds) => log.warn('system clock set', {seconds}));
}

/** Logs and counts a request, and stores it for the inspector. */
export function reportRequest(service: Service, request: FinishedRequest): void {
  const {metrics, log, captured, options} = service;
  const {now = Date.now} = options;
  metrics.observe(request);
  log.request(request);
  if (!hasInspector(options)) return;
  const isRefused = request.outcome.error?.code === 1003;
  const named = isRefused ? service.registry.partners(senderIdOf(request) ?? '') : undefined;
  captured.add(request, now(), named?.partnerId);
}

/** The same for a request that was refused before it reached an operation. */
export function reportRefused(service: Service, request: RefusedRequest): void {
  const {metrics, log, captured, options} = service;
  const {now = Date.now} = options;
  metrics.observeRefused(request);
  log.refused(request);
  if (hasInspector(options)) captured.addRefused(request, now());
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
      log.error('replay store was emptied: requests dated before now get 503', {
        replayStore,
      }),
    onFound: () => log.info('replay store reconnected', {replayStore}),
  });
}

/** Explains every refusal under `explain`, otherwise only refusals by `strict`. */
function newExplainer(
  {explain, strict}: LaunchOptions,
  {log, clock, readings}: Pick<Service, 'log' | 'clock' | 'readings'>,
): ServiceContext['explain'] {
  if (!explain && !strict) return undefined;
  return async ({error, messageId, incoming, registry: {partners}}) => {
    const reason = refusalOf(error)?.reason;
    if (!explain && reason !== 'strict') return undefined;
    if (error.code !== 1003) return error.message;
    const question = {refused: {...incoming, reason}, now: clock.now()};
    const found =
      error.detail === ''
        ? explanationIn(await readings.read(question, partners))
        : {faults: [error.detail]};
    const {unexplained: _, ...said} = found;
    log.info(WHY, {messageId, ...said});
    return found.faults.join('; ');
  };
}

/** An explanation, or that its reading was stopped. */
export function explanationIn(result: ReadingResult): Explanation {
  if ('json' in result) return JSON.parse(result.json);
  return {faults: [`the explanation was ${stoppedText(result.stopped)}`]};
}
