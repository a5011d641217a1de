import {PaylensError} from '../../../contract/paylens-error.js';
import {upperHexOf} from '../../../platform/bytes.js';
import {readTlv, type TlvObject} from '../../tlv/ber.js';
import {type NoteOptions, noteCutTlv, noteTlv} from '../../tlv/note-tlv.js';
import {type Part, Trace} from '../../trace.js';

/** A run of a body's bytes and its position in the payload. */
export interface Piece {
  /** Index in the body. */
  readonly start: number;
  readonly length: number;
  /** In units of the trace. */
  readonly offset: number;
  /** Length in the payload, in units: in binary one per byte, in base64 4 per 3 bytes. */
  readonly units: number;
}

/** The bytes of a TLV list, joined from one or more runs of the payload. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly pieces: readonly Piece[];
  /** Bytes after the list, and their name. */
  readonly trailer?: {readonly length: number; readonly name: string};
}

/** The complete payload, or one run of it, as a body. */
export function bodyOf(bytes: Uint8Array, offset = 0, units = bytes.length): Body {
  return {bytes, pieces: [{start: 0, length: bytes.length, offset, units}]};
}

/**
 * Reads the TLV list of a body and records every byte of it, padding and trailer included. Offsets
 * of the objects are those in the payload.
 *
 * Throws 2100 and 2102 as readTlv does; what is before the end of a list that was cut is recorded.
 */
export function readTlvBody(
  body: Body,
  trace: Trace,
  options: NoteOptions = {},
): readonly TlvObject[] {
  const base = baseOf(body);
  const end = body.bytes.length - (body.trailer?.length ?? 0);
  const bytes = body.bytes.subarray(0, end);
  try {
    const {objects} = readTlv(bytes, {base});
    if (trace.recording) noteBody(body, base, objects, trace, options);
    return isOneRun(body) ? objects : objects.map((object) => inPayload(object, body));
  } catch (error) {
    if (error instanceof PaylensError && error.code === 2102)
      noteBeginning({bytes, pieces: body.pieces}, base, trace, options);
    throw error;
  }
}

function baseOf(body: Body): number {
  return isOneRun(body) ? (body.pieces[0]?.offset ?? 0) : 0;
}

function isOneRun({pieces: [first, ...rest]}: Body): boolean {
  return rest.length === 0 && first?.units === first?.length;
}

function inPayload(object: TlvObject, body: Body): TlvObject {
  const {children, offset} = object;
  return {
    ...object,
    offset: placeInPayload(body, offset),
    ...(children ? {children: children.map((child) => inPayload(child, body))} : {}),
  };
}

/** Position in the payload of byte `index` of a body, in units of the trace. */
export function placeInPayload({pieces}: Body, index: number): number {
  return placeInPiece(
    pieces.findLast(({start}) => start <= index),
    index,
  );
}

function placeInPiece(piece: Piece | undefined, index: number): number {
  if (!piece) return index;
  return piece.offset + Math.floor(((index - piece.start) * piece.units) / piece.length);
}

function noteBody(
  body: Body,
  base: number,
  objects: readonly TlvObject[],
  trace: Trace,
  options: NoteOptions,
): void {
  const own = new Trace();
  noteTlv(own, objects, options);
  noteInPayload(body, base, own.parts, trace, options.depth);
}

/** Records what is before the place where a list ends too early. */
function noteBeginning(
  {bytes, pieces}: Body,
  base: number,
  trace: Trace,
  options: NoteOptions,
): void {
  const own = new Trace({recording: trace.recording});
  noteCutTlv(own, bytes, base, options);
  const {offset = base, length = 0} = own.parts.at(-1) ?? {};
  const before = {bytes: bytes.subarray(0, offset - base + length), pieces};
  noteInPayload(before, base, own.parts, trace, options.depth);
}

/** Records the parts of a body, found at `base`, where they stand in the payload, gaps included. */
export function noteInPayload(
  body: Body,
  base: number,
  parts: readonly Part[],
  trace: Trace,
  depth = 0,
): void {
  const isWhole = isOneRun(body) && base === baseOf(body);
  let at = 0;
  for (const part of parts) {
    const start = part.offset - base;
    noteUncovered(body, at, start, depth, trace);
    if (isWhole) trace.note(part);
    else notePieces(body, {...part, offset: start}, trace);
    at = start + part.length;
  }
  noteUncovered(body, at, body.bytes.length, depth, trace);
}

/** Records bytes that no object covers: the trailer, or padding. */
function noteUncovered(body: Body, from: number, to: number, depth: number, trace: Trace): void {
  const tail = body.bytes.length - (body.trailer?.length ?? 0);
  const runs = [
    {from, to: Math.min(to, tail), name: 'fill'},
    {from: Math.max(from, tail), to, name: body.trailer?.name ?? 'fill'},
  ];
  for (const run of runs) {
    if (run.to <= run.from) continue;
    const value = upperHexOf(body.bytes.subarray(run.from, run.to));
    const part = {offset: run.from, length: run.to - run.from, depth, name: run.name, value};
    notePieces(body, part, trace);
  }
}

/** Records a part; a part that spans several frames is recorded once in each. */
function notePieces(body: Body, part: Part, trace: Trace): void {
  const {text: _, ...rest} = part;
  const end = part.offset + part.length;
  const whole = upperHexOf(body.bytes.subarray(part.offset, end));
  for (const piece of body.pieces) {
    const from = Math.max(part.offset, piece.start);
    const to = Math.min(end, piece.start + piece.length);
    if (to <= from) continue;
    const isWhole = from === part.offset && to === end;
    const offset = placeInPiece(piece, from);
    const at = 2 * (from - part.offset);
    const value = whole.slice(at, 2 * (to - part.offset));
    trace.note({
      ...(isWhole ? part : {...rest, value, whole: {value: whole, at}}),
      offset,
      length: placeInPiece(piece, to) - offset,
      ...(from === part.offset ? {} : {name: `${part.name}, continued`}),
    });
  }
}
