import {setTimeout as wait} from 'node:timers/promises';

/** The result of `answer`, or `otherwise` on a timeout (in milliseconds). */
export async function orAfter<T>(milliseconds: number, otherwise: T, answer: Promise<T>) {
  const stop = new AbortController();
  const timeout = wait(milliseconds, otherwise, {ref: false, signal: stop.signal});
  timeout.catch(() => {});
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    stop.abort();
  }
}
