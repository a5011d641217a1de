import type {Mode} from '../../contract/process-payload.js';
import type {Damage} from '../../simulator/damage.js';
import type {TestKey} from '../test-server.js';

/** The terminals that can be started. */
export const VIRTUAL_TYPES = ['idtech', 'miura', 'ingenico-rba'] as const;
export type VirtualType = (typeof VIRTUAL_TYPES)[number];

/** What can go wrong on the line between a terminal and its program. */
export const TERMINAL_FAULTS = {
  silence: 'nothing is answered',
  nak: 'the command is refused with NAK (15)',
  half: 'the first half of the message, and nothing more',
  noise: 'bytes before the message that belong to none',
  doubled: 'the message is sent twice',
  'wrong-lrc': 'the LRC or CRC of the message is wrong',
  slow: 'seven bytes at a time, 20 ms apart',
  drop: 'the connection is closed',
} as const;
export type TerminalFault = keyof typeof TERMINAL_FAULTS;

/** What a command gets in place of the usual answer, after `latency`. */
export interface TerminalAnswer {
  /** A test card, for commands that read one; `none`: nobody presents a card. */
  readonly card?: string | undefined;
  /** How the card is read. */
  readonly mode?: Mode | undefined;
  /** Of the payload. */
  readonly damage?: Damage | undefined;
  /** Of the message on the wire. */
  readonly fault?: TerminalFault | undefined;
  /** Milliseconds before the answer. */
  readonly latency?: number | undefined;
}

/** An answer for commands to come: the first that matches is used. */
export interface TerminalOrder {
  /** A command as the guide names it, such as `02-40`, `D0 60` or `23.`; absent: any. */
  readonly match?: {readonly command?: string | undefined} | undefined;
  readonly answer: TerminalAnswer;
  /** How many commands get it; default 1. */
  readonly times?: number | undefined;
}

/** An answer that waits for its commands. */
export interface QueuedTerminalAnswer extends TerminalOrder {
  readonly id: string;
  readonly times: number;
}

/** A command that a terminal received: never its data. */
export interface ReceivedCommand {
  readonly time: string;
  readonly command: string;
  /** Absent: the terminal does not know it. */
  readonly name?: string;
  /** Of the whole frame. */
  readonly bytes: number;
  readonly fault?: TerminalFault;
}

/** How a test suite wants its terminal. */
export interface StartTerminalOptions {
  readonly deviceType: VirtualType;
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** The port of the control routes on this machine; 0: any free one; absent: there are none. */
  readonly controlPort?: number | undefined;
  /** A test card; default `visa`. */
  readonly card?: string | undefined;
  /** Commands that read cards in another way wait; default: what the command reads first. */
  readonly mode?: Mode | undefined;
  /** Of the first read, in hex; the counter advances with each. */
  readonly ksn?: string | undefined;
  readonly serial?: string | undefined;
  /** Format options of the payload. */
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly damage?: Damage | undefined;
  /** Tried before the published test keys. */
  readonly keys?: readonly TestKey[] | undefined;
}

/** A terminal on 127.0.0.1 that a test suite owns. */
export interface TestTerminal extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** `tcp://127.0.0.1:PORT`. */
  readonly url: string;
  /** Base address of the control routes. */
  readonly control?: string;
  /** The commands received so far, oldest first; the last 1,000 are kept. */
  readonly commands: () => readonly ReceivedCommand[];
  /** Queues an answer; returns its id. Throws 2005 when it is none that this terminal can give. */
  readonly answer: (order: TerminalOrder) => string;
  /** The answers that still wait. */
  readonly answers: () => readonly QueuedTerminalAnswer[];
  /** Removes an answer, or all; false: there is none with this id. */
  readonly removeAnswers: (id?: string) => boolean;
  /** Forgets commands and queued answers, and goes back to the first KSN. */
  readonly reset: () => void;
  /** Closes every connection; so does the end of an `await using`. */
  readonly close: () => Promise<void>;
}
