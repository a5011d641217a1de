import {closeSync, openSync} from 'node:fs';
import {isatty} from 'node:tty';
import {PaylensError} from '../../contract/paylens-error.js';
import {defectFields} from '../../contract/stack-of.js';
import type {ServiceLog, WriteLog} from '../../service/information/log.js';
import type {LaunchOptions} from '../../service/launch-options.js';
import type {RegistrySource} from '../../service/registry/registry.js';
import {warnOfOpenFile} from '../input/warn-of-open-file.js';
import {warnInLog, writeLog} from '../output/output.js';
import type {Ready} from './ready-lines.js';
import {claimStateFiles, type StateFiles, writeStateFiles} from './state-files.js';

interface Serving {
  /** Reads the registry; absent in demo and mock. */
  readonly load: (() => Promise<RegistrySource>) | undefined;
  readonly service: Omit<LaunchOptions, 'registry' | 'writeLog'>;
  /** Whether the end of stdin stops the service. */
  readonly stopsWithStdin: boolean;
  readonly files: StateFiles;
  /** The content of the ready line. */
  readonly about: (url: string) => Ready;
  /** Called with that once it serves. */
  readonly ready: (about: Ready) => void;
}

/**
 * The exit code of a service whose requests in flight were cut off (docs/contract.md#errors, 9030).
 */
const INTERRUPTED = 130;
/** How long the readers of stdout and of the log have to read the last lines. */
const MAX_FLUSH_MS = 1000;

/**
 * Serves until SIGTERM, SIGINT or the end of stdin; a second signal ends it at once. Before `ready` is
 * called, these signals end the process. SIGHUP loads the registry and the TLS files again; if that
 * fails, the previous ones stay. It stops a service whose terminal is gone. Throws the errors of loading and starting.
 */
export async function serveUntilStopped(serving: Serving): Promise<void> {
  const {about, files, ready, stopsWithStdin, service: options} = serving;
  const {mode, extended, logForm, tls} = options;
  const {ServiceLog} = await import('../../service/information/log.js');
  await claimStateFiles(files);
  const write = (lines: string) => writeLog(lines, logForm?.form);
  const log = new ServiceLog(write, logForm);
  warnInLog((text) => log.warn(text));
  // By default SIGUSR1 opens Node's debugger, which any user of the machine can connect to.
  process.on('SIGUSR1', () => {});
  const checkTlsKey = async () => tls && warnOfOpenFile(tls.key);
  const starting = checkTlsKey().then(() => startService(serving, write));
  const isTerminalGone = watchTerminal();
  const renew = oneAtATime(() => checkTlsKey().then(() => reload(starting, log)));
  const hungUp = new Promise<string>((resolve) => {
    // SIGHUP would end a process without a listener.
    process.on('SIGHUP', (signal) => (isTerminalGone() ? resolve(signal) : renew()));
  });
  const service = await starting;
  const removeFiles = await announce(service, serving);
  // Readers of the ready line may stop it at once.
  const signalled = nextSignal();
  const stopped = Promise.race([signalled, hungUp, ...(stopsWithStdin ? [endOfStdin()] : [])]);
  ready(about(service.url));
  log.info('listening', {url: service.url, mode, ...(extended && {extended})});
  log.info('stopping', {signal: await stopped});
  process.once('SIGTERM', cutOff).once('SIGINT', cutOff);
  if (stopsWithStdin) process.stdin.destroy();
  await service.close();
  removeFiles();
  log.info('stopped');
  if (isTerminalGone()) return endWithoutTerminal();
  // Unread lines would keep the process alive for as long as their reader does not read.
  setTimeout(() => process.exit(), MAX_FLUSH_MS).unref();
}

/** A service that was started. */
interface RunningService {
  readonly url: string;
  /** Reads the registry again and uses it; returns the number of devices. */
  readonly reload: () => Promise<number>;
  /** Lets requests in flight finish. */
  readonly close: () => Promise<void>;
}

/** Writes the files of a service; returns what removes them. Stops it if one cannot be written. */
async function announce(service: RunningService, {about, files}: Serving): Promise<() => void> {
  try {
    return await writeStateFiles(files, `${JSON.stringify(about(service.url))}\n`);
  } catch (error) {
    await service.close();
    throw error;
  }
}

async function startService({load, service}: Serving, write: WriteLog): Promise<RunningService> {
  const {registryOf} = await import('../../service/registry/registry.js');
  const {demoRegistry} = await import('../../service/registry/demo-registry.js');
  const open = async () => (load ? registryOf(await load()) : demoRegistry());
  const {launch} = await import('../../service/launch.js');
  const launched = await launch({...service, registry: await open(), writeLog: write});
  const reload = async () => {
    const registry = await open();
    launched.reload(registry);
    return registry.devices.size;
  };
  return {...launched, reload};
}

async function reload(starting: Promise<RunningService>, log: ServiceLog): Promise<void> {
  try {
    const service = await starting;
    const devices = await service.reload();
    log.info('reloaded', {devices});
  } catch (error) {
    const fields = error instanceof PaylensError ? {why: error.message} : defectFields(error);
    log.error('reload failed: still using the previous configuration', {why: 'defect', ...fields});
  }
}

/** Calls during a run cause one more run, so that the latest files are loaded. */
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

/**
 * Returns what tells whether the terminal is gone that this process is started on. It is on none
 * when no stream is a terminal: nohup leaves none, and Node resets the signals that it ignores.
 */
function watchTerminal(): () => boolean {
  const wasOnTerminal = [0, 1, 2].some((stream) => isatty(stream)) && hasTerminal();
  return () => wasOnTerminal && !hasTerminal();
}

/** Whether this process has a controlling terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Node aborts at its own end when it cannot restore the terminal. */
function endWithoutTerminal(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

function cutOff(): void {
  process.exit(INTERRUPTED);
}
