import {PaylensError} from '../../../contract/paylens-error.js';
import {hexByte, upperHexOf} from '../../../platform/bytes.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {payloadBytes} from '../shared/payload-bytes.js';
import {RA1_SUCCESS, RA1_TRACKS, type RawTrack} from './layout.js';

/**
 * Reads the response to a swipe command: for tracks 1 and 2 a code, a length and raw character
 * codes, then SW1 SW2 (docs/formats/ingenico.md#ra1). Its content is always format-preserving
 * ciphertext.
 *
 * Throws 2100 if the layout is invalid or the command failed, 2102 if the response is too short.
 */
export function readRa1(payload: string, trace: Trace): Reading {
  const bytes = payloadBytes(payload);
  const found = walk(bytes);
  for (const {name, start, end, meaning} of found.parts) {
    const value = upperHexOf(bytes.subarray(start, end));
    const place = {offset: start, length: end - start, depth: 0};
    trace.note({...place, name, value, ...(meaning ? {meaning} : {})});
  }
  if (found.error) throw found.error;
  const refusal = new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)');
  return {form: 'RA1 swipe response', mode: 'swiped', candidates: [[]], refusal};
}

interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly meaning?: string;
}

/** The parts parsed, and the error if parsing failed. */
interface Walk {
  readonly parts: readonly Span[];
  readonly error?: PaylensError;
}

/** Whether a failed track still has a length field is not documented, so both are tried. */
function walk(bytes: Uint8Array): Walk {
  const first = walkTracks(bytes, true);
  if (!first.error) return first;
  const second = walkTracks(bytes, false);
  return second.error ? first : second;
}

function walkTracks(bytes: Uint8Array, failedHaveLength: boolean): Walk {
  const parts: Span[] = [];
  let at = 0;
  let characters = 0;
  for (const track of RA1_TRACKS) {
    const code = bytes[at];
    if (code === undefined) return {parts, error: cut(`${track.name} code`, at)};
    const meaning = code === 0 ? 'success' : `failed: ${hexByte(code)}`;
    parts.push({name: `${track.name} code`, start: at, end: at + 1, meaning});
    at++;
    if (code !== 0 && !failedHaveLength) continue;
    if (at + 2 > bytes.length) return {parts, error: cut(`${track.name} length`, at)};
    const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    parts.push({name: `${track.name} length`, start: at, end: at + 2, meaning: `${length}`});
    at += 2;
    const error = trackError(track, bytes, at, length, code);
    if (error) return {parts, error};
    if (length > 0) parts.push({name: track.name, start: at, end: at + length});
    at += length;
    characters += length;
  }
  const error = endError(bytes, at, characters);
  if (at < bytes.length) parts.push({name: 'SW1 SW2', start: at, end: bytes.length});
  return {parts, ...(error ? {error} : {})};
}

function trackError(
  {name, highest}: RawTrack,
  bytes: Uint8Array,
  at: number,
  length: number,
  code: number,
): PaylensError | undefined {
  if (code !== 0 && length > 0) {
    return new PaylensError(2100, `${name}: code ${hexByte(code)} with a length of ${length}`);
  }
  const stray = bytes.subarray(at, at + length).findIndex((byte) => byte > highest);
  if (stray >= 0) {
    return new PaylensError(
      2100,
      `${name} at byte ${at + stray}: expected a magnetic stripe code up to ${hexByte(highest)}`,
    );
  }
  return at + length > bytes.length ? cut(name, at, length) : undefined;
}

function endError(bytes: Uint8Array, at: number, characters: number): PaylensError | undefined {
  if (at + 2 > bytes.length) return cut('SW1 SW2', at, 2);
  const found = upperHexOf(bytes.subarray(at));
  if (found.slice(0, 4) !== RA1_SUCCESS || found.length > 4) {
    const status = found.slice(0, 4);
    return new PaylensError(
      2100,
      `SW1 SW2 at byte ${at}: expected 9000 and the end, found ${status}`,
    );
  }
  return characters > 0 ? undefined : new PaylensError(2100, 'the response contains no track');
}

function cut(name: string, at: number, length = 1): PaylensError {
  return new PaylensError(2102, `${name} at byte ${at}: expected ${length} bytes, found fewer`);
}
