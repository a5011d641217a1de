import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, hexByte, latin1Of} from '../../../platform/bytes.js';
import {severalReads} from '../../forms/one-read.js';
import {compactHex, halfByte} from '../../forms/payload-bytes.js';
import {type Part, Trace} from '../../trace.js';
import {ETX, FS, STX} from './layout.js';

/**
 * A message with every control character as one character, and the position of each in the payload.
 */
export interface MessageText {
  readonly text: string;
  /** The position in the payload of the character at `index`; `text.length` gives the end. */
  readonly origin: (index: number) => number;
}

/** The description of a part, for the trace. */
export type Described = Pick<Part, 'meaning' | 'sensitivity'>;

/**
 * Parses the body of an RBA message, which is between STX and ETX. Reads and records one field
 * after the other.
 */
export class Message {
  readonly body: MessageText;
  readonly #trace: Trace;
  #at: number;
  readonly #end: number;

  constructor(body: MessageText, trace: Trace, start = 0, end = body.text.length) {
    this.body = body;
    this.#trace = trace;
    this.#at = start;
    this.#end = end;
  }

  /** Characters not yet read. */
  get rest(): string {
    return this.body.text.slice(this.#at, this.#end);
  }

  get offset(): number {
    return this.body.origin(this.#at);
  }

  get unit(): string {
    return this.#trace.unit;
  }

  /** Reads the next `count` characters. Throws 2102 if there are fewer. */
  take(count: number, name: string, describe: Described | ((value: string) => Described) = {}) {
    if (this.#end - this.#at < count) {
      throw new PaylensError(
        2102,
        `${name} at ${this.unit} ${this.offset}: expected ${count} characters, found ${this.#end - this.#at}`,
      );
    }
    const start = this.#at;
    this.#at += count;
    const value = this.body.text.slice(start, this.#at);
    if (this.#trace.recording && count > 0) this.#note(start, name, value, describe);
    return value;
  }

  /** Reads the characters up to the next FS or the end, and the FS. */
  field(name: string, describe?: Described | ((value: string) => Described)): string {
    const value = this.take(this.peek().length, name, describe);
    if (this.#at < this.#end) this.take(1, 'FS');
    return value;
  }

  /** The characters up to the next FS or the end, without reading them. */
  peek(): string {
    const separator = this.rest.indexOf(FS);
    return separator < 0 ? this.rest : this.rest.slice(0, separator);
  }

  /**
   * Reads the next field and its FS; returns it as a separate message that records its own parts.
   */
  fieldMessage(): Message {
    const end = this.#at + this.peek().length;
    const field = new Message(this.body, this.#trace, this.#at, end);
    this.#at = end;
    if (end < this.#end) this.take(1, 'FS');
    return field;
  }

  /** The text represented by this message's hex digits; undefined if it is not hex. */
  fromHex(): Message | undefined {
    const start = this.#at;
    const bytes = bytesFromHex(this.rest);
    const origin = (index: number) => this.body.origin(start + 2 * index);
    return bytes && new Message({text: latin1Of(bytes), origin}, this.#trace);
  }

  /** The same message for a trial that leaves nothing in the trace. */
  unnoted(): Message {
    return new Message(this.body, new Trace({recording: false}), this.#at, this.#end);
  }

  /** The unread rest without its FS characters, as a separate message. */
  withoutSeparators(): Message {
    const kept: number[] = [];
    for (let i = this.#at; i < this.#end; i++) if (this.body.text[i] !== FS) kept.push(i);
    const origins = [this.offset, ...kept.slice(1).map((i) => this.body.origin(i))];
    origins[kept.length] = this.body.origin(this.#end);
    const text = kept.map((i) => this.body.text[i]).join('');
    return new Message({text, origin: (index) => origins[index] ?? 0}, this.#trace);
  }

  #note(start: number, name: string, value: string, describe: Parameters<Message['take']>[2]) {
    const offset = this.body.origin(start);
    const shown = name === 'FS' ? '1C' : value;
    const described = typeof describe === 'function' ? describe(value) : describe;
    const length = this.offset - offset;
    this.#trace.note({offset, length, depth: 0, name, value: shown, ...described});
  }
}

/**
 * Removes STX, ETX and LRC from a message; all three may be absent. The message may come as hex,
 * and control characters as `[FS]` or `<FS>` (docs/terminals/ingenico.md#framing).
 *
 * Throws 2102 if STX comes without ETX, or ETX without LRC. A wrong LRC is recorded in the trace.
 */
export function openRbaMessage(payload: string, trace: Trace): Message {
  const source = messageText(payload, trace);
  const {text} = source;
  const start = text.startsWith(STX) ? 1 : 0;
  const etx = text.indexOf(ETX, start);
  const whole = new Message(source, trace);
  if (start === 1) whole.take(1, 'STX', {meaning: '02'});
  if (etx < 0) {
    if (start === 1) throw cut('ETX', trace, source, text.length);
    return new Message(source, trace, 0, text.trimEnd().length);
  }
  if (etx + 1 >= text.length) throw cut('LRC', trace, source, etx + 1);
  checkTrailer(source, start, etx, trace);
  return new Message(source, trace, start, etx);
}

function cut(name: string, trace: Trace, source: MessageText, at: number): PaylensError {
  return new PaylensError(2102, `expected ${name} at ${trace.unit} ${source.origin(at)}`);
}

/** The start of a message with a card; an exit type may be between id and source. */
const NEXT_MESSAGE = /(?:23|41|87)\.\d?[A-Za-z]|33\.0[2357]/;

/** True if another message that may contain a card begins in `text`. */
export function holdsMessage(text: string): boolean {
  return NEXT_MESSAGE.test(text);
}

/** The XOR of all characters after STX up to and including ETX. */
function checkTrailer(source: MessageText, start: number, etx: number, trace: Trace): void {
  const {text, origin} = source;
  let lrc = 0;
  for (let i = start; i <= etx; i++) lrc ^= text.charCodeAt(i);
  const found = text.charCodeAt(etx + 1);
  trace.check('LRC', origin(etx + 1), hexByte(lrc), hexByte(found));
  const trailing = text.slice(etx + 2);
  if (NEXT_MESSAGE.test(trailing)) {
    throw severalReads(`a second message begins after ${trace.unit} ${origin(etx + 1)}`);
  }
  if (trailing.trim() !== '') trace.check('end of message', origin(etx + 2), 'nothing', 'more');
  const tail = new Message(source, trace, etx);
  tail.take(1, 'ETX', {meaning: '03'});
  tail.take(1, 'LRC', {meaning: hexByte(found)});
  tail.take(trailing.length, 'padding after the message');
}

function messageText(payload: string, trace: Trace): MessageText {
  const bytes = hexMessage(payload);
  if (bytes) return {text: latin1Of(bytes), origin: (index) => index};
  trace.unit = 'character';
  return withoutBlanksInFront(
    SPELLED.test(payload) ? unspell(payload) : {text: payload, origin: (index) => index},
  );
}

/** Skips white space before STX or the message id. */
function withoutBlanksInFront({text, origin}: MessageText): MessageText {
  const kept = text.trimStart();
  const start = text.length - kept.length;
  return {text: kept, origin: (index) => origin(index + start)};
}

/** True if all characters are printable or separators; the LRC after ETX may be any character. */
function isMessage(text: string): boolean {
  const etx = text.indexOf(ETX);
  const body = etx < 0 ? text : text.slice(0, etx);
  return [...body].every(
    (character) => (character >= ' ' && character <= '~') || CONTROL_SET.has(character),
  );
}

const CONTROL_SET = new Set([STX, FS, '\x1d', '\r', '\n']);

function hexMessage(payload: string): Uint8Array | undefined {
  const compact = compactHex(payload);
  if (compact === undefined) return undefined;
  const bytes = bytesFromHex(compact);
  if (bytes) return isMessage(latin1Of(bytes)) ? bytes : undefined;
  if (!/^(?:02)?3\d3\d2e/i.test(compact)) return undefined;
  throw halfByte(compact);
}

const SPELLED = /[[<](?:STX|ETX|FS)[\]>]/i;
const CONTROLS: Readonly<Record<string, string>> = {STX, ETX, FS};

function unspell(payload: string): MessageText {
  const origins: number[] = [];
  let text = '';
  for (const {0: token, 1: name, index} of payload.matchAll(/[[<](STX|ETX|FS)[\]>]|./gis)) {
    origins.push(index);
    text += name === undefined ? token : (CONTROLS[name.toUpperCase()] ?? token);
  }
  origins.push(payload.length);
  return {text, origin: (index) => origins[index] ?? payload.length};
}
