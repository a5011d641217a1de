import {describeFault} from '../../contract/json-fault.js';
import {readJson} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {readStdin} from '../input/read-stream.js';
import {readSecretFile} from './passphrase.js';

const MAX_KEY_FILE_BYTES = 1 << 20;
const KEY_FILE_LIMIT = {
  bytes: MAX_KEY_FILE_BYTES,
  error: () => new PaylensError(9002, `stdin: expected at most ${MAX_KEY_FILE_BYTES} bytes`),
};

/** Content of a file of keys: JSON, or one key block per line. */
export type KeyInput = {readonly json: unknown} | {readonly lines: readonly string[]};

/**
 * Reads a file of keys, or stdin for `-`, with or without a byte order mark. Throws 9002 when it
 * cannot be read, is empty, or begins as JSON and is none; the message never quotes it.
 */
export async function readKeyInput(file: string): Promise<KeyInput> {
  const bytes =
    file === '-' ? await readStdin(KEY_FILE_LIMIT) : await readSecretFile(file, 'the file of keys');
  try {
    return inputOf(bytes, file === '-' ? 'stdin' : file);
  } finally {
    bytes.fill(0);
  }
}

function inputOf(bytes: Uint8Array, name: string): KeyInput {
  // It drops a byte order mark; reading the text as JSON reports invalid UTF-8.
  const text = new TextDecoder().decode(bytes);
  if (/^\s*[A-Za-z0-9]/.test(text)) return {lines: text.split(/\r\n|\n|\r/)};
  const read = readJson(bytes);
  if (!('fault' in read)) return {json: read.value};
  const expected = 'expected a JSON array of keys, or one key block per line';
  throw new PaylensError(9002, `${name}: ${expected}: ${describeFault(read.fault)}`);
}
