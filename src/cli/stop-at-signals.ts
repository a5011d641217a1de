import {PaylensError} from '../contract/paylens-error.js';
import {isThreadHeld} from '../files/held-thread.js';
import {removeAllTemporary} from '../files/temporary-files.js';
import {endOutput, restoreTerminal, unprinted} from './output/output.js';
import {reportFailure} from './report-failure.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** How long a reader of stdout may pause while lines are waiting for it. */
const PATIENCE_MS = 300;
/** How long a thread may be held: files are read in less. */
const THREAD_MS = 150;

/**
 * Ends the process at the first SIGINT or SIGTERM, at once whatever it waits for: 9030, exit code 130. A
 * service that is told so before it serves has no request to finish: that is no failure.
 */
export function stopAtSignals(isService: boolean, json: boolean): void {
  // The first process of a container gets no signal that it does not listen for.
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      restoreTerminal();
      if (isService) return end(signal, 0);
      reportFailure(new PaylensError(9030), json);
      endOutput();
      whenPrinted(() => end(signal, process.exitCode));
    });
  }
}

/** Exits as soon as no thread is held; what holds one for long is not waited for. */
function end(signal: NodeJS.Signals, code: typeof process.exitCode): void {
  const deadline = performance.now() + THREAD_MS;
  const look = () => {
    const isHeld = isThreadHeld();
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
    if (left === 0 || now - since > PATIENCE_MS) return done();
    setTimeout(look, 10);
  };
  look();
}
