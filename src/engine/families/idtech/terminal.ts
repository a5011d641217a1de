import {verifyMacs} from '../../forms/verify-macs.js';
import type {Terminal} from '../terminal.js';
import {repairedFrames} from './frame/repair-frame.js';
import {readIdtech} from './reader.js';
import {VIVOPAY_SIGNS} from './vivopay/layout.js';

/** ID TECH readers: swipe and keyed frames, also inside ViVOpay messages, and ViVOpay tags. */
export const idtech = {
  type: 'idtech',
  manufacturer: 'IDTECH',
  recognises: true,
  read: readIdtech,
  signs: VIVOPAY_SIGNS,
  // A length below 2048, little-endian, and an encode type.
  framing: {
    begins: /^(?:02..0[0-7](?:0[013]|8[0135]|C0)|5669564F|(?:DF|FF)EE)/,
    repairs: repairedFrames,
  },
  verifyMacs,
  about: async () => (await import('./about.js')).aboutIdtech,
  write: async () => (await import('./writer.js')).idtechWriter,
} as const satisfies Terminal;
