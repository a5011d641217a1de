import {nounFor} from '../../contract/found-hex.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {bytesOfHex, concatBytes, hexByte, upperHexOf} from '../../platform/bytes.js';
import type {Trace} from '../trace.js';
import type {Body, Piece} from './tlv/tlv-body.js';

/** The node address at the start of every frame of a terminal's response. */
export const NAD = 0x01;

/**
 * Protocol control byte: bit 0 means that more frames follow, bit 6 that the frame is unsolicited.
 */
export const PCB = {more: 0x01, unsolicited: 0x40} as const;

/**
 * The fields of MPI and VIPA frames, in order (docs/terminals/miura.md#framing,
 * docs/terminals/verifone.md#vipa).
 */
const LINK_FIELDS = {
  nad: 'NAD',
  pcb: 'PCB',
  length: 'LEN',
  status: 'SW1 SW2',
  lrc: 'LRC: XOR of the frame',
} as const;

/** One response of the terminal: the joined bodies of its frames. */
export interface LinkMessage {
  /** The status word is the body's trailer. */
  readonly body: Body;
  /** SW1 SW2 in upper-case hex. */
  readonly status: string;
}

/** Success. */
export const STATUS_OK = '9000';

const LINK_HEADER_BYTES = 3;
const STATUS_BYTES = 2;
const MAX_DATA_BYTES = 0xfe;

/**
 * Records header and LRC of every frame; a frame without a continuation ends a message. Of the last
 * message the body may be cut.
 */
export function readLinkFrames(bytes: Uint8Array, trace: Trace): LinkMessage[] {
  const messages: LinkMessage[] = [];
  let frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length && isFrameStart(bytes, at, trace)) {
    const frame = readLinkFrame(bytes, at, trace);
    frames.push(frame);
    at = frame.end;
    if (frame.more) continue;
    messages.push(join(frames, bytes));
    frames = [];
  }
  if (frames.length === 0) return messages;
  const detail = `the PCB of the last frame announces further frames, at byte ${at}`;
  trace.cut(new PaylensError(2102, detail));
  return [...messages, join(frames, bytes)];
}

interface LinkOptions {
  /** Bits of the PCB in addition to `more`. */
  readonly control?: number;
  /** Corrupt the LRC of the last frame. */
  readonly wrongLrc?: boolean;
  /** SW1 SW2 in hex; absent: success. */
  readonly status?: string;
}

/** Writes `data` and the status word in frames of at most 254 bytes. */
export function writeLinkFrames(data: Uint8Array, options: LinkOptions = {}): Uint8Array {
  const {control = 0, wrongLrc = false, status = STATUS_OK} = options;
  const body = concatBytes(data, bytesOfHex(status));
  const frames: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += MAX_DATA_BYTES) {
    const isLast = at + MAX_DATA_BYTES >= body.length;
    const piece = body.subarray(at, at + MAX_DATA_BYTES);
    const header = Uint8Array.of(NAD, control | (isLast ? 0 : PCB.more), piece.length);
    const lrc = xorOf(header) ^ xorOf(piece) ^ (isLast && wrongLrc ? 1 : 0);
    frames.push(header, piece, Uint8Array.of(lrc));
  }
  return concatBytes(...frames);
}

interface Frame {
  /** Index of the data. */
  readonly start: number;
  readonly length: number;
  readonly end: number;
  readonly more: boolean;
  readonly isCut: boolean;
}

/** Bytes after a frame that do not begin another frame are damage. */
function isFrameStart(bytes: Uint8Array, at: number, trace: Trace): boolean {
  return trace.check(LINK_FIELDS.nad, at, hexByte(NAD), hexByte(bytes[at] ?? 0));
}

function readLinkFrame(bytes: Uint8Array, at: number, trace: Trace): Frame {
  const length = bytes[at + 2];
  if (length === undefined) throw new PaylensError(2102, `frame at byte ${at}: no LEN`);
  const start = at + LINK_HEADER_BYTES;
  const end = start + length + 1;
  noteFrame(bytes, at, end, trace);
  if (end > bytes.length) {
    const found = bytes.length - start;
    const detail = `LEN at byte ${at + 2}: expected ${length} bytes and the LRC, found ${found}`;
    trace.cut(new PaylensError(2102, detail));
    const there = Math.min(length, found);
    return {start, length: there, end: bytes.length, more: false, isCut: true};
  }
  const control = bytes[at + 1] ?? 0;
  const expected = hexByte(xorOf(bytes.subarray(at, end - 1)));
  trace.check('LRC', end - 1, expected, hexByte(bytes[end - 1] ?? 0));
  return {start, length, end, more: (control & PCB.more) !== 0, isCut: false};
}

function noteFrame(bytes: Uint8Array, at: number, end: number, trace: Trace): void {
  if (!trace.recording) return;
  const control = bytes[at + 1] ?? 0;
  const meanings = [
    ...((control & PCB.more) === 0 ? [] : ['more frames follow']),
    ...((control & PCB.unsolicited) === 0 ? [] : ['unsolicited']),
  ];
  const note = (offset: number, name: string, meaning = '') => {
    const value = hexByte(bytes[offset] ?? 0);
    trace.note({offset, length: 1, depth: 0, name, value, ...(meaning ? {meaning} : {})});
  };
  note(at, LINK_FIELDS.nad);
  note(at + 1, LINK_FIELDS.pcb, meanings.join(', '));
  note(at + 2, LINK_FIELDS.length, `${bytes[at + 2]} ${nounFor(bytes[at + 2] ?? 0, 'byte')}`);
  if (end <= bytes.length) note(end - 1, LINK_FIELDS.lrc);
}

function join(frames: readonly Frame[], payload: Uint8Array): LinkMessage {
  const total = frames.reduce((sum, {length}) => sum + length, 0);
  const last = frames.at(-1);
  const isCut = last?.isCut || last?.more;
  if (!isCut && total < STATUS_BYTES) {
    throw new PaylensError(2102, `frame at byte ${frames[0]?.start ?? 0}: no status word`);
  }
  const bytes = new Uint8Array(total);
  const pieces: Piece[] = [];
  let at = 0;
  for (const {start, length} of frames) {
    bytes.set(payload.subarray(start, start + length), at);
    pieces.push({start: at, length, offset: start, units: length});
    at += length;
  }
  const trailer = {length: isCut ? 0 : STATUS_BYTES, name: LINK_FIELDS.status};
  return {body: {bytes, pieces, trailer}, status: upperHexOf(bytes.subarray(-STATUS_BYTES))};
}

/** The XOR of all bytes: 0 over a frame and its LRC. */
export function xorOf(bytes: Uint8Array): number {
  let xor = 0;
  for (const byte of bytes) xor ^= byte;
  return xor;
}
