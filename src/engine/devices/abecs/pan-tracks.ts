import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1} from '../../../platform/bytes.js';
import {type CardContent, trackContent} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {isClearTrack} from '../../card/is-clear-card.js';
import type {TrackNumber} from '../../card/lrc.js';
import {demandMaskedPans, type MaskedPan, maskedText} from '../../card/masked-pans.js';
import {placesOf} from '../../card/one-card.js';
import {readTrack} from '../../card/track.js';
import {hasCheckDigit} from '../../card/track-data.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {plainName, roleOf} from '../forwarded/layout.js';
import type {Member} from '../forwarded/members.js';
import {severalReads} from '../shared/one-read.js';
import {hiding} from './heads.js';
import {
  clearNumber,
  isDecimal,
  openBlock,
  type PanTrack,
  secondFact,
  splitTrack,
} from './pan-block.js';

/** A track and where it begins. */
interface Sent extends PanTrack {
  readonly offset: number;
}

/** Reads the text of one or two tracks. Throws 2100 if it is something else. */
export function readPanText(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const tracks = [...payload.matchAll(/[%;+]?[^?\r\n]+\??/g)].map(({0: text, index}) => {
    const offset = index + text.length - text.trimStart().length;
    return sentOf(text.trim(), offset);
  });
  for (const track of tracks) noteTrack(track, trace);
  return readingOf('track text', tracks, []);
}

/** Reads the members of a request. Throws 2100 if none is a track with an encrypted number. */
export function readPanMembers(form: string, members: readonly Member[], payload: string): Reading {
  const tracks = members.flatMap(([name, value]): Sent[] => {
    const [, number] = TRACK_NAME.exec(plainName(name)) ?? [];
    if (number === undefined || value === '' || value === null) return [];
    if (typeof value !== 'string') throw new PaylensError(2100, `${name}: expected a string`);
    const offset = Math.max(0, payload.indexOf(value));
    return [sentOf(value.trim(), offset, Number(number) as TrackNumber)];
  });
  const masked = members.flatMap(([name, value]) =>
    roleOf(name) === 'masked' && typeof value === 'string' ? maskedText(name, value) : [],
  );
  return readingOf(form, tracks, masked);
}

/** `track1`, and the names of the fields of CKE and GCR. */
const TRACK_NAME = /^(?:(?:cke|gcr)?trk|track|trilha)([123])(?:data)?$/;

function sentOf(text: string, offset: number, named?: TrackNumber): Sent {
  const track = splitTrack(text, named);
  if (track) return {...track, offset};
  if (isClearTrack(text)) throw clearTrack();
  throw new PaylensError(2100, 'expected a track with an encrypted card number before ^ or =', {
    hint: 'Pass the tracks as the PIN pad sends them, or the response to GTK.',
  });
}

function clearTrack(): PaylensError {
  return new PaylensError(2110, 'the card number in the track is not encrypted');
}

function noteTrack({head, block, rest, offset}: Sent, trace: Trace): void {
  if (head !== '')
    trace.note({
      offset,
      length: head.length,
      depth: 0,
      name: 'track',
      value: head,
      meaning: 'before the PAN block',
      sensitivity: 'harmless',
    });
  const at = offset + head.length;
  trace.note({
    offset: at,
    length: 16,
    depth: 0,
    name: 'PAN block',
    value: block,
    meaning: 'last digits of the card number, encrypted',
    sensitivity: 'opaque',
  });
  trace.note({
    offset: at + 16,
    length: rest.length,
    depth: 0,
    name: 'track data',
    value: rest,
    meaning: 'rest of the track, in cleartext',
    sensitivity: 'card',
  });
}

function readingOf(form: string, tracks: readonly Sent[], masked: readonly MaskedPan[]): Reading {
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
    candidates: isClear ? [[]] : [tracks.map((track) => fieldOf(track, masked))],
    agree: (_, each) => demandProof(tracks, each),
    ...(isClear ? {refusal: clearTrack()} : {}),
    ...(!isClear && decimal.length > 0 ? {doubt: clearTrack()} : {}),
  };
}

const ADVICE =
  'Pass the working key WKPAN with --key-kind working. If the correct key does not decrypt it, pass a masked card number or the other track as well.';

const SETTING = {...CARD_DATA_SETTING, mode: 'ecb'} as const;

function fieldOf(track: Sent, masked: readonly MaskedPan[]): EncryptedField {
  return {
    name: `track${track.number}`,
    offset: track.offset + track.head.length,
    ciphertext: bytesFromHex(track.block) ?? new Uint8Array(),
    setting: SETTING,
    workingModes: ['ecb'],
    singleDes: true,
    open: (plain) => openTrack(track, plain, masked),
  };
}

function openTrack(track: Sent, plain: Uint8Array, masked: readonly MaskedPan[]): CardContent {
  const {number, head, open, rest} = track;
  const evidence = new Evidence();
  const shown = openBlock(track, plain, evidence);
  if (isDecimal(track) && !hasCheckDigit(shown.replaceAll(' ', '')))
    throw notCardData(`track ${number}`, 'its card number may be in cleartext');
  const fact = secondFact(shown);
  if (fact !== undefined) evidence.add('other', fact, FACT_BITS);
  const text = head.slice(0, head.length - open.length) + shown + rest;
  const read = readTrack(number, bytesFromLatin1(text), {evidence: new Evidence(), fills: []});
  const content = trackContent(number, read);
  const digits = open.replaceAll(' ', '').length;
  const copies = masked.map((copy) => hiding(copy, digits));
  demandMaskedPans(`track${number}`, copies, content, evidence);
  return {...content, facts: evidence.facts, bits: evidence.bits};
}

/** One number in thirty has one of these facts. */
const FACT_BITS = 5;
/** Four digits of a masked copy. */
const COPY_BITS = 12;

/**
 * The digits alone are what one wrong key in two thousand gives: a second fact is needed. The same
 * number in two tracks is one only if their blocks differ. Throws 2601.
 */
function demandProof(tracks: readonly PanTrack[], each: readonly CardContent[]): void {
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
