/**
 * The rules of the terminal. This is the only module that writes to it.
 *
 * - stdout carries the result and nothing else: the table of a card, the lines of a listing, or with
 *   `--json` one JSON value. With `--json` a failed command prints the error object there instead.
 * - stderr carries everything for people: notes, warnings, errors, prompts. With `--json` a failed
 *   command prints no second error there.
 * - `--quiet` drops notes and warnings; results and errors stay.
 * - A command may prompt only when stdin and stderr are both terminals; the prompt goes to stderr.
 * - Colours: only on a terminal, never with `--no-color` or NO_COLOR.
 * - Whatever goes to stderr passes the redactor, so that no card number gets into a log. In errors
 *   and warnings it also hides what looks like a key: they may quote what was typed.
 * - What cannot be seen (controls, changes of direction, characters without width) is escaped in
 *   messages, tables and JSON: most of them quote what came from elsewhere.
 * - A reader that goes away (`| head`) ends the output quietly.
 */
import chalk, {type ChalkInstance, chalkStderr} from 'chalk';
import type {ErrorObject, PaylensError} from '../../contract/paylens-error.js';
import {redactCardNumbers} from '../../contract/redact-card-numbers.js';
import {redactKeys} from '../../contract/redact-keys.js';
import {printableJson, printableLines} from './terminal-text.js';

interface OutputOptions {
  readonly quiet: boolean;
  readonly color: boolean;
}

let quiet = false;
let isEnded = false;
let warningLog: ((text: string) => void) | undefined;

/** Sets what `--quiet` and `--no-color` ask for; NO_COLOR counts as `--no-color`. */
export function configureOutput(options: OutputOptions): void {
  quiet = options.quiet;
  if (options.color && !process.env.NO_COLOR) return;
  chalk.level = 0;
  chalkStderr.level = 0;
}

/** Ends stdout and stderr for all that a command that was told to stop might still say. */
export function endOutput(): void {
  isEnded = true;
}

/** The colours of stdout, for results. */
export const colors: ChalkInstance = chalk;

/** Writes a line (or lines) of the result to stdout. */
export function printResult(text: string): void {
  toStdout(`${text}\n`);
}

/** Writes a line of many to stdout, and waits while its reader is behind. */
export function printLine(text: string): Promise<void> {
  return printBlock(Buffer.from(`${text}\n`));
}

/** Writes lines of many, as bytes, to stdout, and waits while its reader is behind. */
export async function printBlock(bytes: Uint8Array): Promise<void> {
  // Otherwise a command that was told to stop would go on with its input.
  if (isEnded) return new Promise(() => {});
  const {isTTY} = process.stdout;
  if (toStdout(isTTY ? printableJson(Buffer.from(bytes).toString()) : bytes)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** Bytes of what was printed that have not gone out, since the reader is behind. */
export function unprinted(): number {
  return process.stdout.writableLength;
}

/** Writes bytes to stdout as they are: a binary result. */
export function printBytes(bytes: Uint8Array): void {
  toStdout(bytes);
}

/** Writes `value` as indented JSON to stdout: the result of a command run with `--json`. */
export function printJson(value: unknown): void {
  printResult(printableJson(JSON.stringify(value, null, 2)));
}

/** Writes `value` as JSON in one line to stdout, for programs that read line by line. */
export function printJsonLine(value: unknown): void {
  printResult(printableJson(JSON.stringify(value)));
}

/** Writes a finished line of the service's own log to stderr, `--quiet` or not. */
export function writeLog(line: string): void {
  process.stderr.write(process.stderr.isTTY ? printableJson(line) : line);
}

/** Tells a person something on stderr, unless `--quiet`. */
export function note(text: string): void {
  if (!quiet) toStderr(printableLines(text));
}

/** Shows on the last line of a terminal's stderr how far something is; an empty text ends it. */
export function progress(text: string): void {
  if (quiet || isEnded || !process.stderr.isTTY) return;
  process.stderr.write(`\r\x1b[K${redactCardNumbers(text)}`);
}

/** Sends the warnings to come to a log in place of stderr, unless that is a terminal. */
export function warnInLog(log: (text: string) => void): void {
  if (!process.stderr.isTTY) warningLog = log;
}

/** Warns a person on stderr, unless `--quiet`. */
export function warn(text: string): void {
  if (warningLog) warningLog(redactKeys(text));
  else if (!quiet)
    toStderr(`${chalkStderr.yellow('Warning:')} ${redactKeys(printableLines(text))}`);
}

/** Prints an error for people on stderr: code and message, then what to do next. */
export function printError(error: PaylensError): void {
  const {code, message, hint} = error;
  const text = printableLines(`${redactKeys(message)}\n${hint}`);
  toStderr(`${chalkStderr.red(`Error ${code}:`)} ${text}`);
}

/** Prints the stack of an error, for maintainers. */
export function printTrace(stack: string): void {
  if (stack !== '') toStderr(redactKeys(printableLines(stack)));
}

/** Prints an error for programs on stdout: the error object of the interface, nothing else. */
export function printErrorObject(error: ErrorObject, members: object): void {
  printJson({...error, ...members});
}

/** Where a prompt is drawn: stderr, when stdin and stderr are both terminals; else undefined. */
export function promptStream(): NodeJS.WriteStream | undefined {
  return process.stdin.isTTY && process.stderr.isTTY ? process.stderr : undefined;
}

/**
 * Ends quietly when the reader of stdout is gone, and with exit code 1 when it cannot be written. What
 * stderr cannot take is lost: a full disk or a log reader that is gone must not end a service.
 */
export function watchStdout(): void {
  process.stderr.on('error', () => {});
  process.stdout.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') toStderr(`Error: cannot write the result (${error.code})`);
    process.exit(error.code === 'EPIPE' ? undefined : 1);
  });
}

/** Whether stdout takes more at once. */
function toStdout(chunk: string | Uint8Array): boolean {
  return !isEnded && process.stdout.write(chunk);
}

function toStderr(text: string): void {
  if (isEnded) return;
  process.stderr.write(`${redactCardNumbers(text)}\n`);
}
