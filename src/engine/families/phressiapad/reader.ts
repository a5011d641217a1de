import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, latin1Of} from '../../../platform/bytes.js';
import {compactHex, hexIfBinary, payloadBytes} from '../../forms/payload-bytes.js';
import {RecordCursor} from '../../forms/record-cursor.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {readGenericMembers} from '../generic/members.js';
import {readGeneric} from '../generic/reader.js';
import {readEnhanced} from '../idtech/frame/enhanced.js';
import {FIELDS} from '../idtech/layout.js';
import {readIdtech} from '../idtech/reader.js';
import {hasKsnField, readString} from '../magtek/swipe/string.js';
import {hexWithQuotes, isIdtechFrame, readPrima} from '../prima/reader.js';
import {readVipa} from '../verifone/vipa.js';

/** A form of payload, and its reader. */
interface Form {
  readonly fits: (payload: string) => boolean;
  readonly read: (payload: string, trace: Trace) => Reading;
}

/** The first form that fits reads the payload; if its reader fails, no other is tried. */
const PAD_FORMS: readonly Form[] = [
  {fits: isGeneric, read: (payload, trace) => readGeneric(readGenericMembers(payload, trace))},
  {fits: isIdtechFrame, read: readIdtech},
  {fits: (payload) => isRecord(payload, '00'), read: readPrima},
  {fits: (payload) => isRecord(payload, '80'), read: readEnhancedRecord},
  {fits: hasKsnField, read: (payload, trace) => readString(payload, trace, {checksCrc: false})},
  {
    fits: (payload) => /FF7F|DFDF10/i.test(compactHex(payload) ?? ''),
    read: (payload, trace) => readVipa(payloadBytes(payload), trace),
  },
];

export function readPhressiapad(sent: string, trace: Trace): Reading {
  const payload = isGeneric(sent) ? sent : hexIfBinary(sent);
  const form = PAD_FORMS.find(({fits}) => fits(payload));
  if (!form) {
    throw new PaylensError(
      2100,
      'expected JSON or ksn= pairs, an ID TECH frame or record, a MagneSafe string or VIPA tags',
    );
  }
  const reading = form.read(payload, trace);
  return {...reading, form: `${reading.form} (inferred)`};
}

/** A JSON object, or text with a `ksn=` pair. */
function isGeneric(payload: string): boolean {
  return payload.trimStart().startsWith('{') || /(?:^|[\r\n;|&])[ \t]*ksn[ \t]*=/i.test(payload);
}

/** Largest lengths of tracks 1, 2 and 3 with their LRC (ISO/IEC 7811). */
const MAX_TRACK_LENGTHS = [80, 41, 108] as const;

/** Hex that begins with the card type, a status and the lengths of three tracks. */
function isRecord(payload: string, type: string): boolean {
  const hex = hexWithQuotes(payload);
  if (hex === undefined || !hex.startsWith(type) || hex.length < 10) return false;
  const lengths = [...(bytesFromHex(hex.slice(4, 10)) ?? [])];
  return (
    lengths.every((length, i) => length <= (MAX_TRACK_LENGTHS[i] ?? 0)) &&
    lengths.some((length) => length > 0)
  );
}

/** The enhanced record without its frame. */
function readEnhancedRecord(payload: string, trace: Trace): Reading {
  const text = latin1Of(payloadBytes(hexWithQuotes(payload) ?? payload));
  const cursor = new RecordCursor({text, form: 'binary', base: 0, depth: 0}, trace);
  const type = cursor.byte(FIELDS.encodeType);
  return readEnhanced(cursor, type, 0);
}
