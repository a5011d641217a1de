import type {Mode} from '../../contract/process-payload.js';
import {hexOf} from '../../platform/bytes.js';
import type {TlvObject} from '../tlv/ber.js';
import type {Fact} from './evidence.js';
import type {TrackNumber} from './lrc.js';
import type {Track} from './track-data.js';

/** A track 2 equivalent (tag 57, BBPOS C8): packed BCD, `D` as separator, filler `F`. */
export interface Track2Equivalent {
  readonly bytes: Uint8Array;
  /** Hex digits in lower case, filler removed. */
  readonly text: string;
}

/** What a cardholder or clerk keyed in, in the terminal's own text form. */
export interface KeyedEntry {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly pan: string;
  readonly cvv?: string;
}

/** A decrypted TLV list without its fill. */
export interface DecryptedTlv {
  readonly bytes: Uint8Array;
  readonly objects: readonly TlvObject[];
}

/** A place of a plaintext that gives a card number, an expiry date, or both. */
export interface CardPlace {
  /** As people call it: `tag 57`, `track 2`. */
  readonly name: string;
  readonly pan?: string | undefined;
  /** YYMM. */
  readonly expiry?: string | undefined;
  /** Which track of a magnetic stripe it is; chips know one number only. */
  readonly stripe?: TrackNumber;
}

/** Everything that opened fields, and clear fields beside them, contribute to one response. */
export interface CardContent {
  readonly track1?: Track;
  readonly track2?: Track;
  readonly track3?: Track;
  /** In payload order. */
  readonly tlv?: readonly DecryptedTlv[];
  readonly track2equivalent?: Track2Equivalent;
  readonly keyed?: KeyedEntry;
  /** From fields of their own: tags 5A and DFDB01, keyed entry. */
  readonly pan?: string;
  /** YYMM. */
  readonly expiry?: string;
  readonly serviceCode?: string;
  readonly discretionary?: string;
  /** `SURNAME/FIRST`. */
  readonly name?: string;
  readonly cvv?: string;
  readonly street?: string;
  readonly zip?: string;
  /** Serial number, if it is inside the ciphertext. */
  readonly serial?: string;
  /** For a TLV list: positions of its card numbers and expiry dates. */
  readonly places?: readonly CardPlace[];
  /** Evidence for the plaintext. */
  readonly facts?: readonly Fact[];
  /** How much they prove together: log2 of one over the chance that random bytes show the same. */
  readonly bits?: number;
}

/**
 * Joins what several fields gave; of a member given twice the first stays, lists are joined, a list
 * identical to an earlier one is left out.
 */
export function mergeContent(contents: readonly CardContent[]): CardContent {
  const merged: {-readonly [M in keyof CardContent]: CardContent[M]} = {};
  for (const content of contents.toReversed()) Object.assign(merged, content);
  const tlv: DecryptedTlv[] = [];
  const facts: Fact[] = [];
  let bits = 0;
  for (const content of contents) {
    if (content.tlv) tlv.push(...content.tlv);
    if (content.facts) facts.push(...content.facts);
    bits += content.bits ?? 0;
  }
  if (tlv.length > 0) merged.tlv = distinct(tlv);
  merged.facts = facts;
  merged.bits = bits;
  return merged;
}

/** The content of one track. */
export function trackContent(number: TrackNumber, track: Track): CardContent {
  // Members with computed names would make every object after it slow.
  if (number === 1) return {track1: track};
  return number === 2 ? {track2: track} : {track3: track};
}

/** Tracks are swiped; keyed entry has no 57; everything else is EMV. */
export function modeOf({track1, track2, track3, keyed, tlv}: CardContent): Mode {
  if (track1 || track2 || track3) return 'swiped';
  const keyedTag = tlv?.some((list) => list.objects.some(({tag}) => tag === 'DFDB01'));
  return keyed || keyedTag ? 'keyed' : 'emv';
}

function distinct(lists: readonly DecryptedTlv[]): readonly DecryptedTlv[] {
  if (lists.length < 2) return lists;
  return [...new Map(lists.map((list) => [hexOf(list.bytes), list])).values()];
}
