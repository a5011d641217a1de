import type {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, isLatin1} from '../../../platform/bytes.js';
import type {CardContent, CardPlace} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import type {TrackNumber} from '../../card/lrc.js';
import {placeOf} from '../../card/one-card.js';
import {isPan, type Track, trackDataOf} from '../../card/track-data.js';
import {ALL_FILLS, type Fill, isFill} from '../../cipher/padding.js';
import {readBareTrack} from '../shared/bare-track.js';
import {allOf, childOf, type Node, onlyText, readJson, readXml} from './document.js';
import type {Name} from './layout.js';

const FIELD = 'card data';
const UTF8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

/**
 * Reads the plaintext of an envelope: one element of XML or object of JSON with the card, and its
 * padding (docs/formats/nexo.md#plaintext). Throws 2601 if it is anything else.
 */
export function openCard(plain: Uint8Array, fills: readonly Fill[] = ALL_FILLS): CardContent {
  const end = endOf(plain, fills);
  const card = documentOf(plain.subarray(0, end));
  const evidence = new Evidence();
  evidence.add('walk', 'the document is well-formed to its end', 48);
  const pan = panOf(card);
  const tracks = tracksOf(card, evidence);
  const expiry = expiryOf(card);
  if (pan !== undefined) evidence.add('grammar', 'PAN of digits', pan.length * 4);
  evidence.demand(FIELD, 'A card number');
  const bytes = plain.slice(0, end);
  const isKeyed = Object.keys(tracks).length === 0 && pan !== undefined;
  const text = (name: Name) => onlyText(card, name, contradiction);
  return {
    ...tracks,
    ...(isKeyed ? {keyed: {bytes, text: [pan, expiry].filter(Boolean).join('='), pan}} : {}),
    ...(pan === undefined || isKeyed ? {} : {pan}),
    ...(expiry === undefined ? {} : {expiry}),
    ...put('serviceCode', text('serviceCode')),
    ...put('name', text('holder')),
    ...put('cvv', text('securityCode')),
    places: placesIn(tracks, pan, expiry),
    facts: evidence.facts,
    bits: evidence.bits,
  };
}

function put<M extends 'serviceCode' | 'name' | 'cvv'>(member: M, text: string | undefined) {
  return text === undefined ? {} : {[member]: text};
}

function contradiction(why: string): PaylensError {
  return notCardData(FIELD, why);
}

const CLOSING = [0x3e, 0x7d];

/** After the last `>` or `}`, if what follows is padding. */
function endOf(plain: Uint8Array, fills: readonly Fill[]): number {
  const first = plain.find((byte) => byte > 0x20 && byte < 0x80);
  if (first !== 0x3c && first !== 0x7b) throw notCardData(FIELD, 'expected XML or JSON');
  const last = Math.max(...CLOSING.map((byte) => plain.lastIndexOf(byte))) + 1;
  if (last > 0 && isFill(plain, last, fills)) return last;
  throw notCardData(FIELD, `byte ${last} is neither XML, JSON nor padding`);
}

function documentOf(bytes: Uint8Array): Node {
  try {
    const text = UTF8.decode(bytes).trim();
    return text.startsWith('<') ? readXml(text) : readJson(text);
  } catch {
    throw notCardData(FIELD, 'expected well-formed XML or JSON');
  }
}

function panOf(card: Node): string | undefined {
  const pan = onlyText(card, 'pan', contradiction)?.replaceAll(' ', '');
  if (pan === undefined || isPan(pan)) return pan;
  throw notCardData(FIELD, 'PAN: expected 12 to 19 digits');
}

type Tracks = Pick<CardContent, 'track1' | 'track2' | 'track3'>;

function tracksOf(card: Node, evidence: Evidence): Tracks {
  const track1 = trackOf(card, 1, evidence);
  const track2 = trackOf(card, 2, evidence);
  const track3 = trackOf(card, 3, evidence);
  return {...(track1 && {track1}), ...(track2 && {track2}), ...(track3 && {track3})};
}

/** In an element of its own, or in one that says its number; without a number it is track 2. */
function trackOf(card: Node, number: TrackNumber, evidence: Evidence): Track | undefined {
  const numbered = allOf(card, 'track').filter(
    (track) => Number(childOf(track, 'trackNumber')?.text || 2) === number,
  );
  const values = [
    ...allOf(card, `track${number}`),
    ...numbered.flatMap((track) => allOf(track, 'trackValue')),
  ].map(({text}) => text);
  const [value, ...others] = new Set(values.filter((text) => text !== ''));
  if (value === undefined) return undefined;
  if (others.length > 0 || !isLatin1(value))
    throw notCardData(FIELD, `track ${number}: expected one value`);
  return readBareTrack(number, bytesFromLatin1(value), evidence);
}

/** YYMM; of a date with a century, hyphens or a day (docs/formats/nexo.md#plaintext). */
function expiryOf(card: Node): string | undefined {
  const [node] = allOf(card, 'expiry');
  if (!node) return undefined;
  const text =
    node.children.length > 0 ? monthAndYear(node) : onlyText(card, 'expiry', contradiction);
  if (text === undefined) return undefined;
  const found = FORMS.map((form) => form.exec(text)?.[1])
    .find(Boolean)
    ?.replace('-', '');
  if (found !== undefined) return found;
  throw notCardData(FIELD, 'expiry: expected a year and a month');
}

/** With hyphens, with a day, with a century; then YYMM with or without a day. */
const FORMS = [
  /^\d\d(\d\d-\d\d)(?:-\d\d)?$/,
  /^\d\d(\d{4})\d\d$/,
  /^\d\d(?!0[1-9]|1[0-2])(\d\d(?:0[1-9]|1[0-2]))$/,
  /^(\d{4})(?:\d\d)?$/,
];

function monthAndYear({children}: Node): string {
  const part = (name: string) => children.find((child) => child.name === name)?.text ?? '';
  return part('year').slice(-2) + part('month').padStart(2, '0');
}

function placesIn({track1, track2}: Tracks, pan?: string, expiry?: string): CardPlace[] {
  return [
    ...(track2 ? [placeOf('track 2', trackDataOf(2, track2))] : []),
    ...(track1 ? [placeOf('track 1', trackDataOf(1, track1))] : []),
    ...(pan === undefined ? [] : [placeOf('PAN', {pan})]),
    ...(expiry === undefined ? [] : [placeOf('expiry date', {expiry})]),
  ];
}
