import {checkedFrameAt} from '../../engine/framing/wire-forms.js';
import {MAX_PAYLOAD_CHARACTERS} from '../../engine/read-payload.js';
import {hexByte} from '../../platform/bytes.js';
import type {Place} from '../notations/notation.js';
import {KSN_TAGS, tagKsns} from '../slices.js';
import {inSteps, type Steps} from '../steps.js';
import {nextObject, objectEnd, objectEnds} from './object-end.js';

const MAX_FRAMES = 8;
/** Shorter frames hold no card data. */
const MIN_FRAME_BYTES = 24;
const ANCHOR_BYTES_PER_STEP = 4096;
const MAX_KSN_PLACES = 4;
/** Length of a prefix: a length field, an address, a command. */
const MAX_HEADER_BYTES = 8;
/** Limit of TLV runs around one KSN, both examined and returned. */
const MAX_TLV_RUNS = 64;
const BEST_RUNS = 6;
/** Ends tried for each. */
const FIRST_ENDS = 2;
const LAST_ENDS = 4;

/**
 * Finds where payloads may be in bytes that contain more than one: frames by their own length and
 * check, the longest TLV runs with a KSN, nearly all bytes. Longest first.
 */
export function* byteAnchors(bytes: Uint8Array): Steps<Place[]> {
  const found = [...(yield* framesIn(bytes)), ...(yield* tlvRunsIn(bytes))];
  const longest = Math.min(bytes.length - 1, MAX_PAYLOAD_BYTES);
  const parts = [...found, ...nearlyAll(bytes)].filter(({from, to}) => to - from <= longest);
  const distinct = new Map(parts.map((one) => [`${one.from} ${one.to}`, one]));
  let left = MAX_TRIED_BYTES;
  const tried = [...distinct.values()].filter(({from, to}) => {
    if (to - from > left) return false;
    left -= to - from;
    return true;
  });
  return tried.sort((a, b) => b.to - b.from - (a.to - a.from));
}

/** Limit for all of them together: every reader tries each. */
const MAX_TRIED_BYTES = 32_768;

/** All bytes but a short prefix and what a link adds behind a payload, longest first. */
export function nearlyAll(bytes: Uint8Array): Place[] {
  const ends = LINK_ENDS.filter((end) => end.every((byte, i) => bytes.at(i - end.length) === byte));
  const cut = [0, ...ends.map(({length}) => length)];
  return Array.from({length: MAX_HEADER_BYTES + 1}, (_, from) =>
    cut.map((length) => ({from, to: bytes.length - length})),
  )
    .flat()
    .sort((a, b) => b.to - b.from - (a.to - a.from));
}

/** Line ends, and the status word of a card or a reader that succeeded. */
const LINK_ENDS = [[0x0d, 0x0a], [0x90, 0x00], [0x0d], [0x0a]];

function* framesIn(bytes: Uint8Array): Steps<Place[]> {
  const found: Place[] = [];
  for (let from = 0; from < bytes.length && found.length < MAX_FRAMES; from++) {
    if (from % ANCHOR_BYTES_PER_STEP === 0) yield;
    const {state, end: to = 0} = checkedFrameAt(bytes, from) ?? {};
    if (state === 'whole' && to - from >= MIN_FRAME_BYTES) found.push({from, to});
  }
  return found;
}

/** A payload in hex. */
const MAX_PAYLOAD_BYTES = MAX_PAYLOAD_CHARACTERS / 2;

function* tlvRunsIn(bytes: Uint8Array): Steps<Place[]> {
  const ksns = yield* ksnPlaces(bytes);
  if (ksns.length === 0) return [];
  const ends = yield* runEnds(bytes);
  return yield* inSteps(ksns, function* (place) {
    const behind = objectEnd(bytes, place);
    const first = Math.max(0, place - MAX_PAYLOAD_BYTES);
    const longest = Array.from({length: place + 1 - first}, (_, i) => first + i)
      .filter((from) => bytes[from] !== 0 && ends[from]! >= behind)
      .sort((a, b) => ends[b]! - b - (ends[a]! - a))
      .slice(0, MAX_TLV_RUNS);
    const best: Place[][] = [];
    for (const from of longest) {
      yield;
      const last = Math.min(ends[from]!, from + MAX_PAYLOAD_BYTES);
      const to = objectEnds(bytes, from, last).filter((end) => end >= behind);
      if (tagKsns(bytes.subarray(from, to[0])).length === 0) continue;
      // Objects may belong to something else: tries the first end after the KSN, and the last ends.
      const tried = new Set([...to.slice(0, FIRST_ENDS), ...to.slice(-LAST_ENDS)]);
      if (best.push(Array.from(tried, (end) => ({from, to: end}))) === BEST_RUNS) break;
    }
    return best.flat();
  });
}

/** Positions of tags that contain KSNs; other tags match by chance too often. */
function* ksnPlaces(bytes: Uint8Array): Steps<number[]> {
  const places: number[] = [];
  for (let at = 0; at < bytes.length && places.length < MAX_KSN_PLACES; at++) {
    if (at % ANCHOR_BYTES_PER_STEP === 0) yield;
    if (bytes[at]! < 0xc0) continue;
    const length = bytes[ksnTagEnd(bytes, at)];
    if (length === 8 || length === 10 || length === 12) places.push(at);
  }
  return places;
}

/** Where the tag of a KSN at a place ends; -1 if there is none. */
function ksnTagEnd(bytes: Uint8Array, at: number): number {
  let tag = '';
  for (let end = at; end < at + 3 && end < bytes.length; end++) {
    tag += hexByte(bytes[end]!);
    if (KSN_TAGS.has(tag)) return end + 1;
  }
  return -1;
}

/** For each byte, the end of the run of TLV objects that begins there. */
function* runEnds(bytes: Uint8Array): Steps<Int32Array> {
  const ends = new Int32Array(bytes.length + 1);
  ends[bytes.length] = bytes.length;
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (at % ANCHOR_BYTES_PER_STEP === 0) yield;
    const next = nextObject(bytes, at);
    ends[at] = next <= bytes.length ? ends[next]! : at;
  }
  return ends;
}
