import {PaylensError} from '../../../contract/paylens-error.js';
import type {CardContent} from '../../card/card-content.js';
import {Evidence, type Fact} from '../../card/evidence.js';
import type {TrackNumber} from '../../card/lrc.js';
import {readTrack} from '../../card/track.js';
import type {Track} from '../../card/track-data.js';
import type {EncryptedField} from '../../reading.js';
import {
  ANY_FORMAT,
  DSPREAD_FORMATS,
  TRACK_FORMATS,
  TRACK_SETS,
  type TrackFormat,
} from './layout.js';
import type {Maker} from './makers.js';

/** One encrypted track of a read. */
export interface EncryptedTrack {
  readonly number: TrackNumber;
  readonly ciphertext: Uint8Array;
  /** In units of the trace. */
  readonly offset: number;
}

/** One interpretation of a read: the format, and so which bytes are which track. */
export interface TrackSplit {
  readonly format: TrackFormat;
  readonly tracks: readonly EncryptedTrack[];
  /** Tracks in separate members in addition to those. */
  readonly singles?: readonly EncryptedTrack[];
}

/** The format named by the terminal, or all that can be decrypted; undefined: a closed one. */
export function formatsFor(formatId: string | undefined): readonly TrackFormat[] | undefined {
  if (formatId === undefined) return ANY_FORMAT;
  const named = [...TRACK_FORMATS, ...DSPREAD_FORMATS].filter(({id}) => id === formatId);
  return named.length > 0 ? named : undefined;
}

/** Splits `joined` into tracks by each possible format; none if no length fits. */
export function splitTracks(
  joined: Uint8Array,
  formats: readonly TrackFormat[],
  offsetOf: (byte: number) => number,
): TrackSplit[] {
  return formats.flatMap((format) => {
    let at = 0;
    const tracks = trackSet(joined.length, format)?.map(([number, length]) => {
      const start = at;
      at += length;
      return {number, ciphertext: joined.subarray(start, at), offset: offsetOf(start)};
    });
    return tracks ? [{format, tracks}] : [];
  });
}

/** Tracks sent one by one, under each format that fits all their lengths. */
export function fitTracks(
  tracks: readonly EncryptedTrack[],
  formats: readonly TrackFormat[],
): TrackSplit[] {
  return formats
    .filter((format) =>
      tracks.every(
        ({number, ciphertext: {length}}) =>
          length === format.bytes[number] || (number === 2 && length === format.singleTrack2Bytes),
      ),
    )
    .map((format) => ({format, tracks}));
}

/**
 * The encrypted fields of one split, each with its own CBC chain
 * (docs/terminals/wisepad.md#format-id).
 */
export function trackFields(split: TrackSplit, ksn?: string): EncryptedField[] {
  const {format, tracks, singles = []} = split;
  const isProven = tracks.some(({number}) => number !== 3);
  const fieldOf = ({number, ciphertext, offset}: EncryptedTrack): EncryptedField => ({
    name: `track ${number}`,
    offset,
    ciphertext,
    setting: format.setting,
    ...(format.workingModes ? {workingModes: format.workingModes} : {}),
    ...(ksn === undefined ? {} : {ksn}),
    open: (plain) => openBbposTrack(number, plain, format, isProven),
  });
  const beside = singles.map((track) => ({swipe: 'singles', ...fieldOf(track)}));
  return [...tracks.map(fieldOf), ...beside];
}

/** The numbers and lengths of tracks that are this long together. */
function trackSet(length: number, format: TrackFormat): [TrackNumber, number][] | undefined {
  const {bytes, singleTrack2Bytes} = format;
  const fit = TRACK_SETS.find(
    (set) => set.reduce((sum, number) => sum + bytes[number], 0) === length,
  );
  if (fit) return fit.map((number) => [number, bytes[number]]);
  return length === singleTrack2Bytes ? [[2, length]] : undefined;
}

const EMPTY_TRACK_3: Fact = {kind: 'other', text: 'track 3 is empty', bits: 0};

/** Track 3 need not prove the key if another track of the same read does: `isProven`. */
function openBbposTrack(
  number: TrackNumber,
  plain: Uint8Array,
  format: TrackFormat,
  isProven: boolean,
): CardContent {
  const evidence = new Evidence();
  if (number === 3 && isEmpty(plain, format)) return {facts: [EMPTY_TRACK_3]};
  const track = readTrack(number, plain, {evidence, withoutLrc: format.withoutLrc});
  if (number !== 3 || !isProven)
    evidence.assertEnough(`track ${number}`, 'Another track of the card');
  if (number === 3 && track.text.length < MIN_TRACK_3_CHARS) return {facts: [EMPTY_TRACK_3]};
  const maker = makerOfTrack(track, evidence);
  return {[`track${number}`]: track, facts: evidence.facts, bits: evidence.bits, maker};
}

function isEmpty(plain: Uint8Array, {withoutLrc}: TrackFormat): boolean {
  return [0x00, ...(withoutLrc ? [0xff] : [])].some((fill) => plain.every((byte) => byte === fill));
}

/** DSpread's tracks are packed, with 6 bits a character or without sentinels, and have no LRC. */
function makerOfTrack({bytes, text}: Track, {facts}: Evidence): Maker {
  const isPacked = bytes.length < text.length - 2;
  const hasSentinel = (bytes[0] ?? 0) >> 4 === SEMICOLON_NIBBLE;
  const hasLrc = facts.some(({kind}) => kind === 'lrc');
  return isPacked && !hasSentinel && !hasLrc ? 'DSpread' : 'BBPOS';
}

const SEMICOLON_NIBBLE = 0xb;

/** BBPOS's own decryption tool treats a shorter track 3 as absent. */
const MIN_TRACK_3_CHARS = 13;

/** The error (2100) for encrypted tracks whose length fits no format. */
export function unknownLength(
  name: string,
  length: number,
  formats: readonly TrackFormat[] = TRACK_FORMATS,
): PaylensError {
  const lengths = formats.map(({id, bytes}) => `${Object.values(bytes).join(', ')} (format ${id})`);
  const detail = `${name}: expected tracks of ${lengths.join(' or ')} bytes, found ${length} bytes`;
  return new PaylensError(2100, detail);
}
