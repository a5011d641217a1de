import {type CardContent, mergeContent} from '../../../card/card-content.js';
import {assertOneCardIn, cardContentOf, readCardList} from '../../../card/card-tlv.js';
import {Evidence, notCardData} from '../../../card/evidence.js';
import {assertMaskedPans, type MaskedPan} from '../../../card/masked-pans.js';
import {placesOf} from '../../../card/one-card.js';
import {type Fill, isFill} from '../../../cipher/padding.js';
import type {Opened} from '../../../reading.js';
import {flatten, readTlv, type TlvObject} from '../../../tlv/ber.js';
import {EMV_TAGS} from '../../../tlv/tags.js';
import {type Kind, trackOpener} from '../swipe/open-track.js';
import {swipeFields} from '../swipe/swipe.js';
import {tracksOf} from '../swipe/template.js';
import {TAG} from '../tags.js';

/** What the frame says of its encrypted data. */
export interface DataNotes {
  readonly name: string;
  /** The number of fill bytes; absent: counted fill, or zeros. */
  readonly fill?: number | undefined;
  readonly copies: readonly MaskedPan[];
  readonly kind?: Kind;
}

/**
 * Opens DFDF59: a template of exactly its length, then the fill (docs/terminals/magtek.md#containers).
 * A swipe inside it may be encrypted once more. Throws 2601 if it is not that.
 */
export function openData(plain: Uint8Array, notes: DataNotes): Opened {
  const {name, copies, kind} = notes;
  const evidence = new Evidence();
  const value = templateOf(plain, notes, evidence);
  const content = readCardList(name, value, evidence, []);
  assertOneCardIn(name, content);
  assertMaskedPans(name, copies, content, evidence);
  const all = flatten(content.tlv?.flatMap(({objects}) => objects) ?? []);
  const tracks = enhancedTracks(all, notes);
  for (const fact of tracks.facts ?? []) evidence.add(fact.kind, fact.text, fact.bits);
  evidence.assertEnough(name, 'A masked copy (DFDF4D)');
  const places = [tracks, content].flatMap((one) => [...placesOf(one)]);
  const swipe = all.find(({tag}) => tag === TAG.swipe);
  // Its tracks are under a KSN and an encryption type of their own.
  const within = swipe
    ? swipeFields({kind, ...tracksOf(flatten(swipe.children ?? []))}, copies)
    : [];
  const {facts, bits} = evidence;
  const found = Object.assign({}, content, tracks, {places, facts, bits});
  return within.length > 0 ? {within, ...found} : found;
}

/** The value of the template FC; evidence that it is one: its tag, its length, the fill after it. */
function templateOf(
  plain: Uint8Array,
  {name, fill}: Pick<DataNotes, 'name' | 'fill'>,
  evidence: Evidence,
): Uint8Array {
  const [first] = firstObject(name, plain);
  if (first?.tag !== TAG.plaintext) throw notCardData(name, `expected tag ${TAG.plaintext}`);
  const {value, headerLength} = first;
  const end = headerLength + value.length;
  const left = plain.length - end;
  const fills: readonly Fill[] = fill === undefined ? ['pkcs7', 'zero'] : ['zero'];
  if ((fill !== undefined && fill !== left) || !isFill(plain, end, fills)) {
    throw notCardData(name, `unexpected bytes after tag ${TAG.plaintext}`);
  }
  evidence.add('grammar', `tag ${TAG.plaintext} with its length`, TEMPLATE_BITS);
  if (left > 0) evidence.add('padding', `padding after ${name}`, Math.min(left, 8) * 8 - 2);
  return value;
}

/** One tag of 256, and one length of the few that leave less than a block. */
const TEMPLATE_BITS = 16;

/** A malformed list means a wrong key here, not a malformed payload. */
function firstObject(name: string, plain: Uint8Array): readonly TlvObject[] {
  try {
    return readTlv(plain).objects;
  } catch {
    throw notCardData(name, 'the plaintext does not parse as TLV');
  }
}

const CLEAR_TRACKS: Readonly<Record<string, 1 | 2 | 3>> = {DF41: 1, DF42: 2, DF43: 3};

/** "Enhanced" readers put the tracks themselves into the encrypted data. */
function enhancedTracks(all: readonly TlvObject[], {copies, kind}: DataNotes): CardContent {
  const sent = all.flatMap(({tag, value}) => {
    const number = CLEAR_TRACKS[tag];
    return number !== undefined && value.length > 0 ? [{number, value}] : [];
  });
  const hasSecond = sent.some(({number}) => number === 2);
  if (sent.length === 0) return {};
  return mergeContent(
    sent.map(({number, value}) => {
      const isSecond = number === 1 && hasSecond;
      return trackOpener({number, copies, isSecond}, kind)(value);
    }),
  );
}

/**
 * Opens the selectable data of FF42: name, expiry, service code, discretionary data; what the card
 * lacks is one `*`. Throws 2601 if it is not that.
 */
export function openSelectable(name: string, plain: Uint8Array): CardContent {
  const evidence = new Evidence();
  const bytes = templateOf(plain, {name}, evidence);
  const sent = firstObject(name, bytes);
  for (const {tag} of sent) if (EMV_TAGS[tag]) evidence.add('other', `tag ${tag}`, KNOWN_TAG_BITS);
  const objects = sent.filter(({value}) => value.length !== 1 || value[0] !== ABSENT);
  const months = objects.find(isMonth);
  const whole = objects.filter((object) => !isMonth(object));
  const content = cardContentOf(name, whole, evidence);
  evidence.assertEnough(name, 'More of the selectable tags');
  const expiry = months && monthExpiry(name, months);
  const {facts, bits} = evidence;
  const month =
    expiry === undefined ? {} : {expiry, places: [...placesOf({expiry}), ...placesOf(content)]};
  return Object.assign({}, content, month, {tlv: [{bytes, objects: whole}], facts, bits});
}

const KNOWN_TAG_BITS = 9;
const ABSENT = 0x2a;

/** 5F24 as YYMM, where EMV has YYMMDD. */
function isMonth({tag, value}: TlvObject): boolean {
  return tag === '5F24' && value.length === 2;
}

function monthExpiry(name: string, {value}: TlvObject): string {
  const digits = [...value].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (/^\d{4}$/.test(digits)) return digits;
  throw notCardData(name, 'expiry is not a date');
}
