import {readFile} from 'node:fs/promises';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemReason} from '../../files/system-error.js';
import {readStdin} from './read-stream.js';

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
    const why = error instanceof TypeError ? 'expected UTF-8' : systemReason(error);
    throw new PaylensError(9002, `${name}: ${why}`);
  }
}
