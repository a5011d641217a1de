import {PaylensError} from '../../../contract/paylens-error.js';
import {isSameBytes} from '../../../platform/bytes.js';
import {isClearCard} from '../../card/is-clear-card.js';
import type {TrackNumber} from '../../card/lrc.js';
import {type MaskedPan, maskedText, maskedTrack} from '../../card/masked-pans.js';
import type {EncryptedField, Reading} from '../../reading.js';
import type {Dictionary} from './dictionary.js';
import type {TrackFormat} from './layout.js';
import {manualField} from './manual.js';
import {
  fitTracks,
  formatsFor,
  type SentTrack,
  splitTracks,
  type TrackSplit,
  trackFields,
  unknownLength,
} from './swipe.js';
import {panWitness, track2Witness} from './witnesses.js';

/**
 * Reads the SDK's dictionary: encrypted tracks, or else keyed entry (docs/formats/wisepad.md#swipe,
 * docs/formats/wisepad.md#manual-entry).
 *
 * Throws 2100 if the tracks have no valid length of the format, or there is no card data.
 */
export function readDecodeData(dictionary: Dictionary): Reading {
  const serial = dictionary.text('serialnumber');
  const common = {
    form: dictionary.form,
    masked: numbersBeside(dictionary),
    ...(serial === undefined ? {} : {serial}),
  };
  if (!ENCRYPTED.some((member) => dictionary.text(member) !== undefined)) {
    throw nothingEncrypted(dictionary);
  }
  const formatId = dictionary.text('formatid');
  const formats = formatsFor(formatId);
  if (!formats) return {...common, candidates: [[]], refusal: closedFormat(formatId)};
  const splits = splitMembers(dictionary, formats);
  return {...common, ...(splits ? readSwipe(dictionary, splits) : readManual(dictionary))};
}

const TRACK_MEMBERS: readonly (readonly [string, TrackNumber])[] = [
  ['enctrack1', 1],
  ['enctrack2', 2],
  ['enctrack3', 3],
];
const ENCRYPTED = ['enctracks', ...TRACK_MEMBERS.map(([member]) => member), 'encpan'];
const CLEAR = ['pan', 'track1', 'track2', 'track3'];

type Found = Omit<Reading, 'form'>;

/** The possible splits of the tracks; undefined if there are none. Throws 2100 if no split fits. */
function splitMembers(
  dictionary: Dictionary,
  formats: readonly TrackFormat[],
): TrackSplit[] | undefined {
  const tracks = TRACK_MEMBERS.flatMap(([member, number]): SentTrack[] => {
    const sent = dictionary.bytes(member);
    return sent ? [{number, ciphertext: sent.bytes, offset: sent.offset}] : [];
  });
  const joined = dictionary.bytes('enctracks');
  if (joined) {
    const {bytes, offset} = joined;
    const splits = splitTracks(bytes, formats, (at) => offset + 2 * at);
    const fitting = splits.flatMap((split) => withSingles(split, tracks));
    if (fitting.length > 0) return fitting;
    throw unknownLength('encTracks', bytes.length, formats);
  }
  const [first] = tracks;
  if (!first) return undefined;
  const splits = fitTracks(tracks, formats);
  if (splits.length > 0) return splits;
  throw unknownLength(`encTrack${first.number}`, first.ciphertext.length, formats);
}

/** The same tracks may be sent again one by one: those that differ are decrypted as well. */
function withSingles(split: TrackSplit, tracks: readonly SentTrack[]): TrackSplit[] {
  const {format, tracks: joined} = split;
  const isCopy = (single: SentTrack) =>
    joined.some(
      ({number, ciphertext}) =>
        number === single.number && isSameBytes(ciphertext, single.ciphertext),
    );
  const singles = tracks.filter((track) => !isCopy(track));
  return fitTracks(singles, [format]).map(() => ({format, tracks: joined, singles}));
}

function readSwipe(dictionary: Dictionary, splits: readonly TrackSplit[]): Found {
  const ksn = dictionary.text('ksn');
  const expiry = dictionary.text('expirydate');
  return {
    mode: 'swiped',
    candidates: splits.map((split) => trackFields(split, ksn)),
    ...(expiry !== undefined && /^\d{4}$/.test(expiry) ? {clear: {expiry}} : {}),
    witnesses: witnessesIn(dictionary, ksn),
  };
}

/** The card numbers beside the ciphertext, whether their digits are hidden or not. */
function numbersBeside(dictionary: Dictionary): MaskedPan[] {
  return [
    ...maskedText('maskedPAN', dictionary.text('maskedpan') ?? ''),
    ...maskedText('pan', dictionary.text('pan') ?? ''),
    ...['track1', 'track2'].flatMap((name) => maskedTrack(name, dictionary.text(name) ?? '')),
  ];
}

/** Further copies of the card, in members that a response does not need. */
function witnessesIn(dictionary: Dictionary, ksn: string | undefined): EncryptedField[] {
  const beside = (name: string) => {
    const found = bytesBeside(dictionary, name.toLowerCase());
    return found ? [{name, ciphertext: found.bytes, offset: found.offset, ksn}] : [];
  };
  return [...beside('encPAN').map(panWitness), ...beside('encTrack2Eq').map(track2Witness)];
}

/** The bytes of a member that no response needs and that may therefore be malformed. */
function bytesBeside(dictionary: Dictionary, member: string) {
  try {
    return dictionary.bytes(member);
  } catch {
    return undefined;
  }
}

function readManual(dictionary: Dictionary): Found {
  return {mode: 'keyed', candidates: [[manualField(dictionary, dictionary.text('ksn'))]]};
}

function closedFormat(formatId = ''): PaylensError {
  const id = /^\w{1,8}$/.test(formatId) ? formatId : 'unknown';
  return new PaylensError(2111, `BBPOS format ID ${id}: only 60 and 54 can be decrypted`);
}

function nothingEncrypted(dictionary: Dictionary): PaylensError {
  const clear = CLEAR.find((member) => isClearCard(dictionary.text(member) ?? ''));
  return clear
    ? new PaylensError(2110, `${clear} contains a cleartext card number, and nothing is encrypted`)
    : new PaylensError(2100, 'expected encTracks, encTrack1 to encTrack3 or encPAN');
}
