import {closeSync, openSync} from 'node:fs';
import {isatty} from 'node:tty';

/**
 * Returns what tells whether the terminal is gone that this process is started on. It is on none
 * when no stream is a terminal: nohup leaves none, and Node resets the signals that it ignores.
 */
export function watchTerminal(): () => boolean {
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
