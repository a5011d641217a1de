import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {packageRoot} from '../../files/package-root.js';
import {privateFileWarnings} from '../../files/read-private-file.js';
import {warn} from '../output/output.js';

/**
 * Warns when others can read, change or replace a file with a secret, if it is not a sample of
 * ours.
 */
export async function warnOfOpenFile(path: string): Promise<void> {
  if (!isSample(path)) (await privateFileWarnings(path)).forEach(warn);
}

// Of a request, of a case to diagnose, of a configuration; payloads have other members called key.
const KEY_MEMBER = /"(?:partnerKey|sharedKey|keys)"\s*:/;

/** The same for a file that may be JSON with a key in it: a request, a case, a configuration. */
export async function warnOfOpenJson(path: string, content: string): Promise<void> {
  if (KEY_MEMBER.test(content)) await warnOfOpenFile(path);
}

/** Whether everybody has this file, since it came with the package. */
export function isSample(path: string): boolean {
  const samples = fileURLToPath(new URL('samples/', packageRoot()));
  return resolve(path).startsWith(samples);
}
