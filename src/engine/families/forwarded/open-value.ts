import {PaylensError} from '../../../contract/paylens-error.js';
import {latin1Of} from '../../../platform/bytes.js';
import {readTracks} from '../../card/card-block.js';
import {type CardContent, trackContent, withEvidence} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {
  Evidence,
  isRejection,
  moreTelling,
  notCardData,
  REQUIRED_BITS,
} from '../../card/evidence.js';
import {sourcesOf} from '../../card/extract.js';
import type {TrackNumber} from '../../card/lrc.js';
import {assertMaskedPans, type MaskedPan} from '../../card/masked-pans.js';
import {readTrack} from '../../card/track.js';
import {hasCheckDigit, isPan} from '../../card/track-data.js';
import {leadLength, sniffTrack} from '../../card/track-lead.js';
import {readFilledTrack2Equivalent} from '../../card/track2-equivalent.js';
import type {CipherMode} from '../../cipher/block-cipher.js';
import type {Fill} from '../../cipher/padding.js';
import {entryOf} from '../../forms/entry-of.js';

/** What is known of a value before it is decrypted. */
export interface ValueHints {
  readonly fills: readonly Fill[];
  /** Masked copies of the card number that count as evidence; absent: compared later. */
  readonly copies?: readonly MaskedPan[];
  /** Of a chip: packed digits are a track 2 equivalent. */
  readonly isChip?: boolean;
  /** Two digits may count the characters of a track. */
  readonly isCounted?: boolean;
}

/** Names that say which track a value holds. */
export const TRACK_NUMBERS: Readonly<Record<string, TrackNumber>> = {
  track1: 1,
  track2: 2,
  track3: 3,
};

/** One way to read a plaintext; throws 2601 if it is not of this kind. */
type Attempt = (evidence: Evidence) => CardContent;

/**
 * Reads the plaintext of a value of any reader: a track, two tracks, or a TLV list. Its name says
 * which track is expected, the plaintext which it is (docs/terminals/forwarded.md#plaintexts). ECB
 * lets blocks be exchanged: under it, a number without a copy needs its check digit, and a month.
 *
 * Throws 2601, that of the expected kind, if it is none of these.
 */
export function openValue(
  name: string,
  plain: Uint8Array,
  hints: ValueHints,
  mode?: CipherMode,
): CardContent {
  let first: unknown;
  let unproven: Evidence | undefined;
  for (const attempt of attemptsFor(name, plain, hints)) {
    const evidence = new Evidence();
    try {
      const content = attempt(evidence);
      const {copies = []} = hints;
      assertMaskedPans(name, copies, content, evidence);
      if (mode === 'ecb' && copies.length === 0) assertCheckDigits(name, content);
      if (evidence.bits >= REQUIRED_BITS) return withEvidence(content, evidence);
      unproven ??= evidence;
    } catch (error) {
      if (!isRejection(error)) throw error;
      first = moreTelling(first, error);
    }
  }
  unproven?.assertEnough(name, 'A second field of the same card');
  throw first;
}

function assertCheckDigits(name: string, content: CardContent): void {
  const isProven = sourcesOf(content).every(({pan, expiry = '01'}) => {
    return hasCheckDigit(pan) && /(?:0[1-9]|1[0-2])$/.test(expiry);
  });
  if (isProven) return;
  throw notCardData(name, 'no check digit and month prove it, and ECB does not join its blocks');
}

function attemptsFor(
  name: string,
  plain: Uint8Array,
  {fills, copies = [], isChip, isCounted}: ValueHints,
): Attempt[] {
  const lead = isCounted ? countLength(name, plain) : leadLength(plain);
  const text = plain.subarray(lead);
  // Zeros in front leave no room behind a track: a copy of its number stands for its end.
  const ends = lead > 0 && (plain[0] !== 0 || copies.length > 0) ? undefined : 'inside';
  const named = entryOf(TRACK_NUMBERS, name);
  const sniffed = sniffTrack(text);
  const track = (number: TrackNumber, bytes: Uint8Array): Attempt => {
    return (evidence) => trackContent(number, readTrack(number, bytes, {evidence, fills, ends}));
  };
  const number = named ?? sniffed;
  const list: Attempt = (evidence) => readCardTlv(name, plain, evidence, fills);
  return [
    ...(isChip ? [openTrack2Equivalent(name, plain, fills)] : []),
    number === undefined ? list : track(number, text),
    ...(text[0] === PERCENT ? [bothTracks(name, text, fills)] : []),
    ...(sniffed === undefined || sniffed === number ? [] : [track(sniffed, text)]),
    ...(plain[0] === 0 ? [track(number ?? 1, withoutTail(text))] : []),
    // Packed digits may look like tag 57 and its length.
    ...(number === 2 || (!named && plain[0] === TAG_57) ? [] : [track(2, plain)]),
  ];
}

const PERCENT = 0x25;
const TAG_57 = 0x57;

/**
 * Length of what precedes a track whose length may be in front of it. Throws 2601 if two digits
 * before a track 2 may be its length or the beginning of its number, and Luhn does not tell.
 */
function countLength(name: string, plain: Uint8Array): number {
  const text = latin1Of(plain).replace(/\0{1,15}$/, '');
  const [, count = '', pan = ''] = /^(\d\d)(\d{12,19})=/.exec(text) ?? [];
  if (pan === '' || Number(count) !== text.length - 2) return leadLength(plain);
  const whole = count + pan;
  if (!isPan(whole) || (hasCheckDigit(pan) && !hasCheckDigit(whole))) return 2;
  if (hasCheckDigit(whole) && !hasCheckDigit(pan)) return 0;
  throw notCardData(name, 'its first two digits may be a length or of the card number');
}

/** Packed digits of a chip card, which are no track of a stripe. */
function openTrack2Equivalent(name: string, plain: Uint8Array, fills: readonly Fill[]): Attempt {
  return (evidence) => {
    const track2equivalent = readFilledTrack2Equivalent(plain, evidence, fills);
    if (track2equivalent) return {track2equivalent};
    throw notCardData(name, 'no track 2 equivalent');
  };
}

/** Tracks 1 and 2 with their sentinels, encrypted as one chain. */
function bothTracks(name: string, text: Uint8Array, fills: readonly Fill[]): Attempt {
  return (evidence) => {
    const content = readTracks(text, {evidence, fills});
    if (content.track2) return content;
    throw notCardData(name, 'no track 2 after track 1');
  };
}

const END_SENTINEL = 0x3f;

/**
 * Text after zeros ends with the block: one byte after its end sentinel that is not text is the
 * reader's own (docs/terminals/forwarded.md#poynt).
 */
function withoutTail(text: Uint8Array): Uint8Array {
  const [mark, last = 0] = text.subarray(-2);
  const isText = last >= 0x20 && last < 0x7f;
  return mark === END_SENTINEL && !isText ? text.subarray(0, -1) : text;
}

/** Throws 2100 if two values contain the same track, or two contain a TLV list. */
export function assertTracksOnce(contents: readonly CardContent[]): void {
  for (const member of ['track1', 'track2', 'track3', 'tlv'] as const) {
    const count = contents.filter((content) => content[member] !== undefined).length;
    if (count > 1) throw foundTwice(member, count);
  }
}

/** The error (2100) for a track that is there more than once. */
export function foundTwice(member: string, count: number): PaylensError {
  return new PaylensError(2100, `${member}: found ${count} times, expected once`);
}
