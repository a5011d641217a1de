import {PaylensError} from '../../contract/paylens-error.js';
import type {CardContent} from '../card/card-content.js';
import type {KeyRing} from '../dukpt/key-ring.js';
import type {Signs} from '../forms/signs.js';
import type {MessageMac, Reading} from '../reading.js';
import type {Trace} from '../trace.js';
import type {Writer} from '../writing.js';
import type {About, Summary} from './about.js';

/** A possible original of a damaged frame, and how it differs. */
export interface RepairedFrame {
  readonly text: string;
  readonly change: 'lost' | 'added';
  /** One sentence for people. */
  readonly detail: string;
}

/** Properties of frames with a length: how a damaged one is recognised and repaired. */
export interface Framing {
  /**
   * How every frame begins, in upper-case hex without spaces: enough of it that random bytes, such
   * as ciphertext alone, do not match. What begins otherwise is no truncated frame.
   */
  readonly begins: RegExp;
  /** Every possible original of a damaged frame, determined from its length and its checks. */
  readonly repairs?: (text: string) => readonly RepairedFrame[];
}

/** Which terminal a payload is of, in the words of a request and of a response. */
export interface TerminalName {
  readonly type: string;
  /** `meta.device`: the manufacturer in upper case. */
  readonly manufacturer: string;
}

/** A format of payload that can be read. */
export interface PayloadForm {
  /** `deviceType` of a request, `--device-type` of a command, the name of its page. */
  readonly type: string;
  /**
   * Whether the form is tried on a raw payload without a device type, always or by a test. Forms
   * that it borrows from another type are left out, because the other type recognises them.
   */
  readonly recognises: boolean | ((payload: string) => boolean);
  /**
   * Finds the parts of `payload`: text, hex, or binary as one character per byte. Throws 2100 if it
   * is not in this terminal's format, 2102 if it ends too early.
   */
  readonly read: (payload: string, trace: Trace) => Reading;
  /** @internal It also reads bare ciphertext, by which nothing recognises it: a diagnosis tries it on hex. */
  readonly readsBare?: true;
  /** @internal The payload of this form that whole blocks of ciphertext, in hex, are given in. */
  readonly ofBlocks?: (hex: string) => string;
  /** @internal What its payloads contain and no other terminal's. */
  readonly signs?: Signs;
  /** @internal True for a payload with a sign of this terminal alone, however much of it is missing. */
  readonly claims?: (payload: string) => boolean;
  /** @internal Its texts name it: one that another such terminal claims is refused (2100). */
  readonly exclusive?: true;
  /** @internal It is not tried on a payload that another terminal claims. */
  readonly yields?: true;
  /** @internal Of one that stands for several: the terminal that the decrypted data shows. */
  readonly decide?: (content: CardContent) => TerminalName;
  /** Absent: a truncated payload cannot be distinguished from other bytes. */
  readonly framing?: Framing;
}

/** One type of terminal, of paylens or the user's own. */
export interface AnyTerminal extends PayloadForm, TerminalName {
  /** @internal The type that is recognised instead of it, since it sends the same payloads. */
  readonly recognisedAs?: string;
  /** @internal What reads the payloads that only their plaintext tells from another terminal's. */
  readonly undecided?: Undecided;
  /** Checks the MACs of its payloads; absent: they have none. */
  readonly verifyMacs?: (macs: readonly MessageMac[], keys: KeyRing) => void;
  /** Its description for people; loaded on demand, since reading does not need it. */
  readonly about: () => Promise<Summary>;
  /** Generates its payloads; loaded on demand. Absent: its payloads can only be read. */
  readonly write?: () => Promise<Writer>;
}

/** Stands for several terminals whose payloads may be the same; its type names them all. */
export interface Undecided extends AnyTerminal {
  readonly decide: (content: CardContent) => TerminalName;
}

/** One type of terminal of paylens: everything that it knows about it, in one folder. */
export interface Terminal extends AnyTerminal {
  readonly about: () => Promise<About>;
}

/** Whether a form is tried on a raw payload. */
export function tries({recognises}: PayloadForm, payload: string): boolean {
  return typeof recognises === 'boolean' ? recognises : recognises(payload);
}

/** The writer for payloads of a terminal. Throws 9001 if there is none. */
export async function writerOf({type, write}: AnyTerminal): Promise<Writer> {
  const writer = await write?.();
  if (writer) return writer;
  const detail = `${type} can only be parsed: paylens does not generate its payloads`;
  throw new PaylensError(9001, detail);
}
