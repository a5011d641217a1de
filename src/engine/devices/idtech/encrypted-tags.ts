import {PaylensError} from '../../../contract/paylens-error.js';
import type {Mode} from '../../../contract/process-payload.js';
import {latin1Of, upperHexOf} from '../../bytes.js';
import {type CardContent, mergeContent} from '../../card/card-content.js';
import {demandSamePan, readCardTlv} from '../../card/card-tlv.js';
import {clearBeside, findClearPan} from '../../card/clear-tags.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {isFill} from '../../card/fill.js';
import {demandAgreement} from '../../card/masked-copy.js';
import {readTrack} from '../../card/track.js';
import {isPan, parseTrack1, parseTrack2} from '../../card/track-data.js';
import {readTrack2Equivalent} from '../../card/track2-equivalent.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';
import {serialTag} from '../serial-tag.js';
import {IDTECH_TRACK_TAGS} from './vivopay-tags.js';

/** A ciphertext object and the masked copy that came with it. */
interface EncryptedObject {
  readonly object: TlvObject;
  readonly masked?: TlvObject;
}

/**
 * Reads the encrypted tags of a ViVOpay TLV list in the three conventions of ID TECH's readers: A1/C1
 * length flags, the tag sent twice, and Augusta's masked copies in DFEF5B and DFEF5D (formats,
 * idtech.md section 4.2). DFEF4D is used when none of them gives the card.
 */
export function readEncryptedTags(form: string, all: readonly TlvObject[]): Reading {
  const encrypted = findEncrypted(all);
  const ksn = ksnOf(all);
  const tags = encrypted.length > 0 ? encrypted.map((found) => fieldOf(found, ksn)) : [];
  const joined = tags.some((field) => GIVES_CARD.test(field.name)) ? [] : joinedField(all, ksn);
  const fields = joined.length > 0 ? joined : tags;
  const serial = serialTag(all);
  const refusal = fields.length > 0 ? undefined : refusalOf(all);
  return {
    form: `${form}, encrypted tags`,
    mode: modeOf(all),
    ...(serial === undefined ? {} : {serial}),
    candidates: alternatives(fields),
    clear: clearContent(all, encrypted),
    agree: demandSamePan,
    ...(refusal ? {refusal} : {}),
  };
}

const GIVES_CARD = /^tag (?:57|5A|56|9F6B|DFEF17|DFEF18|FFEE13|FFEE14)$/;

function findEncrypted(all: readonly TlvObject[]): EncryptedObject[] {
  const isAugusta = all.some(({tag}) => tag === 'DFEF5B' || tag === 'DFEF5D');
  return all.flatMap((object, i): EncryptedObject[] => {
    if (object.tag === '99' || object.value.length === 0 || object.value.length % 8 !== 0)
      return [];
    const before = all[i - 1];
    const twin = before?.tag === object.tag ? before : undefined;
    if (object.flag === 'encrypted') {
      const masked = twin?.flag === 'masked' ? twin : undefined;
      return [{object, ...(masked ? {masked} : {})}];
    }
    if (object.flag === undefined && twin?.flag === undefined && twin && isCipherOf(object, twin)) {
      return [{object, masked: twin}];
    }
    return isAugusta && !object.flag ? augusta(object, all) : [];
  });
}

/** The second of two objects of one tag: the first as a whole TLV, filled to the block. */
function isCipherOf({value}: TlvObject, {value: masked, tag}: TlvObject): boolean {
  const plain = tag.length / 2 + 1 + masked.length;
  return value.length === Math.ceil(plain / 8) * 8 || value.length === Math.ceil(plain / 16) * 16;
}

function augusta(object: TlvObject, all: readonly TlvObject[]): EncryptedObject[] {
  const copy = {'57': 'DFEF5D', '5A': 'DFEF5B'}[object.tag];
  const masked = copy && all.find(({tag}) => tag === copy);
  return masked ? [{object, masked}] : [];
}

/** The non-empty one of DFEE12 and FFEE12. */
function ksnOf(all: readonly TlvObject[]): string | undefined {
  const found = ['DFEE12', 'FFEE12'].map((name) =>
    all.find(({tag, value}) => tag === name && value.length > 0),
  );
  const ksn = found[0] ?? found[1];
  return ksn && upperHexOf(ksn.value);
}

function fieldOf({object, masked}: EncryptedObject, ksn: string | undefined): EncryptedField {
  const name = `tag ${object.tag}`;
  return {
    name,
    offset: object.offset + object.headerLength,
    ciphertext: object.value,
    ...(ksn === undefined ? {} : {ksn}),
    setting: CARD_DATA_SETTING,
    open: (plain) => openTag(name, object.tag, plain, masked),
  };
}

/** TDES when every ciphertext has whole blocks of 8, AES when of 16, in that order. */
function alternatives(fields: readonly EncryptedField[]): EncryptedField[][] {
  if (fields.length === 0) return [[]];
  const aes = fields.map((field) => ({
    ...field,
    setting: {...field.setting, algorithm: 'aes' as const},
  }));
  return fields.every(({ciphertext}) => ciphertext.length % 16 === 0)
    ? [[...fields], aes]
    : [[...fields]];
}

/** The plaintext is the complete TLV of the same tag. Throws 2601. */
function openTag(name: string, tag: string, plain: Uint8Array, masked?: TlvObject): CardContent {
  const evidence = new Evidence();
  const content = readCardTlv(name, plain, evidence);
  const objects = content.tlv?.[0]?.objects ?? [];
  const [object] = objects;
  if (objects.length !== 1 || object?.tag !== tag) {
    throw notCardData(name, `the plaintext is not one object of tag ${tag}`);
  }
  evidence.add('the same tag inside', 4 * tag.length + 4);
  if (masked && masked.value.length > 0) {
    demandAgreement(name, upperHexOf(masked.value), upperHexOf(object.value), evidence, 'ABCF');
  }
  evidence.demand(name, 'A masked copy');
  return {...content, ...magstripeTrack(object, evidence), facts: evidence.facts};
}

function magstripeTrack({tag, value}: TlvObject, evidence: Evidence): CardContent {
  const number = IDTECH_TRACK_TAGS[tag];
  if (number === undefined || value.length === 0) return {};
  const packed = number === 2 && readTrack2Equivalent(value);
  if (packed) return {track2equivalent: packed};
  return {[`track${number}`]: readTrack(number, value, {length: value.length, evidence})};
}

/** DFEF4D: tracks 1 to 3 and the PAN as one text, their lengths in DFEF4C. */
function joinedField(all: readonly TlvObject[], ksn: string | undefined): EncryptedField[] {
  const lengths = all.find(({tag}) => tag === 'DFEF4C')?.value;
  const object = all.find(({tag, value}) => tag === 'DFEF4D' && value.length > 0);
  if (!object || !lengths || lengths.length < 4) return [];
  if (object.value.length % 8 !== 0) {
    throw new PaylensError(
      2102,
      `tag DFEF4D at byte ${object.offset}: expected whole blocks of 8, found ${object.value.length} bytes`,
    );
  }
  return [
    {
      name: 'tag DFEF4D',
      offset: object.offset + object.headerLength,
      ciphertext: object.value,
      ...(ksn === undefined ? {} : {ksn}),
      setting: CARD_DATA_SETTING,
      open: (plain) => openJoined(plain, [...lengths.subarray(0, 4)]),
    },
  ];
}

function openJoined(plain: Uint8Array, lengths: readonly number[]): CardContent {
  const evidence = new Evidence();
  const parts: CardContent[] = [];
  let at = 0;
  lengths.forEach((length, i) => {
    const slice = plain.subarray(at, at + length);
    at += length;
    if (slice.length < length) throw notCardData('tag DFEF4D', 'it is shorter than DFEF4C says');
    if (length > 0) parts.push(joinedPart(i, slice, evidence));
  });
  if (!isFill(plain, at)) throw notCardData('tag DFEF4D', `byte ${at} is no padding`);
  const content = mergeContent(parts);
  demandJoinedPan(content);
  evidence.demand('tag DFEF4D', 'A track beside the PAN');
  return {...content, facts: evidence.facts};
}

function joinedPart(index: number, slice: Uint8Array, evidence: Evidence): CardContent {
  if (index < 3) {
    const number = (index + 1) as 1 | 2 | 3;
    return {[`track${number}`]: readTrack(number, slice, {length: slice.length, evidence})};
  }
  const pan = latin1Of(slice);
  if (!isPan(pan)) throw notCardData('tag DFEF4D', 'the PAN is not 12 to 19 digits');
  evidence.add('PAN of digits', pan.length * 4.6);
  return {pan};
}

function demandJoinedPan({track1, track2, pan}: CardContent): void {
  const onTrack = (track2 && parseTrack2(track2.text)) ?? (track1 && parseTrack1(track1.text));
  if (pan === undefined || !onTrack || onTrack.pan === pan) return;
  throw notCardData('tag DFEF4D', 'the PAN is not the one of the tracks');
}

/** Clear name, expiry and service code beside the ciphertext count; clear copies of it do not. */
function clearContent(
  all: readonly TlvObject[],
  encrypted: readonly EncryptedObject[],
): CardContent {
  if (encrypted.length === 0) return {};
  const used = new Set(encrypted.map(({object}) => object.tag));
  return clearBeside(all.filter(({tag}) => !used.has(tag)));
}

/** 9F39 90 or 80 swipe, 91 contactless magstripe mode; 56 or 9F6B alone are magstripe mode, too. */
function modeOf(all: readonly TlvObject[]): Mode {
  const entry = upperHexOf(all.find(({tag}) => tag === '9F39')?.value ?? new Uint8Array());
  if (['90', '80', '91'].includes(entry)) return 'swiped';
  const has = (...tags: string[]) =>
    all.some(({tag, value}) => tags.includes(tag) && value.length > 0);
  return has('56', '9F6B', 'DFEF17', 'DFEF18') && !has('57', '5A') ? 'swiped' : 'emv';
}

function refusalOf(all: readonly TlvObject[]): PaylensError {
  const clear = findClearPan(all);
  return clear
    ? new PaylensError(2110, `tag ${clear.tag} at byte ${clear.offset} holds a clear card number`)
    : new PaylensError(2100, 'the message holds no card data, neither encrypted nor clear');
}
