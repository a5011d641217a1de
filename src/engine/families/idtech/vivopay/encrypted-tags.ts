import {PaylensError} from '../../../../contract/paylens-error.js';
import type {Mode} from '../../../../contract/process-payload.js';
import {latin1Of, upperHexOf} from '../../../../platform/bytes.js';
import type {CardContent} from '../../../card/card-content.js';
import {readCardTlv} from '../../../card/card-tlv.js';
import {clearBeside, NO_CARD_DATA, refuseClearPan} from '../../../card/clear-tags.js';
import {type Evidence, notCardData} from '../../../card/evidence.js';
import type {MaskedPan} from '../../../card/masked-pans.js';
import {placeOf, placesOf} from '../../../card/one-card.js';
import {readTrack} from '../../../card/track.js';
import {readTrack2Equivalent} from '../../../card/track2-equivalent.js';
import {assertTagsOnce, CLEAR_TAGS} from '../../../forms/one-read.js';
import {proveContent} from '../../../forms/prove-content.js';
import {ksnsIn} from '../../../forms/tlv/ksns-in.js';
import {serialTag} from '../../../forms/tlv/tag-values.js';
import type {Reading} from '../../../reading.js';
import type {TlvObject} from '../../../tlv/ber.js';
import {underAes} from '../frame/swipe.js';
import {joinedField, joinedSecondaryFields, tagField} from './joined-tracks.js';
import {IDTECH_TRACK_TAGS, VIVOPAY} from './layout.js';
import {
  assertMasked,
  givesCard,
  isBareCipher,
  isText,
  maskedTagCopy,
  shownBeside,
} from './masked-tags.js';

/** A ciphertext object and the masked copy sent with it. */
export interface EncryptedObject {
  readonly object: TlvObject;
  readonly masked?: TlvObject;
}

/**
 * Reads the encrypted tags of a ViVOpay TLV list in the three conventions of ID TECH's readers:
 * A1/C1 length flags, the tag sent twice, and Augusta's masked copies in DFEF5B and DFEF5D
 * (docs/terminals/idtech.md#encrypted-tags). DFEF4D is used if none of these gives the card.
 */
export function readEncryptedTags(
  form: string,
  all: readonly TlvObject[],
  encrypted: readonly EncryptedObject[],
): Reading {
  assertOneSet(all, encrypted);
  const ksns = ksnsOf(all);
  const [ksn] = ksns;
  const tags = encrypted.map(({object, masked}) =>
    tagField(object, ksn, (plain) => openTagValue(object.tag, plain, masked)),
  );
  const isGiven = holdCard(encrypted);
  const fields = isGiven ? tags : [...tags, ...joinedField(all, ksn)];
  const serial = serialTag(all);
  const isWhole = fields.every(({ciphertext}) => ciphertext.length % 16 === 0);
  const used = new Set(encrypted.map(({object}) => object.tag));
  return {
    form: `${form}, encrypted tags`,
    mode: entryModeOf(all),
    ...(serial === undefined ? {} : {serial}),
    // TDES, or AES if every ciphertext is whole blocks of that.
    candidates: fields.length > 0 && isWhole ? [fields, fields.map(underAes)] : [fields],
    ksns,
    masked: copiesBeside(all, encrypted),
    ...(isGiven ? {secondaryFields: joinedSecondaryFields(all, ksn)} : {}),
    ...(fields.length > 0
      ? {clear: clearBeside(all.filter(({tag}) => !used.has(tag)))}
      : {refusal: noCardTags(all)}),
  };
}

/** The card numbers of all objects that are not encrypted. */
export function copiesBeside(
  all: readonly TlvObject[],
  encrypted: readonly EncryptedObject[],
): MaskedPan[] {
  const ciphertexts = new Set(encrypted.map(({object}) => object));
  return all.filter((object) => !ciphertexts.has(object)).flatMap(shownBeside);
}

/** True if one of the encrypted tags gives a card. */
export function holdCard(encrypted: readonly EncryptedObject[]): boolean {
  return encrypted.some(({object}) => givesCard(object.tag));
}

/** The ciphertext objects of a list, each with the object that is its masked copy. */
export function findEncrypted(all: readonly TlvObject[]): EncryptedObject[] {
  const isAugusta = all.some(({tag}) => tag === 'DFEF5B' || tag === 'DFEF5D');
  return all.flatMap((object, i): EncryptedObject[] => {
    if (object.tag === '99' || object.value.length === 0) return [];
    const twin = all[i - 1]?.tag === object.tag ? all[i - 1] : undefined;
    if (object.flag === 'encrypted') {
      return [{object, ...(twin?.flag === 'masked' ? {masked: twin} : {})}];
    }
    if (object.flag || object.value.length % 8 !== 0) return [];
    if (twin && !twin.flag && isCipherOf(object, twin)) return [{object, masked: twin}];
    const copy = isAugusta ? {'57': 'DFEF5D', '5A': 'DFEF5B'}[object.tag] : undefined;
    const masked = copy && all.find(({tag}) => tag === copy);
    if (masked) return [{object, masked}];
    return all[i + 1]?.tag === object.tag || !isBareCipher(object) ? [] : [{object}];
  });
}

/**
 * True for the second of two objects with one tag: the encryption of the first as a whole TLV,
 * padded.
 */
function isCipherOf({value}: TlvObject, {value: masked, tag}: TlvObject): boolean {
  const plain = tag.length / 2 + 1 + masked.length;
  return value.length === Math.ceil(plain / 8) * 8 || value.length === Math.ceil(plain / 16) * 16;
}

/** Every tag that is used may occur once, and once more as its own masked copy. Throws 2100. */
function assertOneSet(all: readonly TlvObject[], encrypted: readonly EncryptedObject[]): void {
  assertTagsOnce(all, READ_TAGS);
  const plain = all.filter(({flag}) => !flag);
  assertTagsOnce(plain, CLEAR_TAGS);
  const masked = all.filter(
    (object) => object.flag === 'masked' || maskedTagCopy(object).length > 0,
  );
  const ciphers = [...encrypted.map(({object}) => object), ...plain.filter(isBareCipher)];
  for (const objects of [masked, ciphers]) {
    assertTagsOnce(objects, new Set(objects.map(({tag}) => tag)));
  }
}

const READ_TAGS = new Set(['DFEE12', 'FFEE12', 'DFEF4C', 'DFEF4D', 'DFEF5B', 'DFEF5D', '9F1E']);

/** The non-empty values of DFEE12 and FFEE12, those of DFEE12 first. */
export function ksnsOf(all: readonly TlvObject[]): string[] {
  return ['DFEE12', 'FFEE12'].flatMap((tag) => ksnsIn(all, new Set([tag])));
}

/** Checks that the plaintext is the complete TLV of the same tag. Throws 2601. */
function openTagValue(tag: string, plain: Uint8Array, masked?: TlvObject): CardContent {
  const name = `tag ${tag}`;
  const read = (evidence: Evidence) => {
    const content = readCardTlv(name, plain, evidence);
    const [object, ...others] = content.tlv?.[0]?.objects ?? [];
    if (object?.tag !== tag || others.length > 0) {
      throw notCardData(name, `the plaintext is not a single object of tag ${tag}`);
    }
    evidence.add('other', 'the same tag inside', 4 * tag.length + 4);
    const track = magstripeTrack(object, evidence);
    const all = Object.assign({}, content, track);
    if (masked && masked.value.length > 0) assertMasked(name, masked, object, all, evidence);
    if (IDTECH_TRACK_TAGS[tag] === undefined) return all;
    // The tracks of magstripe mode come from a chip, which has only one card number.
    return Object.assign(all, {places: placesOf(track).map((place) => placeOf(name, place))});
  };
  return proveContent(name, read, [], 'A masked copy');
}

function magstripeTrack({tag, value}: TlvObject, evidence: Evidence): CardContent {
  const number = IDTECH_TRACK_TAGS[tag];
  if (number === undefined || value.length === 0) return {};
  if (number === 1 || isText(latin1Of(value))) {
    return {[`track${number}`]: readTrack(number, value, {length: value.length, evidence})};
  }
  const track2equivalent = readTrack2Equivalent(value);
  if (!track2equivalent) throw notCardData(`tag ${tag}`, 'it is not a track 2');
  evidence.add('grammar', 'track 2 equivalent of digits', track2equivalent.text.length * 0.67 + 4);
  return {track2equivalent};
}

/**
 * 9F39 90 or 80 is a swipe, 91 contactless magstripe mode; 56, 9F6B or a track without 57 and 5A
 * are swiped as well.
 */
function entryModeOf(all: readonly TlvObject[]): Mode {
  const entry = upperHexOf(all.find(({tag}) => tag === '9F39')?.value ?? new Uint8Array());
  if (['90', '80', '91'].includes(entry)) return 'swiped';
  const has = (...tags: string[]) =>
    all.some(({tag, value}) => tags.includes(tag) && value.length > 0);
  const stripe = ['56', '9F6B', ...Object.keys(IDTECH_TRACK_TAGS)];
  return has(...stripe) && !has('57', '5A') ? 'swiped' : 'emv';
}

function noCardTags(all: readonly TlvObject[]): PaylensError {
  return refuseClearPan(all, VIVOPAY.tags.card) ?? new PaylensError(2100, NO_CARD_DATA);
}
