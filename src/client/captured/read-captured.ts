import {PaylensError} from '../../contract/paylens-error.js';
import {bashCommands} from './bash-commands.js';
import type {CapturedRequest} from './captured-request.js';
import {curlRequests} from './curl-request.js';
import {harRequests} from './har-requests.js';
import {httpRequests, isHttpText} from './http-requests.js';

/** Whether a text is a captured request, and not the value of a header. */
export function isCaptured(text: string): boolean {
  return CURL.test(text) || /^\s*[[{]/.test(text) || isHttpText(text);
}

/** A command may have been copied with the prompt or the path before its name. */
const CURL = /^\s*(?:[$#%>] +|(?:PS )?[A-Z]:\\[^\n>]*> *)?(?:[\w./\\-]*[/\\])?curl(?:\.exe)?\s/i;
const PROMPT = /^\s*(?:[$#%>] +|(?:PS )?[A-Z]:\\[^\n>]*> *)/;

/**
 * The requests of a curl command for bash, an HTTP Archive or one of its entries, or an HTTP text.
 * Throws 9002 for anything else, and for an incomplete one.
 */
export function readCaptured(bytes: Uint8Array): CapturedRequest[] {
  const text = decodedText(Buffer.from(bytes));
  if (/^\s*[[{]/.test(text)) return harRequests(Buffer.from(text, 'latin1').toString('utf8'));
  const other = OTHERS.find(([pattern]) => pattern.test(text));
  if (other) throw unfitCapture(`found ${other[1]}`, COPY_FOR_BASH);
  if (!CURL.test(text) && isHttpText(text)) return httpRequests(text);
  return curlCommandsOf(text).flatMap(curlRequests);
}

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:await )?fetch\(/, 'JavaScript'],
  [/^\s*(?:\$session\b|Invoke-(?:WebRequest|RestMethod)\b)/i, 'a command of PowerShell'],
  [/^\s*(?:wget|https?|xh)\s/, 'a command of another program'],
];

function curlCommandsOf(text: string): string[][] {
  if (isForWindows(text))
    throw unfitCapture('found a command for cmd or PowerShell', COPY_FOR_BASH);
  const calls = bashCommands(text.replace(PROMPT, '')).flatMap((words) => {
    const at = words.findIndex((word) => !BEFORE_CURL.test(word));
    return CURL_NAME.test(words[at] ?? '') ? [words.slice(at + 1)] : [];
  });
  if (calls.length > 0) return calls;
  throw unfitCapture('found other text', 'Paste the command from its first word, curl.');
}

/** Assignments, and commands that start another one. */
const BEFORE_CURL = /^(?:\w+=.*|[$#%]|sudo|time|exec|command|env)$/s;
const CURL_NAME = /(?:^|[/\\])curl(?:\.exe)?$/i;

const COPY_FOR_BASH = 'In the browser, choose "Copy as cURL (bash)", or save a HAR.';

/** Whether a command continues its lines, quotes, or has a prompt, as in cmd and PowerShell. */
function isForWindows(text: string): boolean {
  return !/\\\r?\n/.test(text) && WINDOWS.some((sign) => sign.test(text));
}

const WINDOWS: readonly RegExp[] = [
  /[ "]\^\r?\n/,
  / `\r?\n/,
  /^\s*\S*curl(?:\.exe)? +\^"/i,
  /"[{[]""/,
  /^\s*(?:PS )?[A-Z]:\\[^\n>]*>/,
];

/** The text as bytes of UTF-8, one a character; files of Windows may be UTF-16. */
function decodedText(bytes: Buffer): string {
  const isWide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isWide) return bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  const pairs = Buffer.from(bytes.subarray(2, bytes.length & ~1));
  const little = bytes[0] === 0xff ? pairs : pairs.swap16();
  return Buffer.from(little.toString('utf16le')).toString('latin1');
}

function unfitCapture(found: string, hint: string): PaylensError {
  const expected = 'expected a curl command for bash, a HAR or an HTTP request';
  return new PaylensError(9002, `request: ${expected}, ${found}`, {hint});
}
