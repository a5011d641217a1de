import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, isSameBytes, upperHexOf} from '../../../platform/bytes.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import type {CardContent} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {isClearCard} from '../../card/is-clear-card.js';
import type {TrackNumber} from '../../card/lrc.js';
import {type MaskedPan, maskedText, maskedTrack} from '../../card/masked-pans.js';
import {readTrack} from '../../card/track.js';
import type {EncryptedField, PinBlock, Reading} from '../../reading.js';
import type {Dictionary} from './dictionary.js';
import type {TrackFormat} from './layout.js';
import type {Maker} from './makers.js';
import {manualField} from './manual.js';
import {DICTIONARY_MEMBERS} from './members.js';
import {secondaryPan, secondaryTrack2} from './secondary-fields.js';
import {
  type EncryptedTrack,
  fitTracks,
  formatsFor,
  splitTracks,
  type TrackSplit,
  trackFields,
  unknownLength,
} from './swipe.js';

/**
 * Reads the SDK's dictionary: encrypted tracks, or else keyed entry (docs/terminals/wisepad.md#swipe,
 * docs/terminals/wisepad.md#manual-entry, docs/terminals/dspread.md#swipe).
 *
 * Throws 2100 if the tracks have no valid length of the format, or there is no card data, 2110 if
 * they are in cleartext.
 */
export function readDecodeData(dictionary: Dictionary): Reading {
  const common = {
    form: dictionary.form,
    masked: shownNumbers(dictionary),
    serial: dictionary.text('serialnumber'),
  };
  if (dictionary.maker === 'DSpread') return Object.assign(common, readDspread(dictionary));
  if (!ENCRYPTED_MEMBERS.some((member) => dictionary.text(member) !== undefined)) {
    throw noEncryptedMember(dictionary);
  }
  const formatId = dictionary.text('formatid');
  const formats = formatsFor(formatId);
  if (!formats) return {...common, candidates: [[]], refusal: closedFormat('BBPOS', formatId)};
  const splits = splitMembers(dictionary, formats);
  const found = splits ? readSwipe(dictionary, splits) : readKeyedDictionary(dictionary);
  return Object.assign(common, found);
}

const TRACK_MEMBERS: readonly (readonly [string, TrackNumber])[] = [
  ['enctrack1', 1],
  ['enctrack2', 2],
  ['enctrack3', 3],
];
const ENCRYPTED_TRACKS = ['enctracks', ...TRACK_MEMBERS.map(([member]) => member)];
const ENCRYPTED_MEMBERS = [...ENCRYPTED_TRACKS, 'encpan'];
const CLEAR = ['pan', 'track1', 'track2', 'track3'];

type DictionaryReading = Omit<Reading, 'form'>;

/** The possible splits of the tracks; undefined if there are none. Throws 2100 if no split fits. */
function splitMembers(
  dictionary: Dictionary,
  formats: readonly TrackFormat[],
): TrackSplit[] | undefined {
  const tracks = TRACK_MEMBERS.flatMap(([member, number]): EncryptedTrack[] => {
    const sent = dictionary.bytes(member);
    return sent ? [{number, ciphertext: sent.bytes, offset: sent.offset}] : [];
  });
  const joined = dictionary.bytes('enctracks');
  if (joined && !repeatsSome(joined.bytes, tracks)) {
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

/** True if the joined tracks are some of those sent one by one, as DSpread's readers repeat them. */
function repeatsSome(joined: Uint8Array, tracks: readonly EncryptedTrack[]): boolean {
  const all = tracks.map(({ciphertext}) => upperHexOf(ciphertext));
  const subsets = [all.slice(1), all.slice(0, -1), ...all.map((one) => [one])];
  return all.length > 1 && subsets.some((some) => some.join('') === upperHexOf(joined));
}

/** The same tracks may be sent again one by one: those that differ are decrypted as well. */
function withSingles(split: TrackSplit, tracks: readonly EncryptedTrack[]): TrackSplit[] {
  const {format, tracks: joined} = split;
  const isCopy = (single: EncryptedTrack) =>
    joined.some(
      ({number, ciphertext}) =>
        number === single.number && isSameBytes(ciphertext, single.ciphertext),
    );
  const singles = tracks.filter((track) => !isCopy(track));
  return fitTracks(singles, [format]).map(() => ({format, tracks: joined, singles}));
}

/** Ignores all but the tracks: `encPAN`, and the PIN block with its KSN. */
function readDspread(dictionary: Dictionary): DictionaryReading {
  const {formatId} = dictionary;
  const isClosed = dictionary.text('trackblock') !== undefined;
  const formats = formatsFor(formatId ?? '30');
  if (isClosed || !formats) return {candidates: [[]], refusal: closedFormat('DSpread', formatId)};
  const clear = refuseClearTrack(dictionary);
  if (clear) return {candidates: [[]], refusal: clear};
  const splits = splitMembers(dictionary, formats);
  if (!splits) throw noEncryptedMember(dictionary);
  const {secondaryFields: _, tracksMayDiffer: _blank, ...found} = readSwipe(dictionary, splits);
  const pins = pinBlocks(dictionary);
  const agree = (content: CardContent) => assertClearFacts(dictionary, content);
  return Object.assign(found, {pins, agree});
}

function pinBlocks(dictionary: Dictionary): PinBlock[] {
  const block = unlessThrown(() => dictionary.bytes('pinblock'));
  const ksn = dictionary.text('pinksn');
  if (!block) return [];
  const {bytes: ciphertext, offset} = block;
  return [{name: 'pinBlock', offset, ciphertext, ...(ksn === undefined ? {} : {ksn})}];
}

/** `EncryptType` PLAINTEXT: the error (2110) for a track in place of a ciphertext. */
function refuseClearTrack(dictionary: Dictionary): PaylensError | undefined {
  const clear = ENCRYPTED_TRACKS.find((member) => isTrackInClear(dictionary.text(member) ?? ''));
  return clear === undefined
    ? undefined
    : new PaylensError(2110, `${DICTIONARY_MEMBERS[clear]?.name} contains a cleartext card number`);
}

function isTrackInClear(text: string): boolean {
  if (isClearCard(text)) return true;
  const digits = text.replaceAll(/\s/g, '');
  const bytes = bytesFromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
  if (!bytes) return false;
  const track = (number: TrackNumber) =>
    unlessThrown(() => readTrack(number, bytes, {evidence: new Evidence()}));
  return ([1, 2] as const).some((number) => track(number)?.data !== undefined);
}

/** Lengths and service code that the dictionary repeats in cleartext. Throws 2601. */
function assertClearFacts(dictionary: Dictionary, {track1, track2, track3}: CardContent): void {
  const serviceCode = dictionary.text('servicecode') ?? '';
  for (const [i, track] of [track1, track2, track3].entries()) {
    if (!track) continue;
    const name = `track ${i + 1}`;
    const length = dictionary.text(`track${i + 1}length`);
    // The sentinels do not count.
    assertSame(`${name}, its length`, length, track.text.length - 2);
    const own = track.data?.serviceCode;
    if (own !== undefined) assertSame(`${name}, its service code`, serviceCode, own);
  }
}

function assertSame(what: string, stated = '', found: string | number): void {
  if (!/^\d+$/.test(stated) || Number(stated) === Number(found)) return;
  throw notCardData(what, 'the dictionary states another');
}

function readSwipe(dictionary: Dictionary, splits: readonly TrackSplit[]): DictionaryReading {
  const {ksn} = dictionary;
  return {
    mode: 'swiped',
    candidates: splits.map((split) => trackFields(split, ksn)),
    tracksMayDiffer: true,
    ...clearExpiry(dictionary),
    secondaryFields: secondaryFieldsIn(dictionary, ksn),
  };
}

function clearExpiry(dictionary: Dictionary): Pick<Reading, 'clear'> {
  const expiry = dictionary.text('expirydate');
  return expiry !== undefined && /^\d{4}$/.test(expiry) ? {clear: {expiry}} : {};
}

/** The unencrypted card numbers, masked or not. */
function shownNumbers(dictionary: Dictionary): MaskedPan[] {
  const shown = {name: dictionary.text('cardholdername')};
  const masked = maskedText('maskedPAN', dictionary.text('maskedpan') ?? '');
  return [
    ...masked.map((copy) => ({shown, ...copy})),
    ...maskedText('pan', dictionary.text('pan') ?? ''),
    ...['track1', 'track2'].flatMap((name) => maskedTrack(name, dictionary.text(name) ?? '')),
  ];
}

/** Further copies of the card, in members that a response does not need: they may be malformed. */
function secondaryFieldsIn(dictionary: Dictionary, ksn: string | undefined): EncryptedField[] {
  const beside = (name: string) => {
    const found = unlessThrown(() => dictionary.bytes(name.toLowerCase()));
    return found ? [{name, ciphertext: found.bytes, offset: found.offset, ksn}] : [];
  };
  return [...beside('encPAN').map(secondaryPan), ...beside('encTrack2Eq').map(secondaryTrack2)];
}

function readKeyedDictionary(dictionary: Dictionary): DictionaryReading {
  const field = manualField(dictionary, dictionary.ksn);
  return {mode: 'keyed', candidates: [[field]], ...clearExpiry(dictionary)};
}

function closedFormat(maker: Maker, formatId = ''): PaylensError {
  const id = /^\w{1,8}$/.test(formatId) ? formatId : 'unknown';
  const open = maker === 'BBPOS' ? '60 and 54' : '30';
  return new PaylensError(2111, `${maker} format ID ${id}: only ${open} can be decrypted`);
}

function noEncryptedMember(dictionary: Dictionary): PaylensError {
  const clear = CLEAR.find((member) => isClearCard(dictionary.text(member) ?? ''));
  return clear
    ? new PaylensError(2110, `${clear} contains a cleartext card number, and nothing is encrypted`)
    : new PaylensError(2100, 'expected encTracks, encTrack1 to encTrack3 or encPAN');
}
