import {randomBytes} from 'node:crypto';
import {constants, createReadStream, type Stats} from 'node:fs';
import {type FileHandle, open, readdir, readFile, rename, stat, unlink} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {PaylensError} from '../contract/paylens-error.js';
import {systemCode, systemReason} from './system-error.js';
import {addTemporary, removeTemporary} from './temporary-files.js';

const STALE_MS = 60_000;

interface Options {
  /** Keep the mode of the file that is replaced: for a file without secrets. */
  readonly keepMode?: boolean;
  /** Mode of a new file before the umask; default 0600. */
  readonly mode?: number;
}

/**
 * Replaces the file at `path` (not a symbolic link) with `bytes`, mode 0600, so that a crash or a
 * full disk at any moment leaves either the complete old or the complete new content: the bytes are
 * written to a new file in the same folder, flushed and read back, the file is renamed, and the
 * folder is flushed. Throws 9014 if it cannot be saved.
 */
export async function writeDurably(
  path: string,
  bytes: Uint8Array,
  options: Options = {},
): Promise<void> {
  await removeStale(path);
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  addTemporary(beside);
  try {
    await writeNew(beside, path, bytes, options);
    await rename(beside, path);
  } catch (error) {
    throw notSaved(path, error);
  } finally {
    await removeTemporary(beside);
  }
  await flushFolder(path);
}

/**
 * Throws 9014 for a file that paylens has not written: what it writes `begins` so. What is missing,
 * empty or no file (a pipe, /dev/stdout) may be written.
 */
export async function assertOwn(path: string, begins: RegExp): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (!status?.isFile() || status.size === 0) return;
  const stream = createReadStream(path, {encoding: 'latin1', end: 4095});
  const [text] = await stream.toArray().catch((error) => Promise.reject(notSaved(path, error)));
  if (begins.test(text)) return;
  throw new PaylensError(9014, `${path} exists, and paylens has not written it`, {
    hint: 'Its contents would be lost or mixed with others: name another file, or remove this one.',
  });
}

/** Opens a file of ours to append to; a new one gets mode 0600. Throws 9014, as appending does. */
export async function openAppended(path: string, begins: RegExp) {
  await assertOwn(path, begins);
  const rethrow = (error: unknown) => {
    throw notSaved(path, error);
  };
  const file = await open(path, 'a', 0o600).catch(rethrow);
  const append = (text: string) => file.appendFile(text).catch(rethrow);
  return {append, close: () => file.close()};
}

/** The error for a file that could not be saved (9014): why, and that nothing was changed. */
export function notSaved(path: string, cause: unknown): PaylensError {
  if (cause instanceof PaylensError) return cause;
  return new PaylensError(9014, `${path} was not saved: ${systemReason(cause)}`, {
    hint: 'The file is unchanged. Free disk space or check permissions, then try again.',
    cause,
  });
}

/** Temporary files of killed writers: only ciphertext, but nothing else removes them. */
async function removeStale(path: string): Promise<void> {
  const prefix = `.${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue;
    const leftover = join(dirname(path), name);
    const status = await stat(leftover).catch(() => undefined);
    if (!status || Date.now() - status.mtimeMs < STALE_MS) continue;
    await unlink(leftover).catch(() => undefined);
  }
}

async function writeNew(
  beside: string,
  path: string,
  bytes: Uint8Array,
  {keepMode = false, mode = 0o600}: Options,
): Promise<void> {
  const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY} = constants;
  const file = await open(beside, O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0) | O_WRONLY, mode);
  try {
    const old = await stat(path).catch(() => undefined);
    if (old) await keepOwner(file, old);
    if (old && keepMode) await file.chmod(old.mode & 0o777);
    await writeAll(file, bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  if (bytes.length > 0 && Buffer.compare(await readFile(beside), bytes) === 0) return;
  throw new PaylensError(9014, `${path} was not saved: the copy on disk differs`);
}

/** Root saving the keyfile of another user must not lock that user out. */
async function keepOwner(file: FileHandle, old: Stats): Promise<void> {
  if (process.getuid?.() !== 0 || old.uid === 0) return;
  await file.chown(old.uid, old.gid);
}

/** A write may take only a part, as on a disk that is nearly full. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const {bytesWritten} = await file.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

/** Makes the rename survive a power cut, where the file system can flush a folder. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dirname(path), constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    if (['EINVAL', 'ENOTSUP', 'EPERM'].includes(systemCode(error) ?? '')) return;
    const what = `${path} was saved but not flushed to disk: ${systemReason(error)}`;
    const hint = 'The disk reported an error. Keep a copy elsewhere.';
    throw new PaylensError(9014, what, {hint, cause: error});
  } finally {
    await handle.close();
  }
}
