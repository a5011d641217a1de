import {realpath, rm, stat, writeFile} from 'node:fs/promises';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemCode, systemReason} from '../../files/system-error.js';
import {notSaved, writeDurably} from '../../files/write-durably.js';

/**
 * Writes a report without secrets, whole or not at all; what is not a file (a pipe, /dev/stdout)
 * takes it as it comes. Throws 9014 when it cannot be written.
 */
export async function writeReport(path: string, text: string): Promise<void> {
  try {
    const real = await realpath(path).catch(() => path);
    const isFile = (await stat(real).catch(() => undefined))?.isFile() ?? true;
    if (!isFile) return await writeFile(real, text);
    await writeDurably(real, new TextEncoder().encode(text), {keepMode: true, mode: 0o666});
  } catch (error) {
    throw notSaved(path, error);
  }
}

/** Makes a file of mode 0600. Throws 9001 when it exists already, 9014 when it cannot be written. */
export async function writePrivately(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, {flag: 'wx', mode: 0o600, flush: true});
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      throw new PaylensError(9001, `${file} already exists`, {hint: 'Choose another name.'});
    await rm(file, {force: true}).catch(() => undefined);
    throw new PaylensError(9014, `${file} was not saved: ${systemReason(error)}`, {
      hint: 'Check the directory, its permissions and free disk space.',
    });
  }
}
