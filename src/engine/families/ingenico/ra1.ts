import {PaylensError} from '../../../contract/paylens-error.js';
import {hexByte, upperHexOf} from '../../../platform/bytes.js';
import {payloadBytes} from '../../forms/payload-bytes.js';
import type {Reading} from '../../reading.js';
import type {Part, Trace} from '../../trace.js';
import {RA1_SUCCESS, RA1_TRACKS} from './layout.js';

/**
 * Reads the response to a swipe command: for tracks 1 and 2 a code, a length and raw character
 * codes, then SW1 SW2 (docs/terminals/ingenico.md#ra1). Its content is always format-preserving
 * ciphertext.
 *
 * Throws 2100 if the layout is invalid or the command failed, 2102 if the response is too short.
 */
export function readRa1(payload: string, trace: Trace): Reading {
  const bytes = payloadBytes(payload);
  // Whether a failed track still has a length field is not documented.
  const [first, second] = [walkResponse(bytes, true), walkResponse(bytes, false)] as const;
  const {parts, error} = first.error && !second.error ? second : first;
  for (const part of parts) trace.note(part);
  if (error) throw error;
  const refusal = new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)');
  return {form: 'RA1 swipe response', mode: 'swiped', candidates: [[]], refusal};
}

/** The parts parsed, and the error if parsing failed. */
interface Walk {
  readonly parts: readonly Part[];
  readonly error?: unknown;
}

function walkResponse(bytes: Uint8Array, failedHaveLength: boolean): Walk {
  const response = new ResponseParts(bytes);
  try {
    const lengths = RA1_TRACKS.map((track) => takeTrack(track, response, failedHaveLength));
    const {offset} = response;
    const status = upperHexOf(response.take('SW1 SW2', Math.max(2, bytes.length - offset)));
    if (status !== RA1_SUCCESS)
      throw new PaylensError(
        2100,
        `SW1 SW2 at byte ${offset}: expected 9000 and the end, found ${status.slice(0, 4)}`,
      );
    if (lengths.every((length) => length === 0))
      throw new PaylensError(2100, 'the response contains no track');
    return response;
  } catch (error) {
    return {parts: response.parts, error};
  }
}

/** Takes one track, and returns how many characters it has. */
function takeTrack(
  {name, highest}: (typeof RA1_TRACKS)[number],
  response: ResponseParts,
  failedHaveLength: boolean,
): number {
  const [code = 0] = response.take(`${name} code`, 1, ([value = 0]) =>
    value === 0 ? 'success' : `failed: ${hexByte(value)}`,
  );
  if (code !== 0 && !failedHaveLength) return 0;
  const length = uint16(response.take(`${name} length`, 2, (field) => `${uint16(field)}`));
  if (code !== 0 && length > 0)
    throw new PaylensError(2100, `${name}: code ${hexByte(code)} with a length of ${length}`);
  const stray = response.next(length).findIndex((byte) => byte > highest);
  if (stray >= 0)
    throw new PaylensError(
      2100,
      `${name} at byte ${response.offset + stray}: expected a magnetic stripe code up to ${hexByte(highest)}`,
    );
  if (length > 0) response.take(name, length);
  return length;
}

function uint16([high = 0, low = 0]: Uint8Array): number {
  return high * 256 + low;
}

/** The parts of a response, taken one after the other. */
class ResponseParts {
  readonly parts: Part[] = [];
  offset = 0;

  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(length: number): Uint8Array {
    return this.#bytes.subarray(this.offset, this.offset + length);
  }

  /** Throws 2102 if there are fewer bytes. */
  take(name: string, length: number, meaning?: (value: Uint8Array) => string): Uint8Array {
    const {offset} = this;
    const value = this.next(length);
    if (value.length < length)
      throw new PaylensError(
        2102,
        `${name} at byte ${offset}: expected ${length} bytes, found fewer`,
      );
    const place = {offset, length, depth: 0, name, value: upperHexOf(value)};
    this.parts.push({...place, ...(meaning ? {meaning: meaning(value)} : {})});
    this.offset += length;
    return value;
  }
}
