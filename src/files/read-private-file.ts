import {constants, openSync, type Stats} from 'node:fs';
import {type FileHandle, lstat, open, realpath, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {ErrorCode} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';
import {systemCode, systemReason} from './system-error.js';

/** Larger than any keyfile: ten thousand keys fit. */
const LIMIT = 1 << 20;
const CHUNK = 1 << 16;
const FOR_OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;
/** Sticky bit, as on /tmp: only the owner of a file may replace it. */
const STICKY = 0o1000;

/** The kind of a private file, and the error codes for it. */
interface PrivateFileKind {
  readonly missing: ErrorCode;
  readonly unfit: ErrorCode;
  /** Whether a pipe will do, as of `--passphrase-file <(command)`. */
  readonly pipe: boolean;
}

/** A file that only its owner should read. */
export interface PrivateFile {
  readonly bytes: Uint8Array;
  /** For the person: how others can read, change or replace the file. */
  readonly warnings: readonly string[];
}

const KEYFILE: PrivateFileKind = {missing: 9010, unfit: 9012, pipe: false};

/**
 * Reads a keyfile, or with another `kind` a passphrase or identity file, of at most 1 MiB; symbolic
 * links are followed. Throws `kind.missing` (9010) when it is not there or not readable, and
 * `kind.unfit` (9012) when it is too large or no regular file.
 */
export async function readPrivateFile(path: string, kind = KEYFILE): Promise<PrivateFile> {
  const file = await openFile(path, kind);
  try {
    const status = await checkStatus(file, path, kind);
    const content = status.isFIFO() ? contentOfPipe(path) : contentOf(file);
    const bytes = await readWhole(content, path, kind);
    return {bytes, warnings: status.isFile() ? await warningsOf(path, status) : []};
  } finally {
    await file.close();
  }
}

/** What `readPrivateFile` warns of; nothing where there is no regular file. */
export async function privateFileWarnings(path: string): Promise<readonly string[]> {
  const status = await stat(path).catch(() => undefined);
  return status?.isFile() ? warningsOf(path, status) : [];
}

// Waiting for a pipe blocks a thread, and a process cannot exit before its threads.
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

async function openFile(path: string, {missing}: PrivateFileKind): Promise<FileHandle> {
  try {
    return await open(path, AT_ONCE);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && (await lstat(path).catch(() => undefined)))
      throw new PaylensError(missing, `${path} is a symbolic link to a missing file`, {
        hint: 'Remove the link, or put the file where it points.',
        cause: error,
      });
    // The title of 9010 says that it is missing.
    const reason = missing === 9010 ? '' : ': no such file';
    if (systemCode(error) === 'ENOENT')
      throw new PaylensError(missing, `${path}${reason}`, {cause: error});
    const detail = `${path} cannot be read: ${systemReason(error)}`;
    throw new PaylensError(missing, detail, {
      hint: 'Check its path and permissions.',
      cause: error,
    });
  }
}

async function checkStatus(
  file: FileHandle,
  path: string,
  {unfit, pipe}: PrivateFileKind,
): Promise<Stats> {
  const status = await file.stat();
  if (!status.isFile() && !(pipe && status.isFIFO())) {
    const found = status.isDirectory() ? 'a folder' : 'a special file';
    throw new PaylensError(unfit, `${path}: expected a regular file, found ${found}`, {
      hint: 'Pass the path of a regular file.',
    });
  }
  return status;
}

/** Reads into our own buffers: a Node stream would leave copies that are not wiped. */
async function* contentOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const buffer = Buffer.alloc(CHUNK);
    const {bytesRead} = await file.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Opened once more, since the socket closes what it reads; a first close would end the writer. */
async function* contentOfPipe(path: string): AsyncGenerator<Buffer> {
  // Loaded late: most of these are files.
  const {Socket} = await import('node:net');
  yield* new Socket({fd: openSync(path, AT_ONCE), readable: true, writable: false});
}

async function readWhole(
  content: AsyncGenerator<Buffer>,
  path: string,
  {unfit}: PrivateFileKind,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of content) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > LIMIT) break;
    }
  } catch (error) {
    throw new PaylensError(unfit, `${path} cannot be read: ${systemReason(error)}`, {cause: error});
  }
  if (length > LIMIT) throw new PaylensError(unfit, `${path}: expected at most ${LIMIT} bytes`);
  // Buffer.concat would put a secret into the pool that all buffers share.
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
    chunk.fill(0);
  }
  return bytes;
}

async function warningsOf(path: string, {mode, uid}: Stats): Promise<string[]> {
  // Windows has other rights, and no user ids.
  const own = process.geteuid?.();
  if (own === undefined) return [];
  const warnings: string[] = [];
  if ((mode & FOR_OTHERS) !== 0) {
    warnings.push(
      `${path} is accessible to other users (mode ${octal(mode)}): run chmod 600 on it`,
    );
  }
  if (uid !== own && uid !== 0) {
    warnings.push(
      `${path} belongs to another user (uid ${uid}), who can change it: run chown on it`,
    );
  }
  return [...warnings, ...(await folderWarnings(path))];
}

async function folderWarnings(path: string): Promise<string[]> {
  const folder = dirname(await realpath(path).catch(() => path));
  const {mode} = await stat(folder).catch(() => ({mode: 0}));
  if ((mode & WRITABLE_BY_ALL) === 0 || (mode & STICKY) !== 0) return [];
  return [
    `any user can replace ${path} in its directory (mode ${octal(mode)}): run chmod o-w on that`,
  ];
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
