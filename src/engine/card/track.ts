import {latin1Of} from '../../platform/bytes.js';
import {withoutEnd} from '../../platform/without-end.js';
import {ALL_FILLS, type Fill, isFill} from '../cipher/padding.js';
import {type Evidence, notCardData} from './evidence.js';
import {lrcOfBytes, TRACK_NAMES, type TrackNumber, trackLrc} from './lrc.js';
import {unpackNibbles, unpackSixBit} from './packed.js';
import {beginsWithPan, parseTrack1, parseTrack2, type Track, type TrackData} from './track-data.js';
import {assertWholeTrack, type Ending, MAX_TRACK_CHARS} from './whole.js';

/** What is known of a track before it is read. */
export interface TrackOptions {
  /**
   * Number of characters given by the payload, LRC included; absent: found from the track itself.
   */
  readonly length?: number;
  /** Padding that may follow; default: any. */
  readonly fills?: readonly Fill[];
  /** Pattern of the canonical text; default: the alphabet of the track. */
  readonly form?: RegExp;
  /**
   * Where its end shows: `inside`, if nothing around it states a length, so that a sentinel or
   * padding must mark it; `nowhere`, for it may be cut; absent: outside.
   */
  readonly ends?: 'inside' | 'nowhere' | undefined;
  /** Most characters between the sentinels, if published tracks are longer than those of a stripe. */
  readonly longest?: number | undefined;
  /** No LRC follows: a packed track is padded with what could be one. */
  readonly withoutLrc?: true | undefined;
  /** Collects evidence for the track. */
  readonly evidence: Evidence;
}

/**
 * Reads the plaintext of track 1, 2 or 3: ASCII or packed, with or without sentinels, with or
 * without its LRC, followed only by cipher padding (docs/terminals/common.md#where-a-track-ends).
 *
 * Throws 2601 if the plaintext does not match the grammar to the last byte or the LRC is wrong.
 */
export function readTrack(number: TrackNumber, plain: Uint8Array, options: TrackOptions): Track {
  const first = plain[0] ?? 0;
  if (number === 1 && first === PACKED_PERCENT_B) return readSixBitTrack(plain, options);
  if (number !== 1 && first >> 4 === PACKED_SEMICOLON)
    return readPackedTrack(number, plain, options);
  if (number === 2 && isBarePacked(plain)) return readBarePackedTrack(plain, options);
  if (number === 3 && options.withoutLrc) return readBarePackedTrack3(plain, options);
  return readAsciiTrack(number, plain, options);
}

/** 6-bit `%` and the first bits of `B`. */
const PACKED_PERCENT_B = 0x16;
const PACKED_SEMICOLON = 0xb;
const QUESTION_MARK = 0x3f;

function readAsciiTrack(number: TrackNumber, plain: Uint8Array, options: TrackOptions): Track {
  const name = TRACK_NAMES[number];
  const limit = Math.min(options.length ?? plain.length, plain.length);
  const end = textEnd(plain, limit);
  if (end < MIN_CHARACTERS)
    throw notCardData(name, `no track text at byte ${end} of the plaintext`);
  const lrcEnd = options.length === undefined ? undeclaredEnd(plain, end, options) : limit;
  if (lrcEnd - end > 1 || (lrcEnd > end && plain[end - 1] !== QUESTION_MARK)) {
    throw notCardData(name, `unexpected byte ${end} after the track's end`);
  }
  assertFill(name, plain, lrcEnd, options);
  const text = withSentinels(number, latin1Of(plain.subarray(0, end)));
  if (!text) throw notCardData(name, 'no leading start sentinel, format letter or digit');
  const isBegun = text.charCodeAt(0) === plain[0];
  if (lrcEnd > end) {
    const first = isBegun ? undefined : text.charCodeAt(0);
    assertLrc(number, plain[end] ?? 0, lrcOfBytes(number, plain, end, first), options.evidence);
  }
  const isEnded = plain[end - 1] === QUESTION_MARK;
  const data = weigh(number, text, {filled: plain.length - lrcEnd, isBegun, isEnded}, options);
  return {bytes: lrcEnd === plain.length ? plain : plain.subarray(0, lrcEnd), text, data};
}

/** A track shorter than its two sentinels and a separator carries no data. */
const MIN_CHARACTERS = 3;

/** The index after the first `?`, or of the first byte that may be padding. */
function textEnd(plain: Uint8Array, limit: number): number {
  for (let i = 0; i < limit; i++) {
    const code = plain[i] ?? 0;
    if (code === QUESTION_MARK) return i + 1;
    if (code < 0x20 || code >= 0x80) return i;
  }
  return limit;
}

/** End of a track without a declared length: after the LRC, if there is exactly one. */
function undeclaredEnd(plain: Uint8Array, end: number, {fills}: TrackOptions): number {
  return isFill(plain, end, fills ?? ALL_FILLS) ? end : end + 1;
}

/**
 * Canonical text: those characters of ISO/IEC 7811-6 that represent data, and separators. Test
 * tools write names in lower case, although no magnetic stripe contains it; driving licences use
 * the alphabet of track 1 on track 3.
 */
const TRACK_FORMS: Readonly<Record<TrackNumber, RegExp>> = {
  1: /^%[ -$&->@-_a-z]*\?$/,
  2: /^;[\d=]*\?$/,
  3: /^(?:[;+][\d=]*|%[ -$&->@-_]*)\?$/,
};

const BROKEN_DATA =
  'after its card number: expected a 4-digit expiry, a 3-digit service code, then data';

/**
 * Adds sentinels that the terminal omitted; undefined if the text cannot be the start of a track.
 */
function withSentinels(number: TrackNumber, sent: string): string | undefined {
  const text = sent.endsWith('?') ? sent : `${sent}?`;
  if (number === 1) {
    if (text.startsWith('%')) return text;
    return /^[A-Z]\d/.test(text) ? `%${text}` : undefined;
  }
  if (text.startsWith(';') || (number === 3 && /^[+%]/.test(text))) return text;
  return /^\d/.test(text) ? `;${text}` : undefined;
}

function readPackedTrack(number: TrackNumber, plain: Uint8Array, options: TrackOptions): Track {
  const name = TRACK_NAMES[number];
  const nibbles = unpackNibbles(plain);
  const end = nibbles.indexOf('?') + 1;
  if (end < MIN_CHARACTERS) throw notCardData(name, 'packed track without an end sentinel');
  const text = nibbles.slice(0, end);
  const hasLrc =
    !options.withoutLrc && nibbles[end] === trackLrc(number, text) && nibbles[end] !== undefined;
  const nibblesUsed = end + (hasLrc ? 1 : 0);
  assertNibbleFill(name, plain, nibblesUsed, options);
  if (hasLrc) options.evidence.add('lrc', `LRC of ${name}`, 4);
  return packedTrack(number, text, plain, Math.ceil(nibblesUsed / 2), options);
}

/** A packed track, which is read up to its end sentinel or filler, in the first `used` bytes. */
function packedTrack(
  number: TrackNumber,
  text: string,
  plain: Uint8Array,
  used: number,
  options: TrackOptions,
  isEnded = true,
): Track {
  const ending = {filled: plain.length - used, isEnded, bits: PACKED_BITS};
  return {bytes: plain.slice(0, used), text, data: weigh(number, text, ending, options)};
}

/** As ASCII text, a card number has at least 24 nibbles before its separator. */
function isBarePacked(plain: Uint8Array): boolean {
  const first = plain[0] ?? 0;
  if (first >> 4 > 9 || (first & 15) > 9) return false;
  return /^\d{12,19}=/.test(unpackNibbles(plain.subarray(0, 10)));
}

/** Reads a track packed without sentinels, F-filled: `4111111111111111D2512101..F`. */
function readBarePackedTrack(plain: Uint8Array, options: TrackOptions): Track {
  const nibbles = unpackNibbles(plain);
  const match = /^\d{12,19}=[0-9=]*/.exec(nibbles);
  if (!match) throw notCardData('track 2', 'neither ASCII nor a packed track');
  const text = `;${withoutEnd(withoutZeroFill(match[0]), /=/)}?`;
  const end = text.length - 2;
  const afterFiller = nibbles[end] === '?' ? end + 1 : end;
  assertNibbleFill('track 2', plain, afterFiller, options);
  return packedTrack(2, text, plain, Math.ceil(end / 2), options, afterFiller > end);
}

/** Reads a track 3 packed without sentinels, F-filled. */
function readBarePackedTrack3(plain: Uint8Array, options: TrackOptions): Track {
  const nibbles = unpackNibbles(plain);
  const [digits = ''] = /^[0-9=]+(?=\?*$)/.exec(nibbles) ?? [];
  if (digits === '') throw notCardData('track 3', 'not a packed track without sentinels');
  const {length} = digits;
  const isEnded = length < nibbles.length;
  return packedTrack(3, `;${digits}?`, plain, Math.ceil(length / 2), options, isEnded);
}

/** An even number of digits has no filler, so zero padding looks like more digits. */
function withoutZeroFill(digits: string): string {
  if (digits.length <= MAX_TRACK_CHARS[2]) return digits;
  const end = withoutEnd(digits, /0/).length;
  return digits.slice(0, end + ((digits.length - end) % 2));
}

/** What ISO/IEC 7811-6 keeps from data. A lost block has some. */
const NOT_DATA = /[!"*+:;<=>@_]/;
/** Occurs in names, which end at `^`. */
const IN_NAMES = /[&',]/;

function readSixBitTrack(plain: Uint8Array, options: TrackOptions): Track {
  // One more byte, so that the last bits are not dropped.
  const characters = unpackSixBit(Uint8Array.of(...plain, 0));
  const end = characters.indexOf('?') + 1;
  if (end < MIN_CHARACTERS) throw notCardData('track 1', '6-bit track without an end sentinel');
  const text = characters.slice(0, end);
  const hasLrc = !options.withoutLrc && characters[end] === trackLrc(1, text);
  const bits = (end + (hasLrc ? 1 : 0)) * 6;
  const used = Math.ceil(bits / 8);
  if (
    NOT_DATA.test(text) ||
    IN_NAMES.test(text.split('^').at(-1) ?? '') ||
    !/^ *$/.test(characters.slice(bits / 6)) ||
    !isFill(plain, used, options.fills ?? ALL_FILLS)
  ) {
    throw notCardData('track 1', `byte ${used} is neither track nor padding`);
  }
  if (hasLrc) options.evidence.add('lrc', 'LRC of track 1', 6);
  return packedTrack(1, text, plain, used, options);
}

function assertFill(name: string, plain: Uint8Array, from: number, {fills}: TrackOptions): void {
  if (isFill(plain, from, fills ?? ALL_FILLS)) return;
  throw notCardData(name, `what follows the track at byte ${from} is not padding`);
}

/** The unused half of a byte must be zero, then whole bytes of padding. */
function assertNibbleFill(
  name: string,
  plain: Uint8Array,
  from: number,
  options: TrackOptions,
): void {
  const half = from % 2 === 1 ? (plain[from >> 1] ?? 0) & 15 : 0;
  if (half !== 0 && half !== 15)
    throw notCardData(name, `nibble ${from} is neither track nor padding`);
  assertFill(name, plain, Math.ceil(from / 2), options);
}

function assertLrc(number: TrackNumber, found: number, lrc: number, evidence: Evidence): void {
  if (found !== lrc) throw notCardData(TRACK_NAMES[number], 'its LRC does not match');
  evidence.add('lrc', FACTS[number].lrc, number === 1 ? 6 : 4);
}

/** What the facts are called. */
const FACTS = {1: factsOf('track 1'), 2: factsOf('track 2'), 3: factsOf('track 3')};

function factsOf(track: string) {
  const [grammar, alphabet] = [`grammar of ${track}`, `alphabet of ${track}`];
  return {grammar, alphabet, lrc: `LRC of ${track}`, padding: `padding after ${track}`};
}

/** Bits that one character proves: outside the card number, and as a digit of it. */
interface CharacterBits {
  readonly other: (number: TrackNumber) => number;
  readonly digit: number;
  readonly mark: number;
}

/** Of 256 byte values the alphabet has 95, 16 or 64; 10 are digits, one is the sentinel. */
const ASCII_BITS: CharacterBits = {
  other: (number) => (number === 1 ? 1.4 : number === 2 ? 4 : 2),
  digit: 4.6,
  mark: 8,
};
/** Every nibble is a valid character; 10 of 16 are digits. */
const PACKED_BITS: CharacterBits = {other: () => 0, digit: 0.67, mark: 4};

function weigh(
  number: TrackNumber,
  text: string,
  ending: Omit<Ending, 'fills'> & {readonly bits?: CharacterBits},
  options: TrackOptions,
): TrackData | undefined {
  const {filled, isBegun, isEnded, bits = ASCII_BITS} = ending;
  const {evidence, form = TRACK_FORMS[number], fills = ALL_FILLS, ends, longest} = options;
  const data = number === 1 ? parseTrack1(text) : number === 2 ? parseTrack2(text) : undefined;
  // What is parsed as a track 2 is of its form.
  if (!(data && form === TRACK_FORMS[2]) && !form.test(text))
    throw notCardData(TRACK_NAMES[number], 'a character that is not allowed in a track');
  if (!data && number !== 3 && form === TRACK_FORMS[number] && beginsWithPan(text))
    throw notCardData(TRACK_NAMES[number], BROKEN_DATA);
  const digits = data ? data.pan.length + (data.expiry?.length ?? 0) : 0;
  const marks = data ? 3 : 2;
  const others = Math.max(0, text.length - digits - marks);
  evidence.add(
    'grammar',
    data ? FACTS[number].grammar : FACTS[number].alphabet,
    digits * bits.digit + marks * bits.mark + others * bits.other(number),
  );
  if (filled > 0) evidence.add('padding', FACTS[number].padding, Math.min(filled, 8) * 8 - 2);
  const isStated = ends !== 'inside' || fills.length === 0;
  // Written out: a literal with a spread makes a good read twice as slow.
  const whole = {filled, fills, isBegun, isEnded, isStated, longest};
  if (ends !== 'nowhere') assertWholeTrack(number, text.length - 2, whole, evidence);
  return data;
}
