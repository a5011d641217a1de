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
 * - What people read fits the width of the terminal (`layout/layout.ts`). What goes elsewhere is never
 *   wrapped, nor is what is meant for copying: JSON, payloads, headers, key blocks, stacks.
 * - A closed pipe (`| head`) ends the output quietly.
 */
import chalk, {type ChalkInstance, chalkStderr} from 'chalk';
import {ERROR_CATALOGUE} from '../../contract/error-catalogue.js';
import {redactCardNumbers} from '../../contract/masks/redact-card-numbers.js';
import {redactKeys} from '../../contract/masks/redact-keys.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {systemReason} from '../../files/system-error.js';
import {copied, hanging, layOut, type Part, stack} from './layout/layout.js';
import {cutToWidth, UNLIMITED} from './layout/text-width.js';
import {printableJson, printableLines} from './terminal-text.js';

interface OutputOptions {
  readonly quiet: boolean;
  readonly color: boolean;
}

let quiet = false;
let isEnded = false;
let isBarShown = false;
let warningLog: ((text: string) => void) | undefined;

/** Sets what `--quiet` and `--no-color` ask for; NO_COLOR counts as `--no-color`. */
export function configureOutput(options: OutputOptions): void {
  quiet = options.quiet;
  warningLog = undefined;
  if (options.color && !process.env.NO_COLOR) return;
  chalk.level = 0;
  chalkStderr.level = 0;
}

/** Drops all further output of a command that is being stopped. */
export function endOutput(): void {
  isEnded = true;
}

/** The colours of stdout, for results. */
export const colors: ChalkInstance = chalk;

/** Writes a result for people to stdout, as wide as the terminal. */
export function printResult(...parts: readonly Part[]): void {
  printVerbatim(layOut(stack(...parts), resultColumns()));
}

/** Writes lines or bytes to stdout unchanged: a result that is meant for copying. */
export function printVerbatim(result: string | Uint8Array): void {
  toStdout(typeof result === 'string' ? `${result}\n` : result);
}

/** Columns of the terminal that shows results; no limit without a terminal. */
export function resultColumns(stream: NodeJS.WriteStream = process.stdout): number {
  if (!stream.isTTY) return UNLIMITED;
  // Terminals of build servers report 0.
  const columns = stream.columns || Number.parseInt(process.env.COLUMNS ?? '', 10);
  return columns > 0 ? Math.max(columns, MIN_COLUMNS) : DEFAULT_COLUMNS;
}

function messageColumns(): number {
  return resultColumns(process.stderr);
}

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 20;

/** Writes several lines, as bytes, to stdout, and waits while its reader is behind. */
export async function printBlock(bytes: Uint8Array): Promise<void> {
  // Otherwise a stopped command would go on with its input.
  if (isEnded) return new Promise(() => {});
  const {isTTY} = process.stdout;
  if (toStdout(isTTY ? printableJson(Buffer.from(bytes).toString()) : bytes)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** Bytes of what was printed that have not gone out, since the reader is behind. */
export function unprinted(): number {
  return process.stdout.writableLength;
}

/** Writes `value` as indented JSON to stdout: the result of a command run with `--json`. */
export function printJson(value: unknown): void {
  printVerbatim(printableJson(JSON.stringify(value, null, 2)));
}

/** Writes `value` as JSON in one line to stdout, for programs that read line by line. */
export function printJsonLine(value: unknown): void {
  printVerbatim(printableJson(JSON.stringify(value)));
}

/** Unread bytes of stderr, above which the log is dropped. */
const MAX_UNREAD_LOG_BYTES = 2 ** 20;

/**
 * Writes finished lines of a service's log to stderr, `--quiet` or not; text wraps after the time.
 * False: they were dropped, since the reader of the log is far behind.
 */
export function writeLog(lines: string, form: 'json' | 'text' = 'json'): boolean {
  if (process.stderr.writableLength > MAX_UNREAD_LOG_BYTES) return false;
  const text = form === 'text' ? wrappedLog(lines) : lines;
  process.stderr.write(process.stderr.isTTY ? printableJson(text) : text);
  return true;
}

function wrappedLog(lines: string): string {
  const width = messageColumns();
  if (width === UNLIMITED) return lines;
  const wrapped = lines.split('\n').map((line) => hanging(TIME_COLUMN, line)(width));
  return wrapped.join('\n');
}

/** `12:34:56`, then two spaces. */
const TIME_COLUMN = 10;

/** Whether people read the log: stderr is a terminal. */
export function isLogOnTerminal(): boolean {
  return process.stderr.isTTY === true;
}

/** Tells a person something on stderr, unless `--quiet`. */
export function note(text: string): void {
  if (!quiet) toStderr(redacted(text));
}

/** Tells a person which command comes next, or another that the label names, unless `--quiet`. */
export function noteCommand(command: string, label = 'Next:'): void {
  if (!quiet) toStderr(copied(label, redacted(command)));
}

/** Shows on the last line of a terminal's stderr how far something is; an empty text ends it. */
export function progress(text: string): void {
  if (quiet || isEnded || !process.stderr.isTTY) return;
  isBarShown = text !== '';
  // What fills the last column may already move on to the next line, where `\r` stays.
  const line = cutToWidth(redacted(text), messageColumns() - 1);
  process.stderr.write(`\r\x1b[K${line}`);
}

/** Tells a person at a prompt what was wrong with the last answer, `--quiet` or not. */
export function printAtPrompt(text: string): void {
  toStderr(redacted(redactKeys(text)));
}

/** Restores the terminal: removes the progress line and shows the cursor. */
export function restoreTerminal(): void {
  if (process.stderr.isTTY) process.stderr.write(`${isBarShown ? '\r\x1b[K' : ''}\x1b[?25h`);
  isBarShown = false;
}

/** Sends the warnings to come to a log in place of stderr, unless that is a terminal. */
export function warnInLog(log: (text: string) => void): void {
  if (!process.stderr.isTTY) warningLog = log;
}

/** Warns a person on stderr, unless `--quiet`. */
export function warn(text: string): void {
  if (warningLog) warningLog(redactKeys(text));
  else if (!quiet)
    toStderr(headed('Warning:', chalkStderr.yellow, redactKeys(printableLines(text))));
}

/** An answer to an error, as `diagnosis/answer` finds it. */
interface ErrorAnswer {
  readonly cause: string;
  readonly evidence: readonly string[];
  readonly next?: string;
}

/**
 * Prints an error for people on stderr: code and message, then what to do next; where an answer is
 * known, the cause, its evidence and the command.
 */
export function printError(error: PaylensError, answer?: ErrorAnswer): void {
  const {code, detail, message, hint, fault} = error;
  const {cause, evidence = [], next} = answer ?? {};
  const isDecrypted = fault !== undefined && OF_PLAINTEXT.has(fault.kind);
  const title = isDecrypted ? `The data decrypts, but parts of it disagree: ${detail}` : message;
  const lines = [title, cause ?? hint, ...evidence.map((fact) => `✓ ${fact}`)];
  // A hint may say how what was typed would be right.
  const text = redactKeys(printableLines(lines.join('\n')));
  toStderr(headed(`Error ${code}:`, chalkStderr.red, text));
  if (next !== undefined) toStderr(copied('Next:', printableLines(next)));
}

/** The key is right: the message of the interface, which doubts it, is for its clients. */
const OF_PLAINTEXT: ReadonlySet<string> = new Set(['hash', 'masked-copy', 'contradiction']);

/** Prints the stack of an error, for maintainers. */
export function printTrace(trace: string): void {
  if (trace !== '') writeStderr(redacted(redactKeys(trace)));
}

/** Where a prompt is drawn: stderr, when stdin and stderr are both terminals; else undefined. */
export function promptStream(): NodeJS.WriteStream | undefined {
  return process.stdin.isTTY && process.stderr.isTTY ? process.stderr : undefined;
}

/**
 * Ends when stdout cannot be written: quietly if its reader is gone, else with 9014. What stderr
 * cannot take is lost: a full disk or a log reader that is gone must not end a service.
 */
export function watchStdout(): void {
  process.stderr.on('error', () => {});
  process.stdout.prependListener('error', endUnwritten);
}

/** Ends the command after stdout has failed with an error of the system. */
export function endUnwritten(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit();
  const failure = new PaylensError(9014, `stdout was not written: ${systemReason(error)}`, {
    hint: 'Free disk space, or send the output elsewhere. What was written before is incomplete.',
  });
  printError(failure);
  process.exit(ERROR_CATALOGUE[failure.code].exit);
}

/** Whether stdout takes more at once. */
function toStdout(chunk: string | Uint8Array): boolean {
  return !isEnded && process.stdout.write(chunk);
}

/** Before it is wrapped: afterwards a number could be in two lines. */
function redacted(text: string): string {
  return redactCardNumbers(printableLines(text));
}

/** A paragraph that begins with a painted word or two. */
function headed(head: string, paint: (text: string) => string, text: string): Part {
  const layout = redacted(`${head} ${text}`);
  return (width) => layOut(layout, width).replace(head, () => paint(head));
}

function toStderr(part: Part): void {
  writeStderr(layOut(part, messageColumns()));
}

function writeStderr(text: string): void {
  if (isEnded) return;
  const wiped = isBarShown ? '\r\x1b[K' : '';
  isBarShown = false;
  process.stderr.write(`${wiped}${text}\n`);
}
