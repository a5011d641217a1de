import {latin1Of, upperHexOf} from '../bytes.js';
import type {CardContent} from './card-content.js';
import {type Evidence, notCardData} from './evidence.js';
import {parseTrack1, parseTrack2} from './track-data.js';
import {parseTrack2Equivalent} from './track2-equivalent.js';

/** The card number of a masked copy: `*` stands for every digit that is not shown. */
export interface MaskedPan {
  readonly pan: string;
  /** The copy is one of track 1, whose number may differ from the other tracks'. */
  readonly isTrack1?: boolean;
}

/** Reads a masked copy in nibbles, with or without `D` and what follows it: tags 57 and 5A. */
export function maskedNibbles(value: Uint8Array, maskNibbles: string): MaskedPan[] {
  const [digits = ''] = upperHexOf(value).split('D');
  const mask = new RegExp(`[${maskNibbles}]`, 'g');
  return maskedPan(digits.replaceAll(mask, '*'));
}

/** Reads a masked track in ASCII; the byte AA hides a character as `*` does. */
export function maskedTrack(value: Uint8Array): MaskedPan[] {
  const text = latin1Of(value).replaceAll('\xaa', '*');
  const [, track1] = /^%?[A-Z*]?([\d* ]+)\^/.exec(text) ?? [];
  if (track1 !== undefined) return maskedPan(track1.replaceAll(' ', ''), true);
  const [, track2 = ''] = /^;?([\d*]+)=/.exec(text) ?? [];
  return maskedPan(track2);
}

/**
 * Compares the card number of a plaintext with the masked copies beside it, position by position;
 * hidden digits are skipped (formats, common.md section 6). Throws 2601 when a visible digit differs.
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
  for (const {pan: masked, isTrack1} of copies) {
    const pans = isTrack1 && track1 !== undefined ? [track1] : others.length ? others : [track1];
    for (const pan of pans) {
      if (pan !== undefined) visible = Math.max(visible, compare(field, masked, pan));
    }
  }
  if (visible > 0) evidence.add(`${field} agrees with its masked copy`, visible * 3);
}

function maskedPan(text: string, isTrack1 = false): MaskedPan[] {
  if (!/^[\d*]{12,20}$/.test(text)) return [];
  return [{pan: text, ...(isTrack1 ? {isTrack1} : {})}];
}

/** All numbers but that of track 1: tracks of one read need not hold the same. */
function pansOf({track2, track2equivalent, pan}: CardContent): string[] {
  const found = [
    track2 && parseTrack2(track2.text)?.pan,
    track2equivalent && parseTrack2Equivalent(track2equivalent.text)?.pan,
    pan,
  ];
  return found.filter((number) => number !== undefined);
}

/** How many visible digits agree. */
function compare(field: string, masked: string, pan: string): number {
  let visible = 0;
  for (let i = 0; i < masked.length; i++) {
    if (masked[i] === '*') continue;
    if (masked[i] !== pan[i]) throw notCardData(field, 'the masked copy shows another card');
    visible++;
  }
  return visible;
}
