import {PaylensError} from '../contract/paylens-error.js';
import {isClearTrack} from './card/is-clear-card.js';
import {TERMINALS, type TerminalType} from './devices/registry.js';
import type {Reading} from './reading.js';
import {Trace} from './trace.js';

/** 64 KiB, the limit of a request body. */
const MAX_PAYLOAD_CHARACTERS = 65_536;

/**
 * Finds the parts of a payload. `trace` keeps every part and check, also when this throws.
 *
 * Throws 2002 when it is empty, 2006 when it is longer than 64 KiB, 2100 when it is not of this
 * type, 2101 when a length, LRC, checksum or CRC does not match, 2102 when it ends too early, 2110
 * when it is nothing but a clear track.
 */
export function readPayload(
  deviceType: TerminalType,
  payload: string,
  trace: Trace = new Trace({recording: false}),
): Reading {
  if (payload === '') throw new PaylensError(2002);
  if (payload.length > MAX_PAYLOAD_CHARACTERS) {
    throw new PaylensError(
      2006,
      `expected at most ${MAX_PAYLOAD_CHARACTERS} characters, found ${payload.length}`,
    );
  }
  const reading = readTraced(deviceType, payload, trace);
  const damage = trace.damage();
  if (damage) throw damage;
  return reading;
}

/** A failed checksum explains why later fields are invalid, so it is the error to report. */
function readTraced(deviceType: TerminalType, payload: string, trace: Trace): Reading {
  try {
    return TERMINALS[deviceType].read(payload, trace);
  } catch (error) {
    throw trace.damage() ?? clearTrack(payload, error) ?? error;
  }
}

/** The characters of a magnetic stripe, and line endings between tracks. */
const STRIPE_TEXT = /^[\r\n -_]*$/;

/** A track sent as it is has no terminal's form, but that is not what is wrong. */
function clearTrack(payload: string, error: unknown): PaylensError | undefined {
  const isFormError = error instanceof PaylensError && error.code === 2100;
  const isTrack = STRIPE_TEXT.test(payload) && isClearTrack(payload);
  return isFormError && isTrack
    ? new PaylensError(2110, 'the payload is a cleartext track')
    : undefined;
}
