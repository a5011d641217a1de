import {hexOf, latin1Of} from '../../platform/bytes.js';
import {ALL_FILLS, type Fill, isFill} from '../cipher/padding.js';
import {flatten, readTlv, type TlvList, type TlvObject} from '../tlv/ber.js';
import {EMV_TAGS, holdsCardData} from '../tlv/tags.js';
import {type CardContent, type CardPlace, trackContent} from './card-content.js';
import {type Evidence, notCardData} from './evidence.js';
import {assertOneCard, placeOf, placesOf} from './one-card.js';
import {assertText, type CheckedText} from './text-members.js';
import {readTrack} from './track.js';
import {isPan} from './track-data.js';
import {
  parseTrack2Equivalent,
  readPackedDigits,
  readTrack2Equivalent,
} from './track2-equivalent.js';
import {assertPadded} from './whole.js';

/**
 * Reads a decrypted TLV list. The list must parse up to its padding, tags with card data must have
 * valid values, and 57 must agree with 5A (docs/terminals/common.md#tags-with-card-data).
 *
 * Throws 2601 if any of this fails.
 */
export function readCardTlv(
  field: string,
  plain: Uint8Array,
  evidence: Evidence,
  fills?: readonly Fill[],
): CardContent {
  const content = readCardList(field, plain, evidence, fills);
  assertOneCardIn(field, content);
  return content;
}

/** Reads a decrypted TLV list as `readCardTlv` does, but accepts tags of different cards. */
export function readCardList(
  field: string,
  plain: Uint8Array,
  evidence: Evidence,
  fills: readonly Fill[] = ALL_FILLS,
): CardContent {
  const {objects, end} = walkPlaintext(field, plain);
  if (objects.length === 0) throw notCardData(field, 'no TLV object in the plaintext');
  if (!isFill(plain, end, fills))
    throw notCardData(field, `byte ${end} is neither TLV nor padding`);
  const bytes = plain.slice(0, end);
  const all = flatten(objects);
  for (const object of all) weighObject(object, evidence);
  assertPadded(field, {filled: plain.length - end, fills}, evidence);
  if (end < plain.length) {
    evidence.add('padding', `padding after ${field}`, Math.min(plain.length - end, 8) * 8 - 2);
  }
  return {tlv: [{bytes, objects}], ...tagContent(field, all, evidence)};
}

/** Throws 2601 if the tags of a list belong to different cards. */
export function assertOneCardIn(field: string, {places = []}: CardContent): void {
  if (places.length < 2) return;
  assertOneCard([{name: field, swipe: field, content: {places}}]);
}

/** Reads the card data from clear objects, whether decrypted or sent beside the ciphertext. */
export function cardContentOf(
  field: string,
  objects: readonly TlvObject[],
  evidence: Evidence,
): CardContent {
  const content = tagContent(field, objects, evidence);
  assertOneCardIn(field, content);
  return content;
}

function tagContent(field: string, objects: readonly TlvObject[], evidence: Evidence): CardContent {
  const contents: CardContent[] = [];
  const places: CardPlace[] = [];
  for (const {tag, value} of objects) {
    if (value.length === 0) continue;
    const content = READERS[tag]?.(value, field) ?? taggedTrack(tag, value, evidence);
    if (!content) continue;
    weighContent(content, evidence);
    contents.push(content);
    places.push(...tagPlaces(tag, content));
  }
  if (contents.flatMap(numbersIn).length > 1) evidence.add('agreement', '57 agrees with 5A', 40);
  return Object.assign({}, ...contents.reverse(), {places});
}

/** Walks a plaintext: here a malformed list means a wrong key, not a malformed payload. */
function walkPlaintext(field: string, plain: Uint8Array): TlvList {
  try {
    return readTlv(plain);
  } catch {
    throw notCardData(field, 'the plaintext does not parse as TLV to its end');
  }
}

const TRACK_TAGS: Readonly<Record<string, 1 | 2 | 3>> = {
  '56': 1,
  '5F21': 1,
  '5F22': 2,
  '5F23': 3,
  DFDB05: 1,
  DFDB06: 2,
};

function taggedTrack(tag: string, value: Uint8Array, evidence: Evidence): CardContent | undefined {
  const number = TRACK_TAGS[tag];
  if (number === undefined) return undefined;
  const track = readTrack(number, value, {length: value.length, evidence});
  return trackContent(number, track);
}

/** Reads a value that is not empty. Throws 2601 if it is invalid for its tag. */
type TagReader = (value: Uint8Array, field: string) => CardContent;

const readTag57: TagReader = (value, field) => {
  const track2equivalent = readTrack2Equivalent(value);
  if (track2equivalent) return {track2equivalent};
  throw notCardData(field, 'tag 57 is not a track 2 equivalent');
};

/** Packed digits (EMV Book 3, Annex A: cn). */
const readPacked =
  (member: 'pan' | 'discretionary', tag: string): TagReader =>
  (value, field) => {
    const digits = readPackedDigits(value);
    if (digits !== undefined) return {[member]: digits};
    throw notCardData(field, `tag ${tag} is not a packed number`);
  };

/** Reads a date of the given number of digits; the response gives its YYMM. */
const readDate =
  (length: 4 | 6): TagReader =>
  (value, field) => {
    const digits = readPackedDigits(value);
    if (digits?.length === length) return {expiry: digits.slice(0, 4)};
    throw notCardData(field, 'expiry is not a date');
  };

const readTag5F30: TagReader = (value, field) => {
  const [, serviceCode] = /^0(\d{3})$/.exec(hexOf(value)) ?? [];
  if (serviceCode !== undefined) return {serviceCode};
  throw notCardData(field, 'tag 5F30 is not a service code');
};

/** Text; that of tag 9F0B is not in the response but must be valid all the same. */
const readText =
  (member: CheckedText): TagReader =>
  (value, field) => {
    const text = latin1Of(value);
    assertText(field, member, text);
    return member === 'extendedName' ? {} : {[member]: text};
  };

const READERS: Readonly<Record<string, TagReader>> = {
  '57': readTag57,
  '9F6B': readTag57,
  '5A': readPacked('pan', '5A'),
  DFDB01: readPacked('pan', '5A'),
  '5F24': readDate(6),
  DFDB03: readDate(4),
  '5F30': readTag5F30,
  '5F20': readText('name'),
  '9F0B': readText('extendedName'),
  '9F20': readPacked('discretionary', '9F20'),
  '9F1F': readText('discretionary'),
  DFDB02: readText('cvv'),
};

/** The positions in one object; the track in tag 56 comes from a chip, not from a stripe. */
function tagPlaces(tag: string, content: CardContent): CardPlace[] {
  return placesOf(content).map(({stripe, pan, expiry}) =>
    placeOf(`tag ${tag}`, {pan, expiry}, tag === '56' ? undefined : stripe),
  );
}

function numbersIn({pan, track2equivalent}: CardContent): string[] {
  const data = track2equivalent && parseTrack2Equivalent(track2equivalent.text);
  return [pan, data?.pan].filter((number) => number !== undefined);
}

/**
 * Weighs a tag: some 150 tags are known among 2^8, 2^16 or 2^24. Of three-byte tags only the five
 * with card data count. A length that is correct for the tag is further evidence.
 */
function weighObject({tag, value, children}: TlvObject, evidence: Evidence): void {
  if (children !== undefined || value.length === 0) return;
  if (tag.length === 6 && holdsCardData(tag)) evidence.add('other', `tag ${tag}`, 18);
  else if (EMV_TAGS[tag] !== undefined) evidence.add('other', `tag ${tag}`, tag.length > 2 ? 9 : 5);
  const [min, max] = TAG_LENGTHS[tag] ?? [0, 0];
  if (value.length < min || value.length > max) return;
  evidence.add('other', `length of tag ${tag}`, 8 - Math.log2(max - min + 1));
}

/** A PAN of 12 to 19 digits, a date, a service code (EMV Book 3, Annex A; VIPA's keyed entry). */
const TAG_LENGTHS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '5A': [6, 10],
  DFDB01: [6, 10],
  '5F24': [3, 3],
  '5F30': [2, 2],
  DFDB03: [2, 2],
};

/**
 * Weighs nibbles that could have any value but are digits, with the separator in the right place.
 */
function weighContent(content: CardContent, evidence: Evidence): void {
  const {pan, track2equivalent, expiry, name} = content;
  const digits = track2equivalent?.text.length;
  if (pan !== undefined && isPan(pan)) evidence.add('grammar', 'PAN of digits', pan.length * 0.67);
  if (expiry !== undefined) evidence.add('other', 'expiry of digits', 4);
  if (name !== undefined) evidence.add('other', 'name of printable characters', name.length * 1.4);
  if (digits) evidence.add('grammar', 'track 2 equivalent of digits', digits * 0.67 + 4);
}
