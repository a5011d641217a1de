import {readFileSync} from 'node:fs';

/** The CPU time of this process while `work` runs, since others may use the machine as well. */
export function cpuMilliseconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1000;
}

const SCHEDSTAT = '/proc/thread-self/schedstat';

/**
 * The CPU time of this thread so far, in milliseconds: that of the collector's and the compiler's own
 * threads holds up nobody. Where the system does not tell it, that of the process.
 */
export function threadMilliseconds(): number {
  if (process.platform === 'linux')
    return Number.parseInt(readFileSync(SCHEDSTAT, 'latin1'), 10) / 1e6;
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}
