import {constants} from 'node:fs';
import {type FileHandle, open} from 'node:fs/promises';
import type {ErrorCode} from '../contract/error-catalogue.js';
import {PaylensError} from '../contract/paylens-error.js';
import {systemCode, systemReason} from './system-error.js';

/** Larger than any keyfile: ten thousand keys fit. */
const LIMIT = 1 << 20;
const FOR_OTHERS = 0o077;

/** The codes for what can be wrong with a file before its content is looked at. */
export interface PrivateFileCodes {
  readonly missing: ErrorCode;
  readonly unfit: ErrorCode;
}

/** A file that only its owner should read. */
export interface PrivateFile {
  readonly bytes: Uint8Array;
  /** For the person, when others may read the file too. */
  readonly warning?: string;
}

const KEYFILE_CODES: PrivateFileCodes = {missing: 9010, unfit: 9012};

/**
 * Reads a keyfile, passphrase or identity file of at most 1 MiB; symbolic links are followed.
 * Throws `codes.missing` (9010) when it is not there or not readable, `codes.unfit` (9012) when it
 * is too large or no regular file.
 */
export async function readPrivateFile(path: string, codes = KEYFILE_CODES): Promise<PrivateFile> {
  const file = await openFile(path, codes);
  try {
    const {mode} = await checkStatus(file, path, codes);
    const bytes = await readWhole(file, path, codes);
    const open = mode & FOR_OTHERS;
    return open === 0 || process.platform === 'win32'
      ? {bytes}
      : {bytes, warning: warn(path, mode)};
  } finally {
    await file.close();
  }
}

async function openFile(path: string, {missing}: PrivateFileCodes): Promise<FileHandle> {
  try {
    // O_NONBLOCK: a named pipe must not hold us up before it is refused.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw new PaylensError(missing, path, {cause: error});
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
  {unfit}: PrivateFileCodes,
): Promise<{mode: number}> {
  const status = await file.stat();
  if (!status.isFile()) {
    throw new PaylensError(unfit, `${path}: expected a regular file, found another kind`);
  }
  if (status.size > LIMIT) throw tooLarge(path, status.size, unfit);
  return status;
}

async function readWhole(
  file: FileHandle,
  path: string,
  {unfit}: PrivateFileCodes,
): Promise<Uint8Array> {
  try {
    const bytes = await file.readFile();
    if (bytes.length > LIMIT) throw tooLarge(path, bytes.length, unfit);
    return bytes;
  } catch (error) {
    if (error instanceof PaylensError) throw error;
    throw new PaylensError(unfit, `${path} cannot be read: ${systemReason(error)}`, {cause: error});
  }
}

function tooLarge(path: string, size: number, code: ErrorCode): PaylensError {
  return new PaylensError(code, `${path}: expected at most ${LIMIT} bytes, found ${size}`);
}

function warn(path: string, mode: number): string {
  const rights = (mode & 0o777).toString(8).padStart(3, '0');
  return `${path} can be read or changed by others (mode ${rights}): run chmod 600 on it`;
}
