import cluster from 'node:cluster';
import type {ToWorker} from '../../service/cluster/messages.js';
import {serveAsWorker} from '../../service/cluster/serve-as-worker.js';
import {parseFailShare} from '../../service/operations/fault-settings.js';
import {logWriter, watchStdout} from '../output/output.js';
import {frozenClock} from './serve-options.js';

/** Size that a pipe writes atomically, so that lines of several processes do not mix. */
const PIECE = 4096;

// A terminal and systemd signal every process; here the primary says what to do. SIGUSR1 would open
// Node's debugger.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1']) process.on(signal, () => {});

watchStdout();
serveAsWorker({
  send: (message, done) => {
    process.send?.(message, undefined, undefined, done ?? (() => {}));
  },
  receive: (listener) => process.on('message', (message: ToWorker) => listener(message)),
  options: ({now, fail, logForm}) => ({
    now: frozenClock(now),
    fails: fail === undefined ? undefined : parseFailShare(fail),
    writeLog: (lines) => pieces(lines).forEach(logWriter(logForm?.form)),
  }),
  end: () => {
    cluster.worker?.disconnect();
    process.exit(0);
  },
});

function pieces(lines: string): string[] {
  if (Buffer.byteLength(lines) <= PIECE) return [lines];
  const all: string[] = [];
  let piece = '';
  for (const line of lines.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece + line) > PIECE) {
      all.push(piece);
      piece = '';
    }
    piece += line;
  }
  return [...all, piece];
}
