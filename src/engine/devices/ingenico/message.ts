import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, hexByte, latin1Of} from '../../../platform/bytes.js';
import {type Part, Trace} from '../../trace.js';
import {severalReads} from '../shared/one-read.js';
import {compactHex, halfByte} from '../shared/payload-bytes.js';
import {ETX, FS, STX} from './layout.js';

/** A message with every control character as one character, and where each stands in the payload. */
export interface MessageText {
  readonly text: string;
  /** The unit of the payload where the character at `index` begins; `text.length` is its end. */
  readonly origin: (index: number) => number;
}

/** What a part of a message is, for the trace. */
export type Described = Pick<Part, 'meaning' | 'sensitivity'>;

/**
 * Walks through the body of an RBA message: what stands between STX and ETX. Takes and notes one
 * field after the other.
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

  /** Characters that were not taken yet. */
  get rest(): string {
    return this.body.text.slice(this.#at, this.#end);
  }

  get offset(): number {
    return this.body.origin(this.#at);
  }

  get unit(): string {
    return this.#trace.unit;
  }

  /** The next `count` characters. Throws 2102 when there are fewer. */
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

  /** The characters up to the next FS or the end, and the FS. */
  field(name: string, describe?: Described | ((value: string) => Described)): string {
    const value = this.take(this.peek().length, name, describe);
    if (this.#at < this.#end) this.take(1, 'FS');
    return value;
  }

  /** The characters up to the next FS or the end, which stay. */
  peek(): string {
    const separator = this.rest.indexOf(FS);
    return separator < 0 ? this.rest : this.rest.slice(0, separator);
  }

  /** The next field as a message of its own, which notes its parts itself; takes the FS, too. */
  fieldMessage(): Message {
    const end = this.#at + this.peek().length;
    const field = new Message(this.body, this.#trace, this.#at, end);
    this.#at = end;
    if (end < this.#end) this.take(1, 'FS');
    return field;
  }

  /** The text that the hex digits of this message stand for; undefined when they are none. */
  fromHex(): Message | undefined {
    const start = this.#at;
    const bytes = bytesFromHex(this.rest);
    const origin = (index: number) => this.body.origin(start + 2 * index);
    return bytes && new Message({text: latin1Of(bytes), origin}, this.#trace);
  }

  /** The same message for a trial that leaves no trace. */
  unnoted(): Message {
    return new Message(this.body, new Trace({recording: false}), this.#at, this.#end);
  }

  /** Everything left without its FS, as a message of its own. */
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
 * Takes STX, ETX and LRC off a message, each of which may be missing together; the message may come
 * as hex, and control characters as `[FS]` or `<FS>` (docs/formats/ingenico.md#framing).
 *
 * Throws 2102 when STX comes without ETX, or ETX without LRC. A wrong LRC is noted in the trace.
 */
export function openMessage(payload: string, trace: Trace): Message {
  const source = textOf(payload, trace);
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
  checkEnd(source, start, etx, trace);
  return new Message(source, trace, start, etx);
}

function cut(name: string, trace: Trace, source: MessageText, at: number): PaylensError {
  return new PaylensError(2102, `expected ${name} at ${trace.unit} ${source.origin(at)}`);
}

/** What reads a card: the exit type may stand between id and source. */
const NEXT_MESSAGE = /(?:23|41|87)\.\d?[A-Za-z]|33\.0[2357]/;

/** True when another message that may hold a card begins in `text`. */
export function holdsMessage(text: string): boolean {
  return NEXT_MESSAGE.test(text);
}

/** The XOR of all characters after STX up to and including ETX. */
function checkEnd(source: MessageText, start: number, etx: number, trace: Trace): void {
  const {text, origin} = source;
  let lrc = 0;
  for (let i = start; i <= etx; i++) lrc ^= text.charCodeAt(i);
  const found = text.charCodeAt(etx + 1);
  trace.check('LRC', origin(etx + 1), hexByte(lrc), hexByte(found));
  const behind = text.slice(etx + 2);
  if (NEXT_MESSAGE.test(behind)) {
    throw severalReads(`a second message begins after ${trace.unit} ${origin(etx + 1)}`);
  }
  if (behind.trim() !== '') trace.check('end of message', origin(etx + 2), 'nothing', 'more');
  const tail = new Message(source, trace, etx);
  tail.take(1, 'ETX', {meaning: '03'});
  tail.take(1, 'LRC', {meaning: hexByte(found)});
  tail.take(behind.length, 'padding after the message');
}

function textOf(payload: string, trace: Trace): MessageText {
  const bytes = hexMessage(payload);
  if (bytes) return {text: latin1Of(bytes), origin: (index) => index};
  trace.unit = 'character';
  return withoutBlanksInFront(
    SPELLED.test(payload) ? unspell(payload) : {text: payload, origin: (index) => index},
  );
}

/** Nothing of a message is blank before its STX or its id. */
function withoutBlanksInFront({text, origin}: MessageText): MessageText {
  const kept = text.trimStart();
  const start = text.length - kept.length;
  return {text: kept, origin: (index) => origin(index + start)};
}

/** Printable characters and separators; the LRC after ETX may be any character. */
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
