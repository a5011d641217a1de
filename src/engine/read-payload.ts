import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import {clearTracks, hasCiphertext, isClearTrack} from './card/is-clear-card.js';
import type {PayloadForm} from './families/terminal.js';
import type {TerminalSet} from './families/terminal-set.js';
import {severalReads} from './forms/one-read.js';
import {assertNoTags, assertOwnText} from './forms/signs.js';
import type {Reading} from './reading.js';
import {fieldsAside} from './reads-aside.js';
import {Trace} from './trace.js';

/** 64 KiB, the limit of a request body. */
export const MAX_PAYLOAD_CHARACTERS = 65_536;

/**
 * Finds the parts of a payload. `trace` keeps every part and check, also if this throws. None of
 * `terminals` may find its own read in what the form does not declare.
 *
 * Throws 2002 if the payload is empty, 2006 if it is longer than 64 KiB, 2100 if it is not of this
 * form, 2101 if a length, LRC, checksum or CRC does not match, 2102 if it ends too early, 2110 if
 * it is nothing but a clear track.
 */
export function readPayload(
  form: PayloadForm,
  payload: string,
  trace: Trace = new Trace({recording: false}),
  terminals?: TerminalSet,
): Reading {
  if (payload === '') throw new PaylensError(2002);
  if (payload.length > MAX_PAYLOAD_CHARACTERS) {
    const detail = `expected at most ${MAX_PAYLOAD_CHARACTERS} characters, found ${payload.length}`;
    throw new PaylensError(2006, detail);
  }
  const reading = readTraced(form, payload, trace, terminals);
  const damage = trace.damage();
  if (damage) throw damage;
  return reading;
}

/** A failed checksum explains why later fields are invalid, so it is the error to report. */
function readTraced(
  form: PayloadForm,
  payload: string,
  trace: Trace,
  terminals: TerminalSet | undefined,
): Reading {
  try {
    return terminals ? readAlone(form, payload, trace, terminals) : form.read(payload, trace);
  } catch (error) {
    rethrowTerminalFault(error);
    throw trace.damage() ?? clearTrack(payload, error) ?? error;
  }
}

/**
 * What a form reads, if none of the other terminals has a read in the payload as well. Throws 2100
 * for a second read, and as the reader does.
 */
export function readAlone(
  form: PayloadForm,
  payload: string,
  trace: Trace,
  terminals: TerminalSet,
): Reading {
  assertOwnText(form, payload, terminals.signs);
  const reading = form.read(payload, trace);
  if (reading.undeclared) assertNoTags(reading.undeclared, terminals.signs);
  if (form.exclusive && trace.unit === 'character') assertUnclaimed(form, payload, terminals);
  const {refusal, takesWorkingKey} = reading;
  if (refusal && !takesWorkingKey) return reading;
  const unread = fieldsAside(form, reading, trace.members, terminals);
  return unread.length > 0 ? {...reading, unread} : reading;
}

/** Throws 2100 if another terminal whose texts name it claims this one. */
function assertUnclaimed({type}: PayloadForm, payload: string, {all}: TerminalSet): void {
  const other = all.find(
    (terminal) => terminal.exclusive && terminal.type !== type && terminal.claims?.(payload),
  );
  if (other) throw severalReads(`the text is also of ${other.type}`);
}

/** The characters of a magnetic stripe, and line endings between tracks. */
const STRIPE_TEXT = /^[\r\n -_]*$/;

/**
 * A bare track is not in any terminal's format, but the error to report is that it is in cleartext.
 */
function clearTrack(payload: string, error: unknown): PaylensError | undefined {
  const isFormError = error instanceof PaylensError && error.code === 2100;
  if (!isFormError) return undefined;
  const isStripe = STRIPE_TEXT.test(payload) && !hasCiphertext(payload);
  const beginsClear = isStripe && isClearTrack(payload);
  return beginsClear || clearTracks(payload).length > 0
    ? new PaylensError(2110, 'the payload is a cleartext track')
    : undefined;
}
