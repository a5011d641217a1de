import type {Device} from '../terminal.js';
import {findFrame} from './frame/frame.js';
import {readFrame} from './frame/read-frame.js';
import {isVivopay, readVivopay} from './vivopay/message.js';

/** ID TECH readers: swipe and keyed frames, and ViVOpay messages that hold one. */
export const idtech: Device = {
  manufacturer: 'IDTECH',
  recognises: true,
  read: (payload, trace) =>
    isVivopay(payload) ? readVivopay(payload, trace) : readFrame(findFrame(payload), trace),
};
