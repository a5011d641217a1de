import {PaylensError} from '../../../../contract/paylens-error.js';
import {hexByte} from '../../../../platform/bytes.js';
import type {FrameText, RecordCursor} from '../../../forms/record-cursor.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {ENCODE_TYPES, FIELDS, type Layout} from '../layout.js';
import {readEnhanced} from './enhanced.js';
import {closeFrame, openFrame} from './frame.js';
import {readKeyedOriginal} from './keyed.js';
import {readOriginalFrame} from './original.js';

/** Reads a whole frame, from STX to ETX. Throws 2100 on an unknown encode type, 2101, 2102. */
export function readFrame(frame: FrameText, trace: Trace): Reading {
  const cursor = openFrame(frame, trace);
  const start = cursor.position;
  const type = cursor.byte(FIELDS.encodeType);
  const layout = layoutOf(type, cursor.frame.base + start, trace);
  const reading = LAYOUTS[layout](cursor, type, start);
  closeFrame(cursor);
  return reading;
}

const LAYOUTS: Readonly<Record<Layout, (...args: LayoutArguments) => Reading>> = {
  enhanced: readEnhanced,
  'keyed-enhanced': readEnhanced,
  original: readOriginalFrame,
  'keyed-original': readKeyedOriginal,
};

type LayoutArguments = [cursor: RecordCursor, type: number, start: number];

function layoutOf(type: number, offset: number, trace: Trace): Layout {
  const known = ENCODE_TYPES[type];
  if (known) return known.layout;
  const detail = `card encode type at ${trace.unit} ${offset}: expected 00, 01, 03, 80, 81, 83, 85 or C0, found ${hexByte(type)}`;
  throw new PaylensError(2100, detail);
}
