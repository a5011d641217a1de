import type {Mode} from '../../contract/process-payload.js';
import type {WireFormName} from '../../engine/framing/wire-forms.js';

/** A command that came in. */
export interface Command {
  /** As the guide names it: `02-40`, `D0 60`, `23.` */
  readonly id: string;
  /** Without header and trailer. */
  readonly data: Uint8Array;
}

/** An answer in the notation of its table, or what makes it. */
type Answer = string | ((serial: string, data: Uint8Array) => string);

/** What a terminal does on a command. */
export interface CommandRule {
  readonly name: string;
  /** What is answered at once. */
  readonly answer?: Answer | undefined;
  /** The ways in which a card is read for it, the usual one first. */
  readonly reads?: readonly Mode[];
  /** Options of the writer for this read. */
  readonly options?: Readonly<Record<string, string>>;
  /** Ends the wait for a card. */
  readonly cancels?: boolean;
}

/** The commands of a terminal as data, and how they are framed. */
export interface CommandTable {
  readonly form: WireFormName;
  /** Options of the writer with which it writes wire bytes. */
  readonly options: Readonly<Record<string, string>>;
  readonly commands: Readonly<Record<string, CommandRule>>;
  /** The answer to a command that is not in the table; undefined: none. */
  readonly unknown: (id: string) => string | undefined;
  /** The command in a frame of the form; undefined: there is none. */
  readonly commandIn: (frame: Uint8Array) => Command | undefined;
  /** The frame of an answer to a command. */
  readonly frameOf: (answer: string, id: string) => Uint8Array;
  /** Frames are acknowledged: ACK, or NAK if the check is wrong. */
  readonly acknowledges?: boolean;
  /** The answer to a frame whose check is wrong. */
  readonly wrongCheck?: string;
  /** How long a command waits for a card, in milliseconds; absent: until it is cancelled. */
  readonly waitMs?: (data: Uint8Array) => number;
  /** The answers of a read that ends without a card; absent: none. */
  readonly timedOut?: string;
  readonly cancelled?: string;
  readonly failed?: string;
}
