import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {findFrame} from './frame/frame.js';
import {readFrame} from './frame/read-frame.js';
import {isVivopay, readVivopay} from './vivopay/message.js';

/** Reads a ViVOpay message, else a swipe or keyed frame. Throws 2100, 2101, 2102. */
export function readIdtech(payload: string, trace: Trace): Reading {
  return isVivopay(payload) ? readVivopay(payload, trace) : readFrame(findFrame(payload), trace);
}
