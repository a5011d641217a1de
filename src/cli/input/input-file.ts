import {createReadStream, readFileSync, statSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemCode, systemReason} from '../../files/system-error.js';
import {type Limit, readStdin, readStream} from './read-stream.js';

/**
 * The text of a file, or of stdin for `-`: UTF-8, a byte order mark is skipped. Throws 9002 when it
 * cannot be read or is not UTF-8.
 */
export async function readTextFile(file: string): Promise<string> {
  const name = file === '-' ? 'stdin' : file;
  try {
    const bytes = file === '-' ? await readStdin() : await readFile(file);
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw unreadable(name, error);
    throw new PaylensError(9002, `${name}: expected UTF-8`);
  }
}

/** All bytes of a file. Throws 9002 when it cannot be read, the error of the limit beyond that. */
export async function readLimitedFile(name: string, limit: Limit): Promise<Buffer> {
  try {
    const status = statSync(name);
    // At once: a stream takes 2 % of the start of a command to be made.
    const isSmall = status.isFile() && status.size <= limit.bytes;
    const bytes = isSmall ? readFileSync(name) : await readStream(createReadStream(name), limit);
    if (bytes.length > limit.bytes) throw limit.error();
    return bytes;
  } catch (error) {
    throw error instanceof PaylensError ? error : unreadable(name, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

/** The error 9002 for a system error on reading the named file. */
export function unreadable(name: string, error: unknown): PaylensError {
  const code = systemCode(error) ?? '';
  const hint = code === 'EISDIR' ? {hint: 'Pass a file inside it.'} : {};
  return new PaylensError(9002, `${name}: ${REASONS[code] ?? systemReason(error)}`, hint);
}

/** The kind of the named file, if it exists. Pipes and devices are read like files. */
export function kindOf(name: string): 'file' | 'folder' | undefined {
  try {
    return statSync(name).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}
