import {PaylensError} from '../../../../contract/paylens-error.js';
import {latin1Of} from '../../../../platform/bytes.js';
import {type CardContent, mergeContent} from '../../../card/card-content.js';
import {type Evidence, notCardData} from '../../../card/evidence.js';
import {placesOf} from '../../../card/one-card.js';
import {readTrack} from '../../../card/track.js';
import {isPan, parseTrack1, parseTrack2} from '../../../card/track-data.js';
import {assertBlocks} from '../../../cipher/block-cipher.js';
import {isFill} from '../../../cipher/padding.js';
import {proveContent} from '../../../forms/prove-content.js';
import {CARD_DATA_SETTING, type EncryptedField} from '../../../reading.js';
import type {TlvObject} from '../../../tlv/ber.js';
import {underAes} from '../frame/swipe.js';
import {isText} from './masked-tags.js';

/** An encrypted tag as a field to decrypt. Throws 2102 if it is not whole blocks. */
export function tagField(
  {tag, offset, headerLength, value}: TlvObject,
  ksn: string | undefined,
  open: EncryptedField['open'],
): EncryptedField {
  const name = `tag ${tag}`;
  const where = `${name} at byte ${offset}`;
  if (value.length > 0) assertBlocks(where, value, 8, {fault: {kind: 'tag', tag}});
  const at = offset + headerLength;
  return {name, offset: at, ciphertext: value, ksn, setting: CARD_DATA_SETTING, open};
}

/**
 * DFEF4D: tracks 1 to 3 and the PAN as one text, with their lengths in DFEF4C; undefined if it is
 * clear. Throws 2100 without its lengths, 2102 if it is not whole blocks.
 */
export function joinedField(all: readonly TlvObject[], ksn: string | undefined): EncryptedField[] {
  const {object, lengths} = joinedObject(all);
  if (!object || isText(latin1Of(object.value))) return [];
  if (lengths.length < PARTS) {
    const detail = `tag DFEF4D at byte ${object.offset}: expected the lengths of its parts in tag DFEF4C`;
    throw new PaylensError(2100, detail);
  }
  return [tagField(object, ksn, (plain) => openJoined(plain, [...lengths.subarray(0, PARTS)]))];
}

/** DFEF4D under either cipher, to check tags that give the card. */
export function joinedSecondaryFields(
  all: readonly TlvObject[],
  ksn: string | undefined,
): EncryptedField[] {
  const {object, lengths} = joinedObject(all);
  if (!object || lengths.length < PARTS || object.value.length % 8 !== 0) return [];
  return joinedField(all, ksn).flatMap((field) => [field, underAes(field)]);
}

/** Tracks 1 to 3 and the PAN. */
const PARTS = 4;

function joinedObject(all: readonly TlvObject[]) {
  const object = all.find(({tag, value}) => tag === 'DFEF4D' && value.length > 0);
  return {object, lengths: all.find(({tag}) => tag === 'DFEF4C')?.value ?? new Uint8Array()};
}

function openJoined(plain: Uint8Array, lengths: readonly number[]): CardContent {
  const read = (evidence: Evidence) => {
    const parts: CardContent[] = [];
    let at = 0;
    lengths.forEach((length, i) => {
      const slice = plain.subarray(at, at + length);
      at += length;
      if (length > 0) parts.push(joinedPart(i, slice, evidence));
    });
    if (!isFill(plain, at)) throw notCardData('tag DFEF4D', `no padding from byte ${at} on`);
    const content = mergeContent(parts);
    const {track1, track2, pan} = content;
    const onTrack = (track2 && parseTrack2(track2.text)) ?? (track1 && parseTrack1(track1.text));
    if (pan !== undefined && onTrack && onTrack.pan !== pan)
      throw notCardData('tag DFEF4D', 'the PAN differs from that of the tracks');
    // The separate PAN is a copy of that on the tracks.
    const places = placesOf(content);
    const stripes = places.filter(({stripe}) => stripe !== undefined);
    return Object.assign(content, {places: stripes.length > 0 ? stripes : places});
  };
  return proveContent('tag DFEF4D', read, [], 'A track beside the PAN');
}

function joinedPart(index: number, slice: Uint8Array, evidence: Evidence): CardContent {
  if (index < 3) {
    const number = (index + 1) as 1 | 2 | 3;
    return {[`track${number}`]: readTrack(number, slice, {length: slice.length, evidence})};
  }
  const pan = latin1Of(slice);
  if (!isPan(pan)) throw notCardData('tag DFEF4D', 'the PAN is not 12 to 19 digits');
  evidence.add('grammar', 'PAN of digits', pan.length * 4.6);
  return {pan};
}
