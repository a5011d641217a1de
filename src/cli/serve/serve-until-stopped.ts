import {PaylensError} from '../../contract/paylens-error.js';
import {defectFields} from '../../contract/stack-of.js';
import type {ServiceLog} from '../../service/information/log.js';
import {warnOfOpenFile} from '../input/warn-of-open-file.js';
import {logWriter, warnInLog} from '../output/output.js';
import {type RunningService, type ServiceStart, startService} from './start-service.js';
import {removeStale, type StateFiles, writeStateFiles} from './state-files.js';

interface Serving extends ServiceStart {
  readonly files: StateFiles;
  /** Whether the end of stdin stops the service. */
  readonly stopsWithStdin: boolean;
  /** What the ready line says. */
  readonly about: (url: string) => object;
  /** Told that once it serves. */
  readonly ready: (about: object) => void;
}

type Logger = ServiceLog['logger'];

/**
 * The exit code of a service whose requests in flight were cut off (docs/contract.md#errors, 9030).
 */
const INTERRUPTED = 130;

/**
 * Serves until SIGTERM, SIGINT or the end of stdin; a second one ends at once. Before `ready` is called, `start` has
 * these signals end the process. SIGHUP loads the registry and the TLS files again; when that fails
 * what is in force stays. Throws what loading and starting throw.
 */
export async function serveUntilStopped(serving: Serving): Promise<void> {
  const {ready, about, files, stopsWithStdin, ...start} = serving;
  const {createLog} = await import('../../service/information/log.js');
  const {logForm} = start.service;
  const {logger} = createLog(logWriter(logForm?.form), logForm);
  warnInLog((text) => logger.warn(text));
  // By default SIGUSR1 opens Node's debugger, which any user of the machine can connect to.
  process.on('SIGUSR1', () => {});
  removeStale(files);
  const starting = warnOfTlsKey(start).then(() => startService(start, logger));
  // From the start on: SIGHUP would end a process that does not listen for it.
  process.on(
    'SIGHUP',
    oneAtATime(async () => {
      await warnOfTlsKey(start);
      await reload(starting, logger);
    }),
  );
  const service = await starting;
  // Who reads that it is ready may stop it at once.
  const signalled = nextSignal();
  const told = about(service.url);
  const removeFiles = await writeStateFiles(files, `${JSON.stringify(told)}\n`).catch(
    async (error: unknown) => {
      await service.close();
      throw error;
    },
  );
  const stopped = stopsWithStdin ? Promise.race([signalled, endOfStdin()]) : signalled;
  ready(told);
  const {mode, extended} = start.service;
  logger.info({url: service.url, mode, ...(extended && {extended})}, 'listening');
  logger.info({signal: await stopped}, 'stopping');
  process.once('SIGTERM', cutOff).once('SIGINT', cutOff);
  if (stopsWithStdin) process.stdin.destroy();
  await service.close();
  removeFiles();
  logger.info('stopped');
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

/** Calls during a run ask for one run more: what was read last is in force. */
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

/** Also that of a parent process that is gone, whatever ended it. */
function endOfStdin(): Promise<string> {
  return new Promise((resolve) => {
    const end = () => resolve('end of stdin');
    process.stdin.once('end', end).once('close', end).once('error', end).resume();
  });
}

function cutOff(): void {
  process.exit(INTERRUPTED);
}
