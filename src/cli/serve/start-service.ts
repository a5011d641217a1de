import {packageRoot} from '../../files/package-root.js';
import type {ServiceOrder} from '../../service/cluster/messages.js';
import type {ServiceLog} from '../../service/information/log.js';
import type {RegistrySource} from '../../service/registry/registry-source.js';
import {logWriter} from '../output/output.js';
import {frozenClock} from './serve-options.js';

/** A service under way, of one process or of several. */
export interface RunningService {
  readonly url: string;
  /** Reads the registry again and puts it in force; returns how many devices were read, if any. */
  readonly reload: () => Promise<number | undefined>;
  /** Lets requests in flight finish. */
  readonly close: () => Promise<void>;
}

/** How a service is started. */
export interface ServiceStart {
  /** Reads what the registry is made of; undefined: it is that of demo and mock. */
  readonly load: (() => Promise<RegistrySource>) | undefined;
  readonly service: ServiceOrder;
  /** Undefined: this process serves. */
  readonly workers: number | undefined;
}

/** Starts a service. Throws what loading and starting throw. */
export function startService(start: ServiceStart, logger: ServiceLog['logger']) {
  const {workers} = start;
  return workers === undefined ? startHere(start) : startTeam({...start, workers}, logger);
}

async function startHere({load, service}: ServiceStart): Promise<RunningService> {
  const {registryOf} = await import('../../service/registry/registry-source.js');
  const {demoRegistry} = await import('../../service/registry/demo-registry.js');
  const {parseFailShare} = await import('../../service/operations/fault-settings.js');
  const open = async () => (load ? registryOf(await load()) : demoRegistry());
  const {launch} = await import('../../service/launch.js');
  const {now, fail, ...options} = service;
  const launched = await launch({
    ...options,
    now: frozenClock(now),
    fails: fail === undefined ? undefined : parseFailShare(fail),
    registry: await open(),
    writeLog: logWriter(options.logForm?.form),
  });
  const reload = async () => {
    const registry = await open();
    launched.prepare(registry)();
    return registry.devices.size;
  };
  return {url: launched.url, reload, close: launched.close};
}

/** The build's worker, also for what runs from source. */
const WORKER = new URL('dist/cli/serve/worker.js', packageRoot());

async function startTeam(
  {load, service, workers}: ServiceStart & {readonly workers: number},
  logger: ServiceLog['logger'],
): Promise<RunningService> {
  const {packRegistry, registryOf} = await import('../../service/registry/registry-source.js');
  const {readTls} = await import('../../service/http/tls-files.js');
  const {Team} = await import('../../service/cluster/team.js');
  const {reservePort} = await import('../../service/cluster/reserve-port.js');
  // Find unusable options here, before workers start.
  const read = async () => {
    if (service.tls) readTls(service.tls);
    if (!load) return undefined;
    const source = await load();
    registryOf(source);
    return source;
  };
  const source = await read();
  const team = new Team({
    workers,
    script: WORKER,
    service: {...service, port: await reservePort(service.host, service.port)},
    registry: source ? packRegistry(source) : 'demo',
    nonces: service.replayStore ? undefined : await primaryNonces(service.now),
    logger,
  });
  const url = await team.start();
  const reload = async () => {
    const next = await read();
    await team.reload(next ? packRegistry(next) : 'demo');
    return next?.devices.size;
  };
  return {url, reload, close: () => team.close()};
}

async function primaryNonces(now: string | undefined) {
  const {createSteadyClock} = await import('../../auth/steady-clock.js');
  const {keepInMemory} = await import('../../service/replay/kept-replay-store.js');
  const clock = createSteadyClock(frozenClock(now) ?? Date.now, () => performance.now());
  return {clock, store: keepInMemory({elapsed: clock.elapsed})};
}
