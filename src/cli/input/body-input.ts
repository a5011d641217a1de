import {PaylensError} from '../../contract/paylens-error.js';
import {kindOf, readLimitedFile} from './input-file.js';
import {readStdin} from './read-stream.js';
import {warnOfOpenJson} from './warn-of-open-file.js';

/** The body of a request, byte for byte, and the file it was read from. */
export interface BodyInput {
  readonly bytes: Buffer;
  readonly file?: string;
}

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const BODY_LIMIT = {
  bytes: MAX_BODY_BYTES,
  error: () => new PaylensError(2006, `more than ${MAX_BODY_BYTES} bytes`),
};

/**
 * Reads a body: `-` for stdin, the name of a file, or JSON itself. Nothing is trimmed or decoded.
 * Throws 9001 for JSON that holds a key, 9002 when it cannot be read.
 */
export async function readBody(argument: string): Promise<BodyInput> {
  if (argument === '-') return {bytes: await readStdin(BODY_LIMIT)};
  if (argument.trimStart().startsWith('{')) {
    refuseSecrets(argument);
    return {bytes: Buffer.from(argument)};
  }
  if (kindOf(argument) === undefined)
    throw new PaylensError(9002, `${argument}: no such file`, {
      hint: 'Pass a file, - for stdin, or a JSON object.',
    });
  const bytes = await readLimitedFile(argument, BODY_LIMIT);
  await warnOfOpenJson(argument, bytes.toString('latin1'));
  return {bytes, file: argument};
}

/** Throws 9001 when JSON given as an argument holds a key: `ps` shows arguments to everybody. */
export function refuseSecrets(json: string): void {
  if (!containsSecret(json)) return;
  throw new PaylensError(
    9001,
    'keys are not accepted as arguments: other users can see them in the process list',
    {
      hint: 'Put the JSON in a file, or pipe it to stdin and pass -.',
    },
  );
}

const SECRET = /key|passphrase|password|secret|^bdk$|^ik$|^working$/i;
// The key serial number (KSN) is not a key.
const HARMLESS = /^ksn$|^keyed$/i;

function containsSecret(json: string): boolean {
  const names = [...json.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map((match) =>
    unescapedName(match[1] ?? ''),
  );
  return names.some((name) => SECRET.test(name) && !HARMLESS.test(name));
}

function unescapedName(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`);
  } catch {
    return escaped;
  }
}
