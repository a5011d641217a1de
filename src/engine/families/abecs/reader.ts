import {ofLast} from '../../forms/of-last.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {namesTerminal} from '../forwarded/names-terminal.js';
import {readGtk} from './gtk.js';
import {beginsWithObjects, objectDigits, readGtkObjects, readNamedObjects} from './objects.js';
import {hasPanBlock} from './pan-sign.js';
import {readPanMembers, readPanText} from './pan-tracks.js';

/** A member that only requests of these PIN pads have. */
const MEMBER = /\b(?:SPE_?MTHDDAT|PP_?TRACK[123]|PP_?ENCPAN)\b/i;

const isNamed = ofLast(
  (payload: string): boolean =>
    namesTerminal(payload, {name: /\babecs\b/i, member: MEMBER}) || hasPanBlock(payload),
);

/** True for what PIN pads of the ABECS protocol send. */
export function isAbecs(payload: string): boolean {
  return isNamed(payload) || objectDigits(payload) !== undefined;
}

/** True for the beginning of one as well. */
export function isOfAbecs(payload: string): boolean {
  return isNamed(payload) || beginsWithObjects(payload);
}

/** A member of a request or of its lines. */
const NAMED =
  /^[ \t]*(?:\{|["']?(?:track|trilha|(?:cke|gcr|pp)_?trk|pp_?track)_?[123]\w*["']?\s*[:=]|["']?(?:spe|pp)_?(?:mthddat|opndig|ivcbc|encpan))/im;

/**
 * Reads tracks with an encrypted card number, or the response to GTK (docs/terminals/abecs.md#pan).
 *
 * Throws 2100 if it is neither, or both, or more than one read; 2102 if it is truncated; 2110 if a
 * card number is in cleartext.
 */
export function readAbecs(payload: string, trace: Trace): Reading {
  const digits = objectDigits(payload);
  if (digits !== undefined) return readGtk(readGtkObjects(digits, trace));
  if (!NAMED.test(payload)) return readPanText(payload, trace);
  const objects = readNamedObjects(payload, trace);
  if (objects.values.size > 0) return readGtk(objects);
  return readPanMembers(objects.form, objects.others, payload);
}
