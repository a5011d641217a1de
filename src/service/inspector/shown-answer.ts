import type {ProcessPayloadResult, TrackObject} from '../../contract/process-payload.js';
import {maskNumbers, maskPan} from '../../engine/card/mask.js';
import {maskedPayload} from '../../engine/inspection/hidden-cells.js';
import {maskParts, revealPart} from '../../engine/inspection/mask-part.js';
import {readTlv} from '../../engine/tlv/ber.js';
import {noteFill, noteTlv} from '../../engine/tlv/note-tlv.js';
import {Trace} from '../../engine/trace.js';
import {bytesOfHex, latin1Of} from '../../platform/bytes.js';
import {starLetters} from './shown-body.js';

type Mask = (text: string) => string;

const hide: Mask = (text) => '*'.repeat(text.length);

/** Members of `extracted` with card data, masked as `decrypt` shows them. */
const EXTRACTED: Readonly<Record<string, Mask>> = {
  PAN: maskPan,
  EXPY: (text) => (/^\d{4}$/.test(text) ? text : hide(text)),
  CVV: hide,
  ServiceCode: hide,
  Discretionary: hide,
  FirstName: maskNumbers,
  Surname: maskNumbers,
  street: maskNumbers,
  ZIP: maskNumbers,
};

/**
 * Masks members of a response of process-payload, in place. What is not in the object, such as a text
 * that a fault has cut, is hidden whole.
 */
export function answerMask(
  answer: Partial<ProcessPayloadResult>,
): (member: string, text: string) => string | undefined {
  const known = new Map<string, string>();
  for (const track of [
    answer.track1,
    answer.track2,
    answer.track3,
    answer.track2equivalent,
    answer.keyed,
  ])
    if (track) known.set(track.ascii, track.masked).set(track.decrypted, maskedTrackBytes(track));
  if (answer.tlv) known.set(answer.tlv.decrypted, maskedTlv(answer.tlv.decrypted));
  const isWhole = answer.extracted !== undefined;
  return (member, text) => {
    if (member === 'ascii' || member === 'decrypted') return known.get(text) ?? starLetters(text);
    const mask = Object.hasOwn(EXTRACTED, member) ? EXTRACTED[member] : undefined;
    return mask && (isWhole ? mask(text) : starLetters(text));
  };
}

/** The bytes of a track, each hidden as its character; what the text lacks, such as the LRC, is hidden. */
function maskedTrackBytes({decrypted, ascii, masked, encoding}: TrackObject): string {
  if (encoding !== 'hex') return starLetters(decrypted);
  const [bytes, text] = [bytesOfHex(decrypted), decrypted.toLowerCase()];
  if (text.startsWith(ascii.toLowerCase())) return masked.padEnd(decrypted.length, '*');
  if (!latin1Of(bytes).startsWith(ascii)) return hide(decrypted);
  return decrypted.replace(/../g, (pair, at: number) =>
    masked[at / 2] === ascii[at / 2] ? pair : '**',
  );
}

/** The objects of a card, their values masked by their tags: tags and lengths stay. */
function maskedTlv(hex: string): string {
  try {
    const trace = new Trace();
    const bytes = bytesOfHex(hex);
    noteTlv(trace, readTlv(bytes).objects);
    noteFill(trace, bytes);
    const unit = 'byte';
    const masked = {unit, parts: maskParts(trace.parts, true)} as const;
    const clear = {unit, parts: trace.parts.map(revealPart)} as const;
    return maskedPayload(hex, {masked, clear}).text;
  } catch {
    return hide(hex);
  }
}
