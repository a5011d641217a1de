import {PaylensError} from '../contract/paylens-error.js';
import {readSecretFile} from './passphrase.js';

const LIMIT = 1 << 20;

/**
 * The JSON of a file of keys, or of stdin for `-`, with or without a byte order mark. Throws 9002
 * when it cannot be read or is not JSON; the message never quotes it.
 */
export async function readKeyArray(file: string): Promise<unknown> {
  const bytes = file === '-' ? await readStdin() : await readSecretFile(file);
  try {
    // TextDecoder drops the byte order mark.
    return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
  } catch {
    const name = file === '-' ? 'stdin' : file;
    throw new PaylensError(9002, `${name}: expected a JSON array of keys, found no JSON`);
  } finally {
    bytes.fill(0);
  }
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > LIMIT) throw new PaylensError(9002, `stdin: expected at most ${LIMIT} bytes`);
  }
  return Buffer.concat(chunks);
}
