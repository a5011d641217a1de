import {createReadStream, statSync} from 'node:fs';
import {PaylensError} from '../../contract/paylens-error.js';
import {decodeInput} from '../../engine/decode-input.js';
import {kindOf, readLimitedFile, unreadable} from './input-file.js';
import {openStdin, readStream} from './read-stream.js';
import {warnOfOpenJson} from './warn-of-open-file.js';

/** Where an input comes from: at most one of them is given, else it is read from stdin. */
export interface InputSource {
  /** `-` for stdin, the name of an existing file, or the payload itself. */
  readonly argument?: string | undefined;
  /** The name of a file, even one called `-`. */
  readonly file?: string | undefined;
  /** The payload itself, even if a file has its name. */
  readonly payload?: string | undefined;
}

const MAX_INPUT_BYTES = 64 * 1024;
const INPUT_LIMIT = {bytes: MAX_INPUT_BYTES, error: tooLarge};

/**
 * Reads the payload or request JSON that a command was given, as text (see decodeInput).
 * Throws 9001 when several are given or stdin is empty, 9002 when it cannot be read, 2006 above
 * 64 KiB.
 */
export async function readInput(source: InputSource): Promise<string> {
  const {argument, file, payload} = source;
  if ([argument, file, payload].filter((given) => given !== undefined).length > 1) {
    throw new PaylensError(9001, 'expected one payload: literal text, a file, or - for stdin');
  }
  if (file !== undefined) return readInputFile(file);
  if (payload !== undefined) return limited(payload);
  return readArgument(argument ?? '-');
}

/** An input of any length, as a stream of bytes. */
export interface OpenedInput {
  readonly stream: AsyncIterable<Uint8Array>;
  /** Bytes, if it is a file. */
  readonly size?: number;
}

/** Larger pieces than by default: less is to be passed around. */
const CHUNK = 256 * 1024;

/**
 * Opens a file or stdin for reading line by line. Throws 9001 when several are given, or none and
 * stdin is empty; 9002 when it cannot be read, at the latest while reading.
 */
export function openInput({argument, file, payload}: InputSource): OpenedInput {
  const name = file ?? argument;
  if (payload !== undefined || (file !== undefined && argument !== undefined))
    throw new PaylensError(9001, 'expected one file, or - for stdin');
  if (name === undefined) return {stream: assertInput(openStdin())};
  if (file === undefined && name === '-') return {stream: openStdin()};
  const stream = pieces(name);
  return kindOf(name) === 'file' ? {stream, size: statSync(name).size} : {stream};
}

/** Opens the file with the first read: an error that nobody waits for would end the process. */
async function* pieces(name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(name, {highWaterMark: CHUNK});
  } catch (error) {
    throw unreadable(name, error);
  }
}

// Stdin is only the default: a forgotten argument must not be mistaken for an empty file.
async function* assertInput(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of stream) {
    isEmpty = false;
    yield chunk;
  }
  if (isEmpty) throw emptyStdin();
}

async function readArgument(argument: string): Promise<string> {
  if (argument === '-') return readPayloadFromStdin();
  // The name of a directory is taken as a path: reading it gives the right error.
  if (kindOf(argument) !== undefined) return readInputFile(argument);
  if (!isFileName(argument)) return limited(argument);
  throw new PaylensError(9002, `${argument}: no such file`, {
    hint: 'Check the path. To pass the payload itself, use --payload.',
  });
}

const BASE64 = /^(?:[a-z\d+/_-]{4})*(?:[a-z\d+/_-]{2,3})?={0,2}$/i;
/** The longest name that is taken for one by its characters alone. */
const NAME_CHARS = 64;

/** Whether an argument that names no file was meant as the name of one. */
function isFileName(argument: string): boolean {
  // A payload in a notation of its own: JSON, XML, keyboard text, escapes, or bytes as they are.
  const notation =
    /^\s*[{[<]|^(?:%[a-z]?|[;+])\d|\\x[\da-f]{2}|\\u[\da-f]{4}|^%[\da-f]{2}|\p{Cc}/iu;
  if (argument.trim() === '' || notation.test(argument)) return false;
  const isLong = argument.length > NAME_CHARS;
  if (/[/\\]/.test(argument)) return !(isLong && BASE64.test(argument));
  if (/\.[a-z]\w*$/i.test(argument)) return true;
  const isHex = /[\da-f]{12}|^(?:(?:0x)?[\da-f]{1,2}[\s:,-]*)+$/i.test(argument);
  const isBase64 = BASE64.test(argument) && Buffer.from(argument, 'base64').length >= 8;
  return !isLong && !isHex && !isBase64;
}

async function readPayloadFromStdin(): Promise<string> {
  const text = decodeInput(await readStream(openStdin(), INPUT_LIMIT));
  if (text.trim() === '') throw emptyStdin();
  return text;
}

function emptyStdin(): PaylensError {
  return new PaylensError(9001, 'expected one payload: stdin is empty', {
    hint: 'Pass a file or literal text, or pipe the payload in. `paylens sample` lists samples to try.',
  });
}

function limited(payload: string): string {
  if (Buffer.byteLength(payload) > MAX_INPUT_BYTES) throw tooLarge();
  // From a file that the shell expanded.
  return payload.replace(/^\uFEFF/, '');
}

async function readInputFile(name: string): Promise<string> {
  const text = decodeInput(await readLimitedFile(name, INPUT_LIMIT));
  await warnOfOpenJson(name, text);
  return text;
}

/** As the service says it. */
function tooLarge(): PaylensError {
  return new PaylensError(2006, `expected at most ${MAX_INPUT_BYTES} bytes`);
}
