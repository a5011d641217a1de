import {PaylensError} from '../../contract/paylens-error.js';
import {defectFields} from '../../contract/stack-of.js';
import type {ServiceLog} from '../../service/information/log.js';
import {warnOfOpenFile} from '../input/warn-of-open-file.js';
import {logWriter, warnInLog} from '../output/output.js';
import {type RunningService, type ServiceStart, startService} from './start-service.js';

interface Serving extends ServiceStart {
  /** Whether the end of stdin stops the service. */
  readonly stopsWithStdin: boolean;
  /** Called with the address once it serves. */
  readonly ready: (url: string) => void;
}

type Logger = ServiceLog['logger'];

/**
 * The exit code of a service whose requests in flight were cut off (docs/contract.md#errors, 9030).
 */
const INTERRUPTED = 130;

/**
 * Serves until SIGTERM, SIGINT or the end of stdin; a second signal ends it at once. Before `ready` is
 * called, these signals end the process. SIGHUP loads the registry and the TLS files again; if that
 * fails, the previous ones stay. Throws the errors of loading and starting.
 */
export async function serveUntilStopped(serving: Serving): Promise<void> {
  const {ready, stopsWithStdin, ...start} = serving;
  const {createLog} = await import('../../service/information/log.js');
  const {logForm} = start.service;
  const {logger} = createLog(logWriter(logForm?.form), logForm);
  warnInLog((text) => logger.warn(text));
  // By default SIGUSR1 opens Node's debugger, which any user of the machine can connect to.
  process.on('SIGUSR1', () => {});
  const starting = warnOfTlsKey(start).then(() => startService(start));
  reloadAtHangUp(start, starting, logger);
  const service = await starting;
  // Readers of the ready line may stop it at once.
  const signalled = nextSignal();
  const stopped = stopsWithStdin ? Promise.race([signalled, endOfStdin()]) : signalled;
  ready(service.url);
  const {mode, extended} = start.service;
  logger.info({url: service.url, mode, ...(extended && {extended})}, 'listening');
  logger.info({signal: await stopped}, 'stopping');
  process.once('SIGTERM', cutOff).once('SIGINT', cutOff);
  if (stopsWithStdin) process.stdin.destroy();
  await service.close();
  logger.info('stopped');
}

// From the start on: SIGHUP would end a process that does not listen for it.
function reloadAtHangUp(
  start: ServiceStart,
  starting: Promise<RunningService>,
  logger: Logger,
): void {
  const work = async () => {
    await warnOfTlsKey(start);
    await reload(starting, logger);
  };
  process.on('SIGHUP', oneAtATime(work));
}

async function reload(starting: Promise<RunningService>, logger: Logger): Promise<void> {
  try {
    const service = await starting;
    const devices = await service.reload();
    logger.info({devices}, 'reloaded');
  } catch (error) {
    const fields = error instanceof PaylensError ? {why: error.message} : defectFields(error);
    logger.error(
      {why: 'defect', ...fields},
      'reload failed: still using the previous configuration',
    );
  }
}

async function warnOfTlsKey({service: {tls}}: ServiceStart): Promise<void> {
  if (tls) await warnOfOpenFile(tls.key);
}

/** Calls during a run cause one more run, so that the last state is loaded. */
function oneAtATime(work: () => Promise<void>): () => void {
  let running = false;
  let asked = false;
  const run = async () => {
    running = true;
    while (asked) {
      asked = false;
      await work();
    }
    running = false;
  };
  return () => {
    asked = true;
    if (!running) void run();
  };
}

/** Replaces earlier listeners without missing a signal that arrives meanwhile. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const before = process.listeners(signal);
      process.once(signal, resolve);
      for (const listener of before) process.removeListener(signal, listener);
    }
  });
}

/** Stdin also ends when the parent process ends, for any reason. */
function endOfStdin(): Promise<string> {
  return new Promise((resolve) => {
    const end = () => resolve('end of stdin');
    process.stdin.once('end', end).once('close', end).once('error', end).resume();
  });
}

function cutOff(): void {
  process.exit(INTERRUPTED);
}
