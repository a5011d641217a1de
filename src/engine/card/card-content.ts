import type {Mode} from '../../contract/process-payload.js';
import {hexOf} from '../../platform/bytes.js';
import type {TlvObject} from '../tlv/ber.js';
import type {Evidence, Fact} from './evidence.js';
import type {TrackNumber} from './lrc.js';
import type {Track} from './track-data.js';

/** A track 2 equivalent (tag 57, BBPOS C8): packed BCD, `D` as separator, filler `F`. */
export interface Track2Equivalent {
  readonly bytes: Uint8Array;
  /** Hex digits in lower case, filler removed. */
  readonly text: string;
}

/** What a cardholder or clerk keyed in, in the terminal's own text format. */
export interface KeyedEntry {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly pan: string;
  readonly cvv?: string;
  /** The end of the text that its mask hides; absent: the CVV. */
  readonly hidden?: string;
}

/** A decrypted TLV list without its padding. */
export interface DecryptedTlv {
  readonly bytes: Uint8Array;
  readonly objects: readonly TlvObject[];
}

/** A position in a plaintext that gives a card number, an expiry date, or both. */
export interface CardPlace {
  /** Name for people: `tag 57`, `track 2`. */
  readonly name: string;
  readonly pan?: string | undefined;
  /** YYMM. */
  readonly expiry?: string | undefined;
  /** The track of the magnetic stripe; absent for chip data, which has only one card number. */
  readonly stripe?: TrackNumber;
}

/** What decrypted fields, and clear fields beside them, contribute to one response. */
export interface CardContent {
  readonly track1?: Track;
  readonly track2?: Track;
  readonly track3?: Track;
  /** In payload order. */
  readonly tlv?: readonly DecryptedTlv[];
  readonly track2equivalent?: Track2Equivalent;
  readonly keyed?: KeyedEntry;
  /** From separate fields: tags 5A and DFDB01, keyed entry. */
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
  /** @internal Which of several makers' readers encrypts such a plaintext, if that tells them apart. */
  readonly maker?: string;
  /** For a TLV list: positions of its card numbers and expiry dates. */
  readonly places?: readonly CardPlace[];
  /** Evidence for the plaintext. */
  readonly facts?: readonly Fact[];
  /** Weight of all facts together: log2 of one over the chance that random bytes show the same. */
  readonly bits?: number;
}

/**
 * Merges the contents of several fields. Of a member given twice the first one is kept; lists are
 * joined, leaving out a list identical to an earlier one.
 */
export function mergeContent(contents: readonly CardContent[]): CardContent {
  const merged: {-readonly [M in keyof CardContent]: CardContent[M]} = {};
  for (let i = contents.length - 1; i >= 0; i--) Object.assign(merged, contents[i]);
  const tlv: DecryptedTlv[] = [];
  let facts: readonly Fact[] | undefined;
  let bits = 0;
  for (const content of contents) {
    if (content.tlv) tlv.push(...content.tlv);
    if (content.facts) facts = facts?.concat(content.facts) ?? content.facts;
    bits += content.bits ?? 0;
  }
  if (tlv.length > 0) merged.tlv = distinct(tlv);
  merged.facts = facts ?? [];
  merged.bits = bits;
  return merged;
}

/** A content with the evidence for its plaintext. */
export function withEvidence(content: CardContent, {facts, bits}: Evidence): CardContent {
  // V8 makes a new hidden class for each object whose literal adds members after a spread.
  return Object.assign({}, content, {facts, bits});
}

/** The content of one track. */
export function trackContent(number: TrackNumber, track: Track): CardContent {
  // Computed member names would slow down every later access to the object.
  if (number === 1) return {track1: track};
  return number === 2 ? {track2: track} : {track3: track};
}

/** The same with the evidence for it. */
export function provenTrack(
  number: TrackNumber,
  track: Track,
  {facts, bits}: Evidence,
): CardContent {
  if (number === 1) return {track1: track, facts, bits};
  return number === 2 ? {track2: track, facts, bits} : {track3: track, facts, bits};
}

/** Tracks mean swiped, keyed data or tag DFDB01 keyed; everything else is EMV. */
export function modeOf({track1, track2, track3, keyed, tlv}: CardContent): Mode {
  if (track1 || track2 || track3) return 'swiped';
  const keyedTag = tlv?.some((list) => list.objects.some(({tag}) => tag === 'DFDB01'));
  return keyed || keyedTag ? 'keyed' : 'emv';
}

function distinct(lists: readonly DecryptedTlv[]): readonly DecryptedTlv[] {
  if (lists.length < 2) return lists;
  return [...new Map(lists.map((list) => [hexOf(list.bytes), list])).values()];
}
