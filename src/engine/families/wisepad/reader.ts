import {PaylensError, resultOrError} from '../../../contract/paylens-error.js';
import {bytesFromHex, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {findClearPan} from '../../card/clear-tags.js';
import {isClearCard} from '../../card/is-clear-card.js';
import {ofLast} from '../../forms/of-last.js';
import {compactHex, halfByte, hexIfBinary} from '../../forms/payload-bytes.js';
import type {TlvForm} from '../../forms/tlv/tlv-form.js';
import type {Reading} from '../../reading.js';
import {flatten, readTlv, type TlvList, type TlvObject} from '../../tlv/ber.js';
import {type NoteOptions, noteCutTlv, noteFill, noteTlv} from '../../tlv/note-tlv.js';
import {EMV_TAGS} from '../../tlv/tags.js';
import {Trace} from '../../trace.js';
import {readDecodeData} from './decode-data.js';
import {readDictionary} from './dictionary.js';
import {BARE_FORMATS, WISEPAD} from './layout.js';
import {type MakerHint, makerOfTags} from './makers.js';
import {isOnline, readOnline, tagsOfMaker} from './online.js';
import {splitTracks, type TrackSplit, trackFields, unknownLength} from './swipe.js';

/**
 * Reads a payload as a dictionary, else TLV, else tracks (docs/terminals/wisepad.md#accepted-shapes).
 * Throws 2100 if it is none of these, 2102 if it is truncated, 2110 for a clear track.
 */
export function readWisepad(payload: string, trace: Trace): Reading {
  const compact = hexIn(payload);
  if (compact !== undefined) return readHex(compact, trace);
  return readDecodeData(readDictionary(payload, trace));
}

/**
 * The hex of a payload, or of its bytes. A dictionary has no control characters; messages of other
 * terminals that do are pure ASCII.
 */
function hexIn(payload: string): string | undefined {
  const compact = compactHex(payload);
  if (compact !== undefined) return compact;
  const isText = !/(?![\t\r\n])\p{Cc}/u.test(payload) || /^[\0-\x7f]*$/.test(payload);
  return isText ? undefined : compactHex(hexIfBinary(payload));
}

/** Who made the reader that sent the payload, if that can be told without a key. */
export const tellMaker = ofLast((payload: string): MakerHint | 'foreign' => {
  const compact = hexIn(payload);
  if (compact === undefined) return makerOfText(payload);
  const bytes = bytesFromHex(compact);
  const list = bytes && resultOrError(() => readTlv(bytes));
  const message = list && messageIn(bytes, list);
  if (message) return makerOfTags(message.objects);
  if (!bytes) return 'BBPOS';
  // Hex of other terminals may have the length of tracks, but ciphertext has no such run.
  if (/(.)\1{3}/s.test(latin1Of(bytes))) return 'foreign';
  return splitBare(bytes).some(({format}) => format.id === '30') ? 'either' : 'BBPOS';
});

function makerOfText(payload: string): MakerHint {
  try {
    return readDictionary(payload, new Trace({recording: false})).maker;
  } catch (error) {
    if (error instanceof PaylensError) return 'BBPOS';
    throw error;
  }
}

/** Reads TLV with an encrypted message, otherwise encrypted tracks, recognised by their length. */
function readHex(compact: string, trace: Trace): Reading {
  const bytes = bytesFromHex(compact);
  const walked = bytes ? resultOrError(() => readTlv(bytes)) : halfByte(compact);
  const message = bytes && messageIn(bytes, walked);
  if (message) return readOnlineMessage(bytes, message, trace);
  if (bytes) assertNoClearCard(bytes, 'objects' in walked ? walked.objects : []);
  const splits = bytes ? splitBare(bytes) : [];
  if (splits.length > 0) return readTracksAlone(splits, trace);
  if (walked instanceof PaylensError && startsWithKnownTag(compact)) {
    if (bytes) noteCutTlv(trace, bytes, 0, tagNotes(WISEPAD));
    throw walked;
  }
  throw unknownLength('hex without C2, C5, C6 or C8', compact.length / 2);
}

/** A TLV list, and where it begins. */
interface OnlineMessage {
  readonly objects: readonly TlvObject[];
  readonly start: number;
}

/**
 * The bytes as a TLV list with an encrypted message; their length may precede it. `whole`: the list
 * that begins at the first byte.
 */
function messageIn(bytes: Uint8Array, whole: TlvList | PaylensError): OnlineMessage | undefined {
  for (const start of [1, 2, 3, 4]) {
    if (!isLength(bytes, start)) continue;
    if (!startsWithKnownTag(upperHexOf(bytes.subarray(start, start + 3)))) continue;
    const walked = resultOrError(() => readTlv(bytes.subarray(start), {base: start}));
    if ('objects' in walked && isOnline(walked.objects)) return {objects: walked.objects, start};
  }
  return 'objects' in whole && isOnline(whole.objects)
    ? {objects: whole.objects, start: 0}
    : undefined;
}

/** True if the bytes before `start` are the length of the others, in either byte order or BER. */
function isLength(bytes: Uint8Array, start: number): boolean {
  const head = bytes.subarray(0, start);
  const isRest = (digits: Uint8Array) =>
    digits.reduce((sum, byte) => 256 * sum + byte, 0) === bytes.length - start;
  if (isRest(head) || isRest(head.toReversed())) return true;
  return head[0] === 0x7f + start && isRest(head.subarray(1));
}

function readOnlineMessage(
  bytes: Uint8Array,
  {objects, start}: OnlineMessage,
  trace: Trace,
): Reading {
  const maker = makerOfTags(objects);
  if (start > 0) noteLength(bytes, start, trace);
  noteTlv(trace, objects, tagNotes(tagsOfMaker(maker)));
  noteFill(trace, bytes);
  return readOnline(objects, maker);
}

/** A masked number has `F` in the middle. */
function tagNotes({notes, tags}: TlvForm): NoteOptions {
  const isSafe = ({value}: TlvObject) => /FFFF/.test(upperHexOf(value));
  return {...notes, cardTags: tags.masked, isSafe};
}

function noteLength(bytes: Uint8Array, start: number, trace: Trace): void {
  const value = upperHexOf(bytes.subarray(0, start));
  const meaning = `${bytes.length - start} bytes follow`;
  trace.note({offset: 0, length: start, depth: 0, name: 'length', value, meaning});
}

function splitBare(bytes: Uint8Array): TrackSplit[] {
  return splitTracks(bytes, BARE_FORMATS, (at) => at);
}

/** Tries three bytes first: a tag of BBPOS or EMV. */
function startsWithKnownTag(compact: string): boolean {
  const upper = compact.slice(0, 6).toUpperCase();
  const names = [upper, upper.slice(0, 4), upper.slice(0, 2)];
  return names.some((tag) => WISEPAD.names[tag] !== undefined || EMV_TAGS[tag] !== undefined);
}

/** Throws 2110 on hex of a track, or TLV with a clear card number, without any ciphertext. */
function assertNoClearCard(bytes: Uint8Array, objects: readonly TlvObject[]): void {
  if (isClearCard(latin1Of(bytes)))
    throw new PaylensError(2110, 'the payload is a cleartext track');
  const clear = findClearPan(flatten(objects), WISEPAD.tags.masked);
  if (!clear) return;
  throw new PaylensError(2110, `tag ${clear.tag} at byte ${clear.offset} contains a card number`);
}

function readTracksAlone(splits: readonly TrackSplit[], trace: Trace): Reading {
  const noted = trace.recording ? splits[0]?.tracks : undefined;
  for (const {number, ciphertext, offset} of noted ?? []) {
    const meaning = `${ciphertext.length} bytes`;
    const place = {offset, length: ciphertext.length, depth: 0, name: `track ${number} encrypted`};
    trace.note({...place, value: upperHexOf(ciphertext), meaning, sensitivity: 'opaque'});
  }
  return {
    form: 'encrypted tracks, hex',
    recognisedBy: 'length',
    mode: 'swiped',
    candidates: splits.map((split) => trackFields(split)),
    tracksMayDiffer: true,
  };
}
