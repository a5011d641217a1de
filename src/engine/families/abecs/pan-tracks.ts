import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex} from '../../../platform/bytes.js';
import {type CardContent, trackContent, withEvidence} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {isClearTrack} from '../../card/is-clear-card.js';
import type {TrackNumber} from '../../card/lrc.js';
import {assertMaskedPans, type MaskedPan, maskedText} from '../../card/masked-pans.js';
import {placesOf} from '../../card/one-card.js';
import {readTrack} from '../../card/track.js';
import {hasCheckDigit} from '../../card/track-data.js';
import type {Member} from '../../forms/members.js';
import {severalReads} from '../../forms/one-read.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {FORWARDED_FORM, plainName} from '../forwarded/layout.js';
import {hideOpenDigits} from './heads.js';
import {
  clearNumber,
  isDecimal,
  openPanBlock,
  type PanTrack,
  secondFact,
  splitTrack,
} from './pan-block.js';

/** A track and its offset. */
interface PlacedTrack extends PanTrack {
  readonly offset: number;
}

/** Reads the text of one or two tracks. Throws 2100 if it is something else. */
export function readPanText(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const tracks = [...payload.matchAll(/[%;+]?[^?\r\n]+\??/g)].map(({0: text, index}) => {
    const offset = index + text.length - text.trimStart().length;
    return placedTrack(text.trim(), offset);
  });
  for (const track of tracks) noteTrack(track, trace);
  return panReading('track text', tracks, []);
}

/** `track1`, and the names of the fields of CKE and GCR. */
const TRACK_NAME = /^(?:(?:cke|gcr)?trk|track|trilha)([123])(?:data)?$/;

/** Reads the members of a request. Throws 2100 if none is a track with an encrypted number. */
export function readPanMembers(form: string, members: readonly Member[], payload: string): Reading {
  const tracks = members.flatMap(([name, value]): PlacedTrack[] => {
    const [, number] = TRACK_NAME.exec(plainName(name)) ?? [];
    if (number === undefined || value === '' || value === null) return [];
    if (typeof value !== 'string') throw new PaylensError(2100, `${name}: expected a string`);
    const offset = Math.max(0, payload.indexOf(value));
    return [placedTrack(value.trim(), offset, Number(number) as TrackNumber)];
  });
  const masked = members.flatMap(([name, value]) => {
    const isMasked = FORWARDED_FORM.roleOf(name) === 'masked' && typeof value === 'string';
    return isMasked ? maskedText(name, value) : [];
  });
  return panReading(form, tracks, masked);
}

function placedTrack(text: string, offset: number, named?: TrackNumber): PlacedTrack {
  const track = splitTrack(text, named);
  if (track) return {offset, ...track};
  if (isClearTrack(text)) throw clearPanTrack();
  throw new PaylensError(2100, 'expected a track with an encrypted card number before ^ or =', {
    hint: 'Pass the tracks as the PIN pad sends them, or the response to GTK.',
  });
}

function clearPanTrack(): PaylensError {
  return new PaylensError(2110, 'the card number in the track is not encrypted');
}

function noteTrack({head, block, rest, offset}: PlacedTrack, trace: Trace): void {
  const parts = [
    ['track', head, 'before the PAN block', 'harmless'],
    ['PAN block', block, 'last digits of the card number, encrypted', 'opaque'],
    ['track data', rest, 'rest of the track, in cleartext', 'card'],
  ] as const;
  let at = offset;
  for (const [name, value, meaning, sensitivity] of parts) {
    const {length} = value;
    if (length > 0) trace.note({offset: at, length, depth: 0, name, value, meaning, sensitivity});
    at += length;
  }
}

const ADVICE =
  'Pass the working key WKPAN with --key-kind working. If the correct key does not decrypt it, pass a masked card number or the other track as well.';

function panReading(
  form: string,
  tracks: readonly PlacedTrack[],
  masked: readonly MaskedPan[],
): Reading {
  const numbers = tracks.map(({number}) => number);
  const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
  if (twice !== undefined) throw severalReads(`track ${twice}: found twice`);
  if (tracks.length === 0) throw new PaylensError(2100, 'expected track1, track2 or track3');
  const decimal = tracks.filter(isDecimal);
  const isClear = decimal.some((track) => hasCheckDigit(clearNumber(track)));
  return {
    form: `PAN Criptografado, ${form}`,
    masked,
    oneBlock: ADVICE,
    candidates: isClear ? [[]] : [tracks.map((track) => panBlockField(track, masked))],
    agree: (_, each) => assertSecondFact(tracks, each),
    ...(isClear ? {refusal: clearPanTrack()} : {}),
    ...(!isClear && decimal.length > 0 ? {doubt: clearPanTrack()} : {}),
  };
}

function panBlockField(track: PlacedTrack, masked: readonly MaskedPan[]): EncryptedField {
  return {
    name: `track${track.number}`,
    offset: track.offset + track.head.length,
    ciphertext: bytesOfHex(track.block),
    setting: {...CARD_DATA_SETTING, mode: 'ecb'},
    workingModes: ['ecb'],
    singleDes: true,
    open: (plain) => openPanTrack(track, plain, masked),
  };
}

/** One number in thirty has a second fact. */
const FACT_BITS = 5;
/** Four digits of a masked copy. */
const COPY_BITS = 12;

function openPanTrack(
  track: PlacedTrack,
  plain: Uint8Array,
  masked: readonly MaskedPan[],
): CardContent {
  const {number, head, open, rest} = track;
  const evidence = new Evidence();
  const shown = openPanBlock(track, plain, evidence);
  if (isDecimal(track) && !hasCheckDigit(shown.replaceAll(' ', '')))
    throw notCardData(`track ${number}`, 'its card number may be in cleartext');
  const fact = secondFact(shown);
  if (fact !== undefined) evidence.add('other', fact, FACT_BITS);
  const text = head.slice(0, head.length - open.length) + shown + rest;
  const read = readTrack(number, bytesFromLatin1(text), {evidence: new Evidence(), fills: []});
  const content = trackContent(number, read);
  const digits = open.replaceAll(' ', '').length;
  const copies = masked.map((copy) => hideOpenDigits(copy, digits));
  assertMaskedPans(`track${number}`, copies, content, evidence);
  return withEvidence(content, evidence);
}

/**
 * The digits alone are what one wrong key in two thousand gives: a second fact is needed. The same
 * number in two tracks is one only if their blocks differ. Throws 2601.
 */
function assertSecondFact(tracks: readonly PanTrack[], each: readonly CardContent[]): void {
  const [pan, ...others] = each.map((content) => placesOf(content)[0]?.pan);
  if (others.some((other) => other !== pan))
    throw notCardData('tracks', 'their card numbers differ');
  const isTwice = new Set(tracks.map(({block}) => block)).size > 1;
  const facts = each.flatMap((content) => content.facts ?? []);
  const isProven = facts.some(
    ({kind, bits}) => kind === 'other' || (kind === 'masked-copy' && bits >= COPY_BITS),
  );
  if (isTwice || isProven) return;
  throw new PaylensError(2601, 'the card number has only the form of one', {
    hint: 'A masked card number, or the other track of the same card, would prove it.',
  });
}
