import {latin1Of, upperHexOf} from '../../platform/bytes.js';
import type {CardContent} from './card-content.js';
import {type Evidence, notCardData} from './evidence.js';
import {sourcesOf} from './extract.js';
import {maskPan} from './mask.js';
import {parseTrack1, parseTrack2} from './track-data.js';
import {parseTrack2Equivalent} from './track2-equivalent.js';

/** The card number of a masked copy, with `*` for every hidden digit. */
export interface MaskedPan {
  /** Position of the copy: `tag C4`. */
  readonly name: string;
  readonly pan: string;
  /** True for a copy of track 1, whose number may differ from that of the other tracks. */
  readonly isTrack1?: boolean;
}

/** Reads a masked copy in nibbles (tags 57 and 5A), with or without `D` and what follows it. */
export function maskedNibbles(name: string, value: Uint8Array, maskNibbles: string): MaskedPan[] {
  const [digits = ''] = upperHexOf(value).split('D');
  const shown = digits.replaceAll(/[A-F]/g, (nibble) =>
    maskNibbles.includes(nibble) ? '*' : nibble,
  );
  return maskedPan(name, shown);
}

/** Reads a masked track in ASCII; the byte AA hides a character as `*` does. */
export function maskedTrack(name: string, value: Uint8Array | string): MaskedPan[] {
  const text = (typeof value === 'string' ? value : latin1Of(value)).replaceAll('\xaa', '*');
  const [, track1] = /^%?[A-Z*]?([\d* ]+)\^/.exec(text) ?? [];
  if (track1 !== undefined) return maskedPan(name, track1.replaceAll(' ', ''), true);
  const [, track2 = ''] = /^;?([\d*]+)=/.exec(text) ?? [];
  return maskedPan(name, track2);
}

/** Reads a masked number in text, whichever character hides its digits; spaces are dropped. */
export function maskedText(name: string, text: string): MaskedPan[] {
  return maskedPan(name, text.replaceAll(/\s/g, '').replaceAll(/\D/g, '*'));
}

/**
 * Reads a number masked with `0`. A real 0 looks the same, so only the always visible ends count.
 */
export function maskedByZeros(
  name: string,
  pan: string,
  {head, tail}: {head: number; tail: number},
): MaskedPan[] {
  const hidden = Math.max(0, pan.length - head - tail);
  return maskedPan(name, pan.slice(0, head) + '*'.repeat(hidden) + pan.slice(head + hidden));
}

/**
 * Compares the card numbers of one plaintext with the masked copies beside it: visible digits that
 * agree are evidence (docs/formats/common.md#masked-copies). Throws 2601 if one differs.
 */
export function demandMaskedPans(
  field: string,
  copies: readonly MaskedPan[],
  content: CardContent,
  evidence: Evidence,
): void {
  const others = pansOf(content);
  const track1 = content.track1 && parseTrack1(content.track1.text)?.pan;
  let visible = 0;
  for (const copy of copies) {
    const pans =
      copy.isTrack1 && track1 !== undefined ? [track1] : others.length ? others : [track1];
    for (const pan of pans) {
      if (pan !== undefined) visible = Math.max(visible, demandCopy(field, copy, pan));
    }
  }
  if (visible > 0) evidence.add('masked-copy', `${field} agrees with its masked copy`, visible * 3);
}

/**
 * Compares every masked copy in a payload with the card number of the response; copies of track 1
 * with the number of track 1, if it was sent. Throws 2601, naming the copy.
 */
export function demandAnsweredPan(copies: readonly MaskedPan[], content: CardContent): void {
  if (copies.length === 0) return;
  const answered = sourcesOf(content)[0]?.pan;
  const track1 = content.track1 && parseTrack1(content.track1.text)?.pan;
  for (const copy of copies) {
    const pan = (copy.isTrack1 ? track1 : undefined) ?? answered;
    if (pan !== undefined) demandCopy(copy.name, copy, pan);
  }
}

function maskedPan(name: string, text: string, isTrack1 = false): MaskedPan[] {
  if (!/^(?=.*\d)[\d*]{8,32}$/.test(text)) return [];
  return [{name, pan: text, ...(isTrack1 ? {isTrack1} : {})}];
}

/** All numbers except that of track 1: the tracks of one read may have different numbers. */
function pansOf({track2, track2equivalent, pan, keyed}: CardContent): string[] {
  const found = [
    track2 && parseTrack2(track2.text)?.pan,
    track2equivalent && parseTrack2Equivalent(track2equivalent.text)?.pan,
    pan,
    keyed?.pan,
  ];
  return found.filter((number) => number !== undefined);
}

/** The number of visible digits that agree. Throws 2601 if one differs. */
function demandCopy(field: string, {pan: masked}: MaskedPan, pan: string): number {
  const visible = visibleIn(masked, pan);
  if (visible !== undefined) return visible;
  throw notCardData(field, `the masked copy shows a different card than ${maskPan(pan)}`);
}

/**
 * The number of visible digits of `masked` that agree with `pan`, position by position; undefined
 * if one differs. A copy of another length shows only the beginning and the end, since filler after
 * it looks like hidden digits.
 */
function visibleIn(masked: string, pan: string): number | undefined {
  const shown = masked.length === pan.length ? masked : masked.replace(/\*+$/, '');
  if (shown.length === pan.length) {
    const agrees = [...shown].every((digit, i) => digit === '*' || digit === pan[i]);
    return agrees ? shown.replaceAll('*', '').length : undefined;
  }
  const [head = ''] = /^\d*/.exec(shown) ?? [];
  const [tail = ''] = /(?<=\*)\d*$/.exec(shown) ?? [];
  const isCut = masked.includes('*') && head.length + tail.length <= pan.length;
  return isCut && pan.startsWith(head) && pan.endsWith(tail)
    ? head.length + tail.length
    : undefined;
}
