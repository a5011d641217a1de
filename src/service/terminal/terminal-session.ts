import {once} from 'node:events';
import type {Socket} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {FrameSplitter, type WireFrame} from '../../engine/framing/frame-splitter.js';
import {concatBytes} from '../../platform/bytes.js';
import type {Command, CommandRule} from './command-table.js';
import type {TerminalAnswer, TerminalFault} from './test-terminal.js';
import type {VirtualTerminal} from './virtual-terminal.js';

const [EOT, ACK, NAK] = [0x04, 0x06, 0x15];
/** How often a message is sent, and a damaged one refused. */
const MAX_ATTEMPTS = 3;
/** Silence after which an unfinished message has ended. */
const IDLE_MS = 500;
/** The shortest command: an identifier of three bytes in a frame, without its last byte. */
const MIN_DAMAGED_BYTES = 5;
const SLOW_PAUSE_MS = 20;
const SLOW_BYTES = 7;
/** Begins no message. */
const NOISE = Uint8Array.of(0xff, 0x80, 0xfe, 0xaa, 0xff);

/** What is sent under a fault; `slow` differs in time alone. */
const SENT: Readonly<Partial<Record<TerminalFault, (bytes: Uint8Array) => Uint8Array>>> = {
  half: (bytes) => bytes.subarray(0, bytes.length >> 1),
  noise: (bytes) => concatBytes(NOISE, bytes),
  doubled: (bytes) => concatBytes(bytes, bytes),
  'wrong-lrc': (bytes) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1),
};

/** One connection to a terminal. Commands are answered in turn; a wait for a card holds none up. */
export class TerminalSession {
  readonly #terminal: VirtualTerminal;
  readonly #socket: Socket;
  readonly #closed = new AbortController();
  readonly #splitter = new FrameSplitter(MIN_DAMAGED_BYTES);
  #turn: Promise<void> = Promise.resolve();
  /** The command that waits for a card. */
  #waiting: {command: Command; stop: AbortController; done: Promise<void>} | undefined;
  /** The last message, until it is acknowledged, and how often it was sent. */
  #sent: Uint8Array | undefined;
  #attempts = 0;
  /** Damaged messages one after another. */
  #damaged = 0;

  constructor(terminal: VirtualTerminal, socket: Socket) {
    this.#terminal = terminal;
    this.#socket = socket;
    socket.on('error', () => {}).once('close', () => this.#closed.abort());
  }

  /** Answers until the connection is closed; after the end of its input, what was asked before. */
  async run(): Promise<void> {
    let idle: NodeJS.Timeout | undefined;
    try {
      for await (const chunk of this.#socket.iterator({destroyOnReturn: false})) {
        clearTimeout(idle);
        await this.#inTurn(() => this.#take(chunk));
        idle = setTimeout(() => void this.#inTurn(() => this.#flush()), IDLE_MS);
      }
      await this.#inTurn(() => this.#flush());
      await this.#waiting?.done;
      this.#socket.end();
    } catch {
      this.#socket.destroy();
    } finally {
      clearTimeout(idle);
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work);
    this.#turn.catch(() => this.#socket.destroy());
    return this.#turn;
  }

  /** Between messages of a terminal that acknowledges, ACK and NAK are those of its program. */
  async #take(chunk: Uint8Array): Promise<void> {
    const step = this.#table.acknowledges ? 1 : chunk.length;
    for (let at = 0; at < chunk.length; at += step) {
      const bytes = chunk.subarray(at, at + step);
      const isOwn =
        step === 1 && this.#splitter.isBetween && (bytes[0] === ACK || bytes[0] === NAK);
      if (isOwn) await this.#acknowledged(bytes[0] === ACK);
      else for (const frame of this.#splitter.push(bytes)) await this.#frame(frame);
    }
    if (this.#splitter.isBetween) await this.#flush();
  }

  async #flush(): Promise<void> {
    for (const frame of this.#splitter.flush()) await this.#frame(frame);
  }

  async #acknowledged(isRight: boolean): Promise<void> {
    const message = isRight || this.#attempts >= MAX_ATTEMPTS ? undefined : this.#sent;
    if (message) return this.#send(message);
    if (this.#sent && !isRight) await this.#write(Uint8Array.of(EOT));
    this.#sent = undefined;
  }

  get #table() {
    return this.#terminal.settings.table;
  }

  async #frame(frame: WireFrame): Promise<void> {
    const {form, bytes, damage} = frame;
    const isOwn = form === this.#table.form;
    const command = isOwn ? this.#table.commandIn(bytes) : undefined;
    if (isOwn && damage) return this.#refuse(frame, command);
    if (!command) return this.#terminal.note('not a command', {form, bytes: bytes.length});
    this.#damaged = 0;
    return this.#command(command, bytes.length);
  }

  async #refuse({bytes, damage}: WireFrame, command: Command | undefined): Promise<void> {
    this.#terminal.note('damaged command', {bytes: bytes.length, damage});
    const {acknowledges, wrongCheck} = this.#table;
    if (acknowledges) {
      this.#damaged = (this.#damaged % MAX_ATTEMPTS) + 1;
      return this.#write(Uint8Array.of(this.#damaged === MAX_ATTEMPTS ? EOT : NAK));
    }
    if (wrongCheck !== undefined && damage === 'wrong-check' && command)
      await this.#answer(command, wrongCheck);
  }

  async #command(command: Command, bytes: number): Promise<void> {
    const {commands, unknown, acknowledges} = this.#table;
    const rule = commands[command.id] ?? {name: '', answer: unknown(command.id)};
    const given = this.#terminal.take(command.id, bytes);
    const {fault, latency = 0} = given;
    this.#sent = undefined;
    if (!rule.reads) await this.#pause(latency);
    if (fault === 'silence') return;
    if (fault === 'drop') return void this.#socket.destroy();
    if (fault === 'nak') return this.#write(Uint8Array.of(NAK));
    if (acknowledges) await this.#write(Uint8Array.of(ACK));
    if (rule.cancels && this.#waiting) {
      this.#waiting.stop.abort();
      await this.#endWait(this.#waiting.command, 'cancelled');
    }
    await this.#answer(command, rule.answer, rule.reads ? undefined : fault);
    if (rule.reads) await this.#read(command, rule, given);
  }

  async #answer({id, data}: Command, answer: CommandRule['answer'], fault?: TerminalFault) {
    const {serial = ''} = this.#terminal.settings.simulation;
    const text = typeof answer === 'function' ? answer(serial, data) : answer;
    if (text !== undefined) await this.#send(this.#table.frameOf(text, id), fault);
  }

  /** Ends a wait without a card. */
  async #endWait(command: Command, how: 'timedOut' | 'cancelled' | 'failed'): Promise<void> {
    this.#waiting = undefined;
    await this.#answer(command, this.#table[how]);
  }

  /** Sends a read when a card is presented. A second command ends the wait of the first. */
  async #read(command: Command, rule: CommandRule, given: TerminalAnswer): Promise<void> {
    this.#waiting?.stop.abort();
    const {latency = 0, fault} = given;
    const limit = this.#table.waitMs?.(command.data) ?? Number.POSITIVE_INFINITY;
    const mode = latency > limit ? undefined : this.#terminal.modeOf(rule, given);
    const stop = new AbortController();
    const ended = AbortSignal.any([stop.signal, this.#closed.signal]);
    const present = async () => {
      if (stop.signal.aborted) return;
      if (mode === undefined) return this.#endWait(command, 'timedOut');
      this.#waiting = undefined;
      const message = this.#terminal.nextRead(rule, mode, given);
      await (message ? this.#send(message, fault) : this.#endWait(command, 'failed'));
    };
    if (mode !== undefined && latency === 0) return present();
    const time = mode === undefined ? limit : latency;
    // Without a limit only another command ends it.
    const over = time === Number.POSITIVE_INFINITY ? false : delay(time, true, {signal: ended});
    const wait = Promise.resolve(over).catch(() => false);
    const done = wait.then((isOver) => (isOver ? this.#inTurn(present) : undefined));
    done.catch(() => this.#socket.destroy());
    this.#waiting = {command, stop, done};
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await delay(milliseconds, undefined, {signal: this.#closed.signal});
  }

  /** Sends a message, which a program that acknowledges may ask for again. */
  async #send(message: Uint8Array, fault?: TerminalFault): Promise<void> {
    this.#attempts = this.#sent === message ? this.#attempts + 1 : 1;
    this.#sent = message;
    const bytes = (fault && SENT[fault]?.(message)) ?? message;
    if (fault !== 'slow') return this.#write(bytes);
    for (let at = 0; at < bytes.length; at += SLOW_BYTES) {
      await this.#write(bytes.subarray(at, at + SLOW_BYTES));
      await this.#pause(SLOW_PAUSE_MS);
    }
  }

  /** Waits for a program that does not read: nothing piles up. */
  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#socket.write(bytes)) return;
    await once(this.#socket, 'drain', {signal: this.#closed.signal});
  }
}
