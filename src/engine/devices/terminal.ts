import type {Reading} from '../reading.js';
import type {Trace} from '../trace.js';

/** One terminal type of the interface: how its payloads are read. */
export interface Device {
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
}
