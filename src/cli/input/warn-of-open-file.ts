import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {packageRoot} from '../../files/package-root.js';
import {privateFileWarnings} from '../../files/read-private-file.js';
import {warn} from '../output/output.js';

/** Warns when others can read, change or replace a file with a secret. */
export async function warnOfOpenFile(path: string): Promise<void> {
  warnUnlessSample(path, await privateFileWarnings(path));
}

// In requests, cases and configurations; payloads have other members called key.
const KEY_MEMBER = /"(?:partnerKey|sharedKey|keys)"\s*:/;

/** The same for a file that may be JSON with a key in it. */
export async function warnOfOpenJson(path: string, content: string): Promise<void> {
  if (KEY_MEMBER.test(content)) await warnOfOpenFile(path);
}

/** Prints the warnings about a file, unless it is a sample of this package: those are public. */
export function warnUnlessSample(path: string, warnings: readonly string[]): void {
  const samples = fileURLToPath(new URL('samples/', packageRoot()));
  if (!resolve(path).startsWith(samples)) warnings.forEach(warn);
}
