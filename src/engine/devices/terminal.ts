import type {Reading} from '../reading.js';
import type {Trace} from '../trace.js';
import type {About} from './about.js';
import type {Writer} from './writer.js';

/** One type of terminal: everything that paylens knows of it, in one folder. */
export interface Terminal {
  /** `deviceType` of a request, `--device` of a command, the name of its page. */
  readonly type: string;
  /** `meta.device`: the manufacturer in upper case. */
  readonly manufacturer: string;
  /**
   * Whether a raw payload without a device type is tried against it, or which are. Forms that it
   * borrows from another type are left out: the other names the payload.
   */
  readonly recognises: boolean | ((payload: string) => boolean);
  /**
   * Finds the parts of `payload`: text, hex, or binary as one character a byte.
   * Throws 2100 when the form is not this terminal's, 2102 when it ends too early.
   */
  readonly read: (payload: string, trace: Trace) => Reading;
  /** What people want to know of it; loaded when asked for, since reading does not need it. */
  readonly about: () => Promise<About>;
  /** Makes its payloads; loaded when asked for. A terminal without one can be read only. */
  readonly write?: () => Promise<Writer>;
}
