import {lstatSync, readFileSync, unlinkSync} from 'node:fs';
import {assertOwn, writeDurably} from '../../files/write-durably.js';
import {keepUntilExit} from '../../files/writer-lock.js';

/** Files that tell other programs about a running service. */
export interface StateFiles {
  /** Gets the process id. */
  readonly pidFile?: string | undefined;
  /** Gets the ready line. */
  readonly readyFile?: string | undefined;
}

/**
 * Keeps other services from the files, and removes a ready line of an earlier one, which would be
 * mistaken for ours. Throws 9014 if a running service has one of them, or it is another file.
 */
export async function claimStateFiles({pidFile, readyFile}: StateFiles): Promise<void> {
  for (const path of new Set([pidFile, readyFile])) {
    if (path === undefined) continue;
    await keepUntilExit(path);
    // A link is replaced, never what it points to.
    const isLink = lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink();
    if (!isLink) await assertOwn(path, STATE);
  }
  if (readyFile !== undefined) remove(readyFile);
}

/**
 * Writes the files, readable by this user alone, each at once as a whole. Returns what removes them,
 * which also the end of the process does. Throws 9014 when one cannot be written.
 */
export async function writeStateFiles(
  {pidFile, readyFile}: StateFiles,
  readyLine: string,
): Promise<() => void> {
  const written: (readonly [path: string, content: string])[] = [];
  const removeAll = () => {
    for (const [path, content] of written.splice(0)) if (holds(path, content)) remove(path);
  };
  process.once('exit', removeAll);
  const files = [
    [pidFile, `${process.pid}\n`],
    [readyFile, readyLine],
  ] as const;
  for (const [path, content] of files) {
    if (path === undefined) continue;
    await writeDurably(path, Buffer.from(content));
    written.push([path, content]);
  }
  return removeAll;
}

/** A process id, a ready line, or nothing. */
const STATE = /^(?:\d{1,10}|\{"url":.*\}|)\s*$/;

/** False if another service has replaced the file. */
function holds(path: string, content: string): boolean {
  try {
    return readFileSync(path, 'utf8') === content;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}
