import {realpath, stat, writeFile} from 'node:fs/promises';
import {notSaved, writeDurably} from '../../files/write-durably.js';

/**
 * Writes a report without secrets, whole or not at all; what is no file (a pipe, /dev/stdout) takes
 * it as it comes. Throws 9014 when it cannot be written.
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
