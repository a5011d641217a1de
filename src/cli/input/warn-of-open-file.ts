import {readFile} from 'node:fs/promises';
import {privateFileWarnings} from '../../files/read-private-file.js';
import {warn} from '../output/output.js';

/** Warns when others can read, change or replace a file with a secret that is not published. */
export async function warnOfOpenFile(path: string): Promise<void> {
  const warnings = await privateFileWarnings(path);
  if (warnings.length > 0) await warnUnlessPublished(warnings, await readFile(path));
}

// Of a request, of a case to diagnose, of a configuration; payloads have other members called key.
const KEY_MEMBER = /"(?:partnerKey|sharedKey|keys)"\s*:/;

/** The same for a file that may be JSON with a key in it: a request, a case, a configuration. */
export async function warnOfOpenJson(path: string, content: string): Promise<void> {
  if (!KEY_MEMBER.test(content)) return;
  await warnUnlessPublished(await privateFileWarnings(path), Buffer.from(content, 'latin1'));
}

/** Prints the warnings about a file, unless everybody knows what is in it. */
export async function warnUnlessPublished(
  warnings: readonly string[],
  content: Uint8Array,
): Promise<void> {
  if (warnings.length === 0) return;
  // Few files are open to others: only for them are the published keys loaded.
  const {isPublished} = await import('./is-published.js');
  if (!(await isPublished(content))) warnings.forEach(warn);
}
