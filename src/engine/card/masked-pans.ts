import type {PaylensError} from '../../contract/paylens-error.js';
import {latin1Of, upperHexOf} from '../../platform/bytes.js';
import {withoutEnd} from '../../platform/without-end.js';
import type {CardContent} from './card-content.js';
import {contradictedCopy, type Evidence} from './evidence.js';
import {sourcesOf} from './extract.js';
import {maskPan} from './mask.js';
import {type Track, type TrackData, trackDataOf} from './track-data.js';
import {parseTrack2Equivalent} from './track2-equivalent.js';

/** What a text shows of a card besides its number. */
export type CardShown = Pick<TrackData, 'name' | 'expiry' | 'serviceCode'>;

/** The card number of a masked copy, with `*` for every hidden digit. */
export interface MaskedPan {
  /** Position of the copy: `tag C4`. */
  readonly name: string;
  readonly pan: string;
  /** @internal What else it shows of the card. */
  readonly shown?: CardShown;
  /** @internal Of a track with both sentinels: its characters. */
  readonly trackChars?: number;
  /** True for a copy of track 1, whose number may differ from that of the other tracks. */
  readonly isTrack1?: boolean;
}

/**
 * Reads a masked copy in nibbles (tags 57 and 5A), with or without `D` and what follows it. The
 * nibble that hides a digit is configurable.
 */
export function maskedNibbles(name: string, value: Uint8Array): MaskedPan[] {
  const nibbles = upperHexOf(value);
  const end = separatorAt(nibbles);
  return maskedNumber(name, end < 0 ? nibbles : nibbles.slice(0, end));
}

/** A `D` after a whole card number; in a shorter one, or beside another `D`, it hides a digit. */
function separatorAt(nibbles: string): number {
  const digits = nibbles.search(/\D|$/);
  const at = nibbles.search(/(?<!D)D(?!D)/);
  const isSeparator = at === digits ? digits >= 12 : nibbles.length >= 8;
  return isSeparator ? at : -1;
}

/** Reads a masked track in ASCII. The character that hides a digit is configurable. */
export function maskedTrack(name: string, value: Uint8Array | string): MaskedPan[] {
  const text = typeof value === 'string' ? value : latin1Of(value);
  const [, track1] = /^%?\D?([^^]+)\^/.exec(text) ?? [];
  const [, track2 = ''] = track1 === undefined ? (/^;?([^=]+)=/.exec(text) ?? []) : [];
  const pan = track1 ?? track2;
  if (!hasOneMask(pan)) return [];
  const shown = shownIn(text);
  const trackChars = /^[%;][^?]*\?/.exec(text)?.[0].length;
  const copies = maskedNumber(name, pan, track1 !== undefined);
  // Each with the same members in the same order: V8 makes a hidden class for every spread.
  for (const copy of copies) {
    if (shown) Object.assign(copy, {shown});
    if (trackChars) Object.assign(copy, {trackChars});
  }
  return copies;
}

/** Name, expiry date and service code of a masked track; zeros may hide digits. */
function shownIn(text: string): CardShown | undefined {
  const caret = text.lastIndexOf('^');
  const before = caret > 0 ? text.lastIndexOf('^', caret - 1) : -1;
  const holder = before < 0 ? '' : text.slice(before + 1, caret);
  const equals = text.indexOf('=', caret + 1);
  const data = before < 0 ? (equals < 0 ? '' : text.slice(equals + 1)) : text.slice(caret + 1);
  const [, expiry, serviceCode] = /^(?!0000)(\d{4})(?:(?!\d*0\d{0,2})(\d{3}))?/.exec(data) ?? [];
  const name = /^[A-Z][ -)+-_]*$/.test(holder) ? holder : undefined;
  return name === undefined && expiry === undefined ? undefined : {name, expiry, serviceCode};
}

/** False for text of another kind in the place of a card number. */
function hasOneMask(pan: string): boolean {
  return /^[\d -]*(?:([^\d -])(?:\1|[\d -])*)?$/u.test(pan);
}

/** Reads a masked number in text. */
export function maskedText(name: string, text: string): MaskedPan[] {
  return maskedNumber(name, text);
}

/** Digits at the ends of a card number that a terminal always shows. */
interface Visible {
  readonly head: number;
  readonly tail: number;
}

/**
 * Copies in which `0` may hide a digit, too. A real 0 looks the same, so zeros count only at the
 * ends, which are always visible.
 */
export function maskedByZeros(copies: readonly MaskedPan[], {head, tail}: Visible): MaskedPan[] {
  return copies.map((copy) => {
    const {pan} = copy;
    const behind = Math.max(head, pan.length - tail);
    const middle = pan.slice(head, behind);
    // Of most copies asterisks hide the middle.
    if (!middle.includes('0')) return copy;
    const hidden = middle.replaceAll(HIDDEN_BY_ZEROS, '*');
    return {...copy, pan: pan.slice(0, head) + hidden + pan.slice(behind)};
  });
}

/** One digit among the zeros may be there for Luhn only (docs/terminals/magtek.md#the-v5-string). */
const HIDDEN_BY_ZEROS = /0|(?<=0)\d(?=0|$)/g;

/**
 * Compares the card numbers of one plaintext with the masked copies beside it: visible digits that
 * agree are evidence (docs/terminals/common.md#masked-copies). Throws 2601 if one differs.
 */
export function assertMaskedPans(
  field: string,
  copies: readonly MaskedPan[],
  content: CardContent,
  evidence: Evidence,
): void {
  const contradiction = addMaskedPans(field, copies, content, evidence);
  if (contradiction) throw contradiction;
}

/** The same, but returns the error: for fields that are compared when all are open. */
export function addMaskedPans(
  field: string,
  copies: readonly MaskedPan[],
  content: CardContent,
  evidence: Evidence,
): PaylensError | undefined {
  if (copies.length === 0) return undefined;
  const others = numbersExceptTrack1(content);
  const track1 = content.track1 && trackDataOf(1, content.track1)?.pan;
  let most = 0;
  for (const copy of copies) {
    const pans =
      copy.isTrack1 && track1 !== undefined ? [track1] : others.length ? others : [track1];
    for (const pan of pans) {
      if (pan === undefined) continue;
      const visible = visibleIn(copy.pan, pan);
      if (visible === undefined) return contradicted(field, pan, copy);
      most = Math.max(most, visible);
    }
  }
  if (most > 0) evidence.add('masked-copy', `${field} agrees with its masked copy`, most * 3);
  return undefined;
}

/**
 * Compares every masked copy in a payload with the card number of the response; copies of track 1
 * with the number of track 1, if it was sent. No track may be shorter than its copy. Throws 2601,
 * naming the copy.
 */
export function assertAnsweredPan(copies: readonly MaskedPan[], content: CardContent): void {
  if (copies.length === 0) return;
  const answered = sourcesOf(content)[0]?.pan;
  const track1 = content.track1 && trackDataOf(1, content.track1)?.pan;
  for (const copy of copies) {
    const pan = (copy.isTrack1 ? track1 : undefined) ?? answered;
    if (pan !== undefined && visibleIn(copy.pan, pan) === undefined)
      throw contradicted(copy.name, pan, copy);
    assertNotCut(copy, copy.isTrack1 ? content.track1 : content.track2);
  }
}

/** A copy may leave characters out, but no track is shorter than its copy. Throws 2601. */
function assertNotCut({name, pan, trackChars = 0}: MaskedPan, track: Track | undefined): void {
  if (track && track.text.length < trackChars)
    throw contradictedCopy(name, 'the masked copy is longer than the track', pan);
}

function maskedNumber(name: string, text: string, isTrack1 = false): MaskedPan[] {
  const pan = ungrouped(text).replaceAll(/\D/g, '*');
  const min = pan.includes('*') ? MIN_MASKED_DIGITS : MIN_SHOWN_DIGITS;
  if (pan.length < min || pan.length > MAX_COPY_DIGITS || !/\d/.test(pan)) return [];
  return [isTrack1 ? {name, pan, isTrack1} : {name, pan}];
}

/** `*1881`, and the fewest digits on their own that are meant as a card number. */
const MIN_MASKED_DIGITS = 5;
const MIN_SHOWN_DIGITS = 8;
const MAX_COPY_DIGITS = 32;

/** Without the spaces or hyphens between groups; one on its own, or several together, are masks. */
function ungrouped(text: string): string {
  const gaps = text.match(/[ -]+/g);
  if (!gaps) return text;
  const isGrouped = gaps.length > 1 || /[^\d -]/.test(text);
  return isGrouped ? text.replaceAll(/(?<![ -])[ -](?![ -])/g, '') : text;
}

/** All numbers except that of track 1: the tracks of one read may have different numbers. */
function numbersExceptTrack1({track2, track2equivalent, pan, keyed}: CardContent): string[] {
  const found = [
    track2 && trackDataOf(2, track2)?.pan,
    track2equivalent && parseTrack2Equivalent(track2equivalent.text)?.pan,
    pan,
    keyed?.pan,
  ];
  return found.filter((number) => number !== undefined);
}

function contradicted(field: string, pan: string, copy: MaskedPan): PaylensError {
  const why = `the masked copy shows a different card than ${maskPan(pan)}`;
  return contradictedCopy(field, why, copy.pan);
}

/**
 * The number of visible digits of `masked` that agree with `pan`; undefined if one differs. Hidden
 * digits at the end may be filler.
 */
function visibleIn(masked: string, pan: string): number | undefined {
  const inPlace = visibleInPlace(masked, pan);
  if (inPlace !== undefined) return inPlace;
  const shown = withoutEnd(masked, /\*/);
  const isCut = shown.length !== pan.length && masked.includes('*');
  return isCut ? visibleAtEnds(shown, pan) : visibleInPlace(shown, pan);
}

/** Of a copy as long as the number: position by position. */
function visibleInPlace(shown: string, pan: string): number | undefined {
  if (shown.length !== pan.length) return undefined;
  let visible = 0;
  for (let at = 0; at < shown.length; at++) {
    if (shown[at] === '*') continue;
    if (shown[at] !== pan[at]) return undefined;
    visible += 1;
  }
  return visible;
}

/** Of a copy of another length: what it shows in front of the first hidden digit and behind the last. */
function visibleAtEnds(shown: string, pan: string): number | undefined {
  const [head = ''] = /^\d*/.exec(shown) ?? [];
  const [tail = ''] = /(?<=\*)\d*$/.exec(shown) ?? [];
  const visible = head.length + tail.length;
  return visible <= pan.length && pan.startsWith(head) && pan.endsWith(tail) ? visible : undefined;
}
