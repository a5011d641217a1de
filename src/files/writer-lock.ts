import {randomBytes, randomInt} from 'node:crypto';
import {lstat, readdir, stat, unlink, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {PaylensError} from '../contract/paylens-error.js';
import {liveness, ownMark, type ProcessMark} from './process-mark.js';
import {systemCode} from './system-error.js';
import {
  addTemporary,
  forgetTemporary,
  removeAllTemporary,
  removeTemporary,
} from './temporary-files.js';
import {notSaved} from './write-durably.js';

const WAIT_MS = 10_000;
/** How long a lock of another host or container is honoured: longer than any save takes. */
const FOREIGN_MS = 600_000;

/**
 * Runs `work` while no other paylens writes the file at `path`; waits up to `waitMs` for the one
 * that does. Throws 9014 when it does not end, or when the folder cannot be written.
 *
 * Every writer puts a lock file of its own beside the keyfile, named after its pid and start time,
 * and looks for others only then: of two writers at least one sees the other and steps back. The
 * lock of a dead process is passed over; nobody ever takes over a file, so nobody takes over wrongly.
 */
export async function withWriterLock<T>(
  path: string,
  work: () => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const lock = await acquire(path, performance.now() + waitMs);
  try {
    return await work();
  } finally {
    await removeTemporary(lock);
  }
}

/** Keeps others from the file at `path` until this process ends. Throws 9014 if another one has it. */
export async function keepUntilExit(path: string): Promise<void> {
  // A killed container leaves its lock to the next one: only processes of this machine count.
  await acquire(path, 0, 0);
  process.once('exit', removeAllTemporary);
}

async function acquire(path: string, deadline: number, foreignMs?: number): Promise<string> {
  for (;;) {
    const lock = await putLock(path);
    const holder = await otherHolder(path, lock, foreignMs).catch(async (error) => {
      await removeTemporary(lock);
      throw notSaved(path, error);
    });
    if (!holder) return lock;
    await removeTemporary(lock);
    if (performance.now() > deadline) throw locked(path, holder);
    await delay(randomInt(10, 60));
  }
}

async function putLock(path: string): Promise<string> {
  const {realm, pid, start} = ownMark();
  const tag = randomBytes(4).toString('hex');
  const lock = join(dirname(path), `${lockPrefix(path)}${realm}.${pid}.${start}.${tag}`);
  addTemporary(lock);
  try {
    await writeFile(lock, `pid ${pid}, started ${start}\n`, {flag: 'wx', mode: 0o600});
    return lock;
  } catch (error) {
    // A full disk makes the file before it fails to fill it.
    if (systemCode(error) === 'EEXIST') forgetTemporary(lock);
    else await removeTemporary(lock);
    throw notSaved(path, error);
  }
}

async function otherHolder(
  path: string,
  own: string,
  foreignMs = FOREIGN_MS,
): Promise<ProcessMark | undefined> {
  const prefix = lockPrefix(path);
  for (const name of await readdir(dirname(path))) {
    const lock = join(dirname(path), name);
    if (!name.startsWith(prefix) || lock === own) continue;
    const holder = markOf(name.slice(prefix.length));
    if (holder && (await holds(holder, lock, foreignMs))) return holder;
  }
  return undefined;
}

async function holds(holder: ProcessMark, lock: string, foreignMs: number): Promise<boolean> {
  if (await isForeign(lock)) return false;
  const state = liveness(holder);
  if (state === 'alive') return true;
  if (state === 'unknown' && (await ageOf(lock)) < foreignMs) return true;
  await unlink(lock).catch(() => undefined);
  return false;
}

/** In a folder that others can write to, anyone can put a file with the name of a lock. */
async function isForeign(lock: string): Promise<boolean> {
  const own = process.geteuid?.();
  const status = await lstat(lock).catch(() => undefined);
  if (own === undefined || !status || own === status.uid || status.uid === 0) return false;
  const folder = await stat(dirname(lock));
  return status.uid !== folder.uid;
}

async function ageOf(file: string): Promise<number> {
  const status = await stat(file).catch(() => undefined);
  return status ? Date.now() - status.mtimeMs : Number.POSITIVE_INFINITY;
}

function lockPrefix(path: string): string {
  return `.${basename(path)}.lock.`;
}

function markOf(rest: string): ProcessMark | undefined {
  const match = /^([0-9a-f]{8})\.(\d+)\.(\d+)\.[0-9a-f]{8}$/.exec(rest);
  const [, realm, pid, start] = match ?? [];
  if (!realm || !pid || !start) return undefined;
  return {realm, pid: Number(pid), start};
}

function locked(path: string, {pid}: ProcessMark): PaylensError {
  return new PaylensError(9014, `process ${pid} has ${path}`);
}
