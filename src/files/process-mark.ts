import {createHash} from 'node:crypto';
import {readFileSync, readlinkSync} from 'node:fs';
import {hostname} from 'node:os';

/** Names one process for ever: pids are used again, a pid with its start time is not. */
export interface ProcessMark {
  /** Where the pid counts: host and pid namespace, hashed to 8 hex digits. */
  readonly realm: string;
  readonly pid: number;
  /**
   * Clock ticks from boot to the start of the process (Linux); `0` if the system does not report
   * it.
   */
  readonly start: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return {realm: ownRealm(), pid: process.pid, start: statusOf(process.pid)?.start ?? '0'};
}

/** Whether the process still runs; `unknown` for one of another host or container. */
export function liveness({realm, pid, start}: ProcessMark): Liveness {
  if (realm !== ownRealm()) return 'unknown';
  const status = statusOf(pid);
  if (!status) return answersSignal(pid) ? 'alive' : 'dead';
  return status.start === start && !'ZX'.includes(status.state) ? 'alive' : 'dead';
}

/** State and start time from /proc (proc(5), stat, fields 3 and 22); undefined elsewhere. */
function statusOf(pid: number): {state: string; start: string} | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name in field 2 may contain spaces and brackets.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return {state: fields[0] ?? '', start: fields[19] ?? '0'};
  } catch {
    return undefined;
  }
}

function answersSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as {code?: string}).code === 'EPERM';
  }
}

function ownRealm(): string {
  return createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 8);
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
