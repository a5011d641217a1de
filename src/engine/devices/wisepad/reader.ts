import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {findClearPan} from '../../card/clear-tags.js';
import {isClearCard} from '../../card/is-clear-card.js';
import type {Reading} from '../../reading.js';
import {flatten, readTlv, type TlvList, type TlvObject} from '../../tlv/ber.js';
import {noteFill, noteTlv} from '../../tlv/note-tlv.js';
import {EMV_TAGS} from '../../tlv/tags.js';
import type {Trace} from '../../trace.js';
import {compactHex, halfByte, hexIfBinary} from '../shared/payload-bytes.js';
import {readDecodeData} from './decode-data.js';
import {readDictionary} from './dictionary.js';
import {MASKED_PAN_TAGS, TRACK_FORMATS, WISEPAD_TAG_KINDS, WISEPAD_TAGS} from './layout.js';
import {isOnline, readOnline} from './online.js';
import {splitTracks, type TrackSplit, trackFields, unknownLength} from './swipe.js';

/**
 * Reads a payload as a dictionary, else TLV, else tracks (docs/formats/wisepad.md#accepted-shapes).
 * Throws 2100 if it is none of these, 2102 if it is truncated, 2110 for a clear track.
 */
export function readWisepad(payload: string, trace: Trace): Reading {
  const compact = compactHex(bytesAsHex(payload));
  if (compact !== undefined) return readHex(compact, trace);
  return readDecodeData(readDictionary(payload, trace));
}

/** A dictionary has no control characters; messages of other terminals that do are pure ASCII. */
function bytesAsHex(payload: string): string {
  const isText = !/(?![\t\r\n])\p{Cc}/u.test(payload) || /^[\0-\x7f]*$/.test(payload);
  return isText ? payload : hexIfBinary(payload);
}

/**
 * Hex of other terminals may have the length of tracks, but ciphertext has no run of four equal
 * bytes.
 */
export function isForeignHex(payload: string): boolean {
  const bytes = bytesFromHex(compactHex(bytesAsHex(payload)) ?? payload);
  const walked = bytes && walk(bytes);
  if (!bytes || (walked && 'objects' in walked && isOnline(walked.objects))) return false;
  return /(.)\1{3}/s.test(latin1Of(bytes));
}

/** Reads TLV with a BBPOS message, otherwise encrypted tracks, recognised by their length. */
function readHex(compact: string, trace: Trace): Reading {
  const bytes = bytesFromHex(compact);
  const walked = bytes ? walk(bytes) : halfByte(compact);
  if (bytes && 'objects' in walked && isOnline(walked.objects)) {
    noteTlv(trace, walked.objects, {
      names: WISEPAD_TAGS,
      cardTags: MASKED_PAN_TAGS,
      kinds: WISEPAD_TAG_KINDS,
      isSafe,
    });
    noteFill(trace, bytes);
    return readOnline(walked.objects);
  }
  if (bytes) demandNoClearCard(bytes, 'objects' in walked ? walked.objects : []);
  const splits = bytes ? splitTracks(bytes, TRACK_FORMATS, (at) => at) : [];
  if (splits.length > 0) return readTracks(splits, trace);
  if (walked instanceof PaylensError && startsWithTag(compact)) throw walked;
  throw unknownLength('hex without C2, C5, C6 or C8', compact.length / 2);
}

function walk(bytes: Uint8Array): TlvList | PaylensError {
  try {
    return readTlv(bytes);
  } catch (error) {
    if (error instanceof PaylensError) return error;
    throw error;
  }
}

/** Tries three bytes first: a tag of BBPOS or EMV. */
function startsWithTag(compact: string): boolean {
  const upper = compact.slice(0, 6).toUpperCase();
  const names = [upper, upper.slice(0, 4), upper.slice(0, 2)];
  return names.some((tag) => WISEPAD_TAGS[tag] !== undefined || EMV_TAGS[tag] !== undefined);
}

/** A masked number has `F` in the middle. */
function isSafe({value}: TlvObject): boolean {
  return /FFFF/.test(upperHexOf(value));
}

/** Throws 2110 on hex of a track, or TLV with a clear card number, without any ciphertext. */
function demandNoClearCard(bytes: Uint8Array, objects: readonly TlvObject[]): void {
  if (isClearCard(latin1Of(bytes)))
    throw new PaylensError(2110, 'the payload is a cleartext track');
  const clear = findClearPan(flatten(objects), MASKED_PAN_TAGS);
  if (!clear) return;
  throw new PaylensError(2110, `tag ${clear.tag} at byte ${clear.offset} contains a card number`);
}

function readTracks(splits: readonly TrackSplit[], trace: Trace): Reading {
  for (const {number, ciphertext, offset} of splits[0]?.tracks ?? []) {
    const meaning = `${ciphertext.length} bytes`;
    const place = {offset, length: ciphertext.length, depth: 0, name: `track ${number} encrypted`};
    trace.note({...place, value: upperHexOf(ciphertext), meaning, sensitivity: 'opaque'});
  }
  return {
    form: 'encrypted tracks, hex',
    toldBy: 'length',
    mode: 'swiped',
    candidates: splits.map((split) => trackFields(split)),
  };
}
