import type {Reading} from '../reading.js';
import type {Trace} from '../trace.js';
import type {About} from './about.js';
import type {Writer} from './writer.js';

/** A frame as it may have been before characters were lost or added, and what was done. */
export interface RepairedFrame {
  readonly text: string;
  readonly change: 'lost' | 'added';
  /** In a sentence. */
  readonly detail: string;
}

/** Frames that tell where they end: how one that is damaged shows itself, and what it was. */
export interface Framing {
  /** What follows STX, in hex; absent: anything. Other bytes may begin with 02, too. */
  readonly behindStx?: RegExp;
  /** Every frame that a text can have been: its length and its checks tell. */
  readonly repairs?: (text: string) => readonly RepairedFrame[];
}

/** A payload that can be read. */
export interface PayloadForm {
  /** `deviceType` of a request, `--device` of a command, the name of its page. */
  readonly type: string;
  /**
   * Whether a raw payload without a device type is tried against it, or which are. Forms that it
   * borrows from another type are left out: the other names the payload.
   */
  readonly recognises: boolean | ((payload: string) => boolean);
  /**
   * Finds the parts of `payload`: text, hex, or binary as one character per byte. Throws 2100 when
   * the form is not this terminal's, 2102 when it ends too early.
   */
  readonly read: (payload: string, trace: Trace) => Reading;
  /** Absent: nothing tells a cut payload from other bytes. */
  readonly framing?: Framing;
}

/** One type of terminal: everything that paylens knows of it, in one folder. */
export interface Terminal extends PayloadForm {
  /** `meta.device`: the manufacturer in upper case. */
  readonly manufacturer: string;
  /** What people want to know of it; loaded when asked for, since reading does not need it. */
  readonly about: () => Promise<About>;
  /** Makes its payloads; loaded when asked for. A terminal without one can be read only. */
  readonly write?: () => Promise<Writer>;
}

/** Whether a raw payload is tried against a form. */
export function tries({recognises}: PayloadForm, payload: string): boolean {
  return typeof recognises === 'boolean' ? recognises : recognises(payload);
}
