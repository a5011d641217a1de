import {ERROR_CATALOGUE} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';
import {isBlocking} from '../files/blocking.js';
import {removeAllTemporary} from '../files/temporary-files.js';
import {endOutput, restoreTerminal, unprinted} from './output/output.js';
import {reportFailure} from './report-failure.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** How long a reader of stdout may pause while lines are waiting for it. */
const READER_PATIENCE_MS = 300;
/** Longest wait for a busy thread: files are read in less. */
const MAX_THREAD_WAIT_MS = 150;

let interruption: AbortController | undefined;

/**
 * Lets a command end by itself: from now on the first SIGINT or SIGTERM aborts this signal, and only
 * the next one ends the process.
 */
export function interruptionSignal(): AbortSignal {
  interruption = new AbortController();
  return interruption.signal;
}

/**
 * Ends the process at the first SIGINT or SIGTERM, whatever it waits for: 9030, exit code 130. A
 * service that is stopped before it serves has no request to finish and exits with 0.
 */
export function stopAtSignals(isService: boolean, json: boolean): void {
  // The first process of a container receives only signals that it listens for.
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      restoreTerminal();
      if (interruption && !interruption.signal.aborted) return interrupt(interruption, signal);
      if (isService) return end(signal, 0);
      reportFailure(new PaylensError(9030), json);
      endOutput();
      whenPrinted(() => end(signal, process.exitCode));
    });
  }
}

/** The command prints what it has and ends by itself, unless the reader of stdout has stopped. */
function interrupt(controller: AbortController, signal: NodeJS.Signals): void {
  controller.abort();
  let [left, since] = [0, performance.now()];
  const look = () => {
    const [waiting, now] = [unprinted(), performance.now()];
    if (waiting === 0 || waiting < left) since = now;
    left = waiting;
    if (now - since > READER_PATIENCE_MS) end(signal, ERROR_CATALOGUE[9030].exit);
  };
  setInterval(look, 10).unref();
}

/** Exits as soon as no thread is busy; does not wait for long-running work. */
function end(signal: NodeJS.Signals, code: typeof process.exitCode): void {
  const deadline = performance.now() + MAX_THREAD_WAIT_MS;
  const look = () => {
    const isHeld = isBlocking();
    if (isHeld && performance.now() < deadline) return setImmediate(look);
    removeAllTemporary();
    if (!isHeld) return process.exit(code);
    endBySignal(signal);
    return process.exit(code);
  };
  look();
}

/** Ends without waiting for any thread; a shell sees 128 and the number of the signal: 130 again. */
function endBySignal(signal: NodeJS.Signals): void {
  // Otherwise the terminal would stay as a prompt set it.
  if (process.stdin.isTTY && process.stdin.isRaw) process.stdin.setRawMode(false);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Calls back when stdout has accepted all output, or its reader has stopped reading. */
function whenPrinted(done: () => void): void {
  let left = unprinted();
  let since = performance.now();
  const look = () => {
    const now = performance.now();
    if (unprinted() < left) [left, since] = [unprinted(), now];
    if (left === 0 || now - since > READER_PATIENCE_MS) return done();
    setTimeout(look, 10);
  };
  look();
}
