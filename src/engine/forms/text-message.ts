import {PaylensError} from '../../contract/paylens-error.js';
import {bytesFromHex, hexByte, latin1Of} from '../../platform/bytes.js';
import {type Part, Trace} from '../trace.js';
import {severalReads} from './one-read.js';

const STX_CHARACTER = '\x02';
const ETX_CHARACTER = '\x03';
/** Separates the fields of a message. */
export const FS = '\x1c';

/**
 * A message with every control character as one character, and the position of each in the payload.
 */
interface MessageText {
  readonly text: string;
  /** The position in the payload of the character at `index`; `text.length` gives the end. */
  readonly origin: (index: number) => number;
}

/** The description of a part, for the trace. */
export type Described = Pick<Part, 'meaning' | 'sensitivity'>;
type DescribeField = Described | ((value: string) => Described);

/** Fields whose value is shown in hex. */
const BYTE_FIELDS: ReadonlySet<string> = new Set(['STX', 'FS', 'ETX', 'LRC']);

/** The body of a message, between STX and ETX. Reads and records one field after the other. */
export class TextMessage {
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
  take(count: number, name: string, describe: DescribeField = {}) {
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
  field(name: string, describe?: DescribeField): string {
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
  fieldMessage(): TextMessage {
    const end = this.#at + this.peek().length;
    const field = new TextMessage(this.body, this.#trace, this.#at, end);
    this.#at = end;
    if (end < this.#end) this.take(1, 'FS');
    return field;
  }

  /** The text represented by this message's hex digits; undefined if it is not hex. */
  fromHex(): TextMessage | undefined {
    const start = this.#at;
    const bytes = bytesFromHex(this.rest);
    const origin = (index: number) => this.body.origin(start + 2 * index);
    return bytes && new TextMessage({text: latin1Of(bytes), origin}, this.#trace);
  }

  /** The same message for a trial that leaves nothing in the trace. */
  unnoted(): TextMessage {
    return new TextMessage(this.body, new Trace({recording: false}), this.#at, this.#end);
  }

  /** The unread rest without its FS characters, as a separate message. */
  withoutSeparators(): TextMessage {
    const kept: number[] = [];
    for (let i = this.#at; i < this.#end; i++) if (this.body.text[i] !== FS) kept.push(i);
    const origins = [this.offset, ...kept.slice(1).map((i) => this.body.origin(i))];
    origins[kept.length] = this.body.origin(this.#end);
    const text = kept.map((i) => this.body.text[i]).join('');
    return new TextMessage({text, origin: (index) => origins[index] ?? 0}, this.#trace);
  }

  #note(start: number, name: string, value: string, describe: DescribeField) {
    const offset = this.body.origin(start);
    const shown = BYTE_FIELDS.has(name) ? hexByte(value.charCodeAt(0)) : value;
    const described = typeof describe === 'function' ? describe(value) : describe;
    const length = this.offset - offset;
    this.#trace.note({offset, length, depth: 0, name, value: shown, ...described});
  }
}

interface MessageFrame {
  /** Its bytes, if it was sent as hex. */
  readonly bytes?: Uint8Array | undefined;
  /** How another message begins: after the LRC it is a second read. */
  readonly another: RegExp;
  /** The message may end without ETX and LRC even if it begins with STX. */
  readonly isOpenEnded?: boolean;
}

/**
 * Removes STX, ETX and LRC from a message; all three may be absent. Control characters may be
 * written as `[FS]` or `<FS>`.
 *
 * Throws 2102 if STX comes without ETX, or ETX without LRC, 2100 if another message follows. A wrong
 * LRC is recorded in the trace.
 */
export function openTextMessage(payload: string, trace: Trace, frame: MessageFrame): TextMessage {
  const source = messageText(payload, trace, frame.bytes);
  const {text} = source;
  const start = text.startsWith(STX_CHARACTER) ? 1 : 0;
  const etx = text.indexOf(ETX_CHARACTER, start);
  const whole = new TextMessage(source, trace);
  if (start === 1) whole.take(1, 'STX');
  if (etx < 0) {
    if (start === 1 && !frame.isOpenEnded) endEarly('ETX', trace, source, text.length);
    return new TextMessage(source, trace, start, text.trimEnd().length);
  }
  if (etx + 1 >= text.length) endEarly('LRC', trace, source, etx + 1);
  else readTrailer(source, etx, trace, frame);
  return new TextMessage(source, trace, start, etx);
}

/** Adds STX, ETX and the LRC to a message. */
export function frameTextMessage(message: string, wrongLrc = false): string {
  const body = `${message}${ETX_CHARACTER}`;
  return `${STX_CHARACTER}${body}${String.fromCharCode(textLrc(body) ^ (wrongLrc ? 1 : 0))}`;
}

function endEarly(name: string, trace: Trace, source: MessageText, at: number): void {
  trace.cut(new PaylensError(2102, `expected ${name} at ${trace.unit} ${source.origin(at)}`));
}

/** The XOR of all characters after STX, ETX included. */
function textLrc(body: string): number {
  let lrc = 0;
  for (let i = 0; i < body.length; i++) lrc ^= body.charCodeAt(i);
  return lrc;
}

function readTrailer(source: MessageText, etx: number, trace: Trace, frame: MessageFrame): void {
  const {text, origin} = source;
  const lrc = textLrc(text.slice(text.startsWith(STX_CHARACTER) ? 1 : 0, etx + 1));
  const found = text.charCodeAt(etx + 1);
  trace.check('LRC', origin(etx + 1), hexByte(lrc), hexByte(found));
  const trailing = text.slice(etx + 2);
  if (frame.another.test(trailing)) {
    throw severalReads(`a second message begins after ${trace.unit} ${origin(etx + 1)}`);
  }
  if (trailing.trim() !== '') trace.check('end of message', origin(etx + 2), 'nothing', 'more');
  const tail = new TextMessage(source, trace, etx);
  tail.take(1, 'ETX');
  tail.take(1, 'LRC');
  tail.take(trailing.length, 'padding after the message');
}

function messageText(payload: string, trace: Trace, bytes: Uint8Array | undefined): MessageText {
  if (bytes) return {text: latin1Of(bytes), origin: (index) => index};
  trace.unit = 'character';
  const {text, origin} = unspell(payload);
  const kept = text.trimStart();
  const start = text.length - kept.length;
  return {text: kept, origin: (index) => origin(index + start)};
}

const SPELLED = /[[<](?:STX|ETX|FS)[\]>]/i;
const CONTROLS: Readonly<Record<string, string>> = {STX: STX_CHARACTER, ETX: ETX_CHARACTER, FS};

function unspell(payload: string): MessageText {
  if (!SPELLED.test(payload)) return {text: payload, origin: (index) => index};
  const origins: number[] = [];
  let text = '';
  for (const {0: token, 1: name, index} of payload.matchAll(/[[<](STX|ETX|FS)[\]>]|./gis)) {
    origins.push(index);
    text += name === undefined ? token : (CONTROLS[name.toUpperCase()] ?? token);
  }
  origins.push(payload.length);
  return {text, origin: (index) => origins[index] ?? payload.length};
}
