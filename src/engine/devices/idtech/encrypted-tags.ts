import {PaylensError} from '../../../contract/paylens-error.js';
import type {Mode} from '../../../contract/process-payload.js';
import {latin1Of, upperHexOf} from '../../bytes.js';
import {type CardContent, mergeContent} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {clearBeside, refuseClearPan} from '../../card/clear-tags.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {isFill} from '../../card/fill.js';
import {type CardPlace, placeOf, placesOf} from '../../card/one-card.js';
import {readTrack} from '../../card/track.js';
import {isPan, parseTrack1, parseTrack2} from '../../card/track-data.js';
import {readTrack2Equivalent} from '../../card/track2-equivalent.js';
import {CARD_DATA_SETTING, type EncryptedField, type Reading} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';
import {ksnsIn} from '../ksns-in.js';
import {CLEAR_TAGS, demandOnce} from '../one-read.js';
import {serialTag} from '../serial-tag.js';
import {isBareCipher} from './is-bare-cipher.js';
import {demandMasked, givesCard, isText, maskedTagCopy} from './masked-tags.js';
import {IDTECH_CARD_TAGS, IDTECH_TRACK_TAGS} from './vivopay-tags.js';

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
  demandOneRead(all, encrypted);
  const ksns = ksnsOf(all);
  const [ksn] = ksns;
  const tags = encrypted.map((found) => fieldOf(found, ksn));
  const joined = encrypted.some(({object}) => givesCard(object.tag)) ? [] : joinedField(all, ksn);
  const fields = [...tags, ...joined];
  const serial = serialTag(all);
  const refusal = fields.length > 0 ? undefined : refusalOf(all);
  return {
    form: `${form}, encrypted tags`,
    mode: modeOf(all),
    ...(serial === undefined ? {} : {serial}),
    candidates: alternatives(fields),
    ksns,
    masked: all.flatMap(maskedTagCopy),
    clear: fields.length > 0 ? clearContent(all, encrypted) : {},
    ...(refusal ? {refusal} : {}),
  };
}

/** Whether tags that give a card are encrypted one by one. */
export function holdsEncryptedTags(all: readonly TlvObject[]): boolean {
  return findEncrypted(all).some(({object}) => givesCard(object.tag));
}

/** Objects that are ciphertext, and those that came as their masked copies. */
export function encryptedObjects(all: readonly TlvObject[]): {
  readonly ciphertexts: ReadonlySet<TlvObject>;
  readonly copies: ReadonlySet<TlvObject>;
} {
  const joined = all.filter(({tag, value}) => tag === 'DFEF4D' && !isText(latin1Of(value)));
  const found = findEncrypted(all);
  return {
    ciphertexts: new Set([...joined, ...found.map(({object}) => object)]),
    copies: new Set(found.flatMap(({masked}) => masked ?? [])),
  };
}

function findEncrypted(all: readonly TlvObject[]): EncryptedObject[] {
  const isAugusta = all.some(({tag}) => tag === 'DFEF5B' || tag === 'DFEF5D');
  return all.flatMap((object, i): EncryptedObject[] => {
    if (object.tag === '99' || object.value.length === 0) return [];
    const twin = all[i - 1]?.tag === object.tag ? all[i - 1] : undefined;
    if (object.flag === 'encrypted') {
      return [{object, ...(twin?.flag === 'masked' ? {masked: twin} : {})}];
    }
    if (object.flag || object.value.length % 8 !== 0) return [];
    if (twin && !twin.flag && isCipherOf(object, twin)) return [{object, masked: twin}];
    const copied = isAugusta ? augusta(object, all) : [];
    const isCopy = all[i + 1]?.tag === object.tag;
    return copied.length > 0 || isCopy || !isBareCipher(object) ? copied : [{object}];
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

/** Every tag that is read, once; a tag may stand beside its own masked copy. Throws 2100. */
function demandOneRead(all: readonly TlvObject[], encrypted: readonly EncryptedObject[]): void {
  demandOnce(all, READ_TAGS);
  const plain = all.filter(({flag}) => !flag);
  demandOnce(plain, CLEAR_TAGS);
  const masked = all.filter(
    (object) => object.flag === 'masked' || maskedTagCopy(object).length > 0,
  );
  const ciphers = [...encrypted.map(({object}) => object), ...plain.filter(isBareCipher)];
  for (const objects of [masked, ciphers]) {
    demandOnce(objects, [...new Set(objects.map(({tag}) => tag))]);
  }
}

const READ_TAGS = ['DFEE12', 'FFEE12', 'DFEF4C', 'DFEF4D', 'DFEF5B', 'DFEF5D', '9F1E'];

/** The non-empty ones of DFEE12 and FFEE12, those of DFEE12 first. */
function ksnsOf(all: readonly TlvObject[]): string[] {
  return ['DFEE12', 'FFEE12'].flatMap((tag) => ksnsIn(all, new Set([tag])));
}

function fieldOf({object, masked}: EncryptedObject, ksn: string | undefined): EncryptedField {
  return cipherField(object, ksn, (plain) =>
    openTag(`tag ${object.tag}`, object.tag, plain, masked),
  );
}

function cipherField(
  {tag, offset, headerLength, value}: TlvObject,
  ksn: string | undefined,
  open: EncryptedField['open'],
): EncryptedField {
  const name = `tag ${tag}`;
  if (value.length % 8 !== 0) {
    throw new PaylensError(
      2102,
      `${name} at byte ${offset}: expected whole blocks of 8, found ${value.length} bytes`,
    );
  }
  return {
    name,
    offset: offset + headerLength,
    ciphertext: value,
    ...(ksn === undefined ? {} : {ksn}),
    setting: CARD_DATA_SETTING,
    open,
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
  const [object, ...others] = content.tlv?.[0]?.objects ?? [];
  if (object?.tag !== tag || others.length > 0) {
    throw notCardData(name, `the plaintext is not one object of tag ${tag}`);
  }
  evidence.add('the same tag inside', 4 * tag.length + 4);
  const track = magstripeTrack(object, evidence);
  if (masked && masked.value.length > 0) {
    demandMasked(name, masked, object, {...content, ...track}, evidence);
  }
  evidence.demand(name, 'A masked copy');
  return {
    ...content,
    ...track,
    ...placesIn(tag, track),
    facts: evidence.facts,
    bits: evidence.bits,
  };
}

/** The tracks of magstripe mode come from a chip, which knows one number only. */
function placesIn(tag: string, track: CardContent): Pick<CardContent, 'places'> {
  if (IDTECH_TRACK_TAGS[tag] === undefined) return {};
  return {places: placesOf(track).map((place) => placeOf(`tag ${tag}`, place))};
}

function magstripeTrack({tag, value}: TlvObject, evidence: Evidence): CardContent {
  const number = IDTECH_TRACK_TAGS[tag];
  if (number === undefined || value.length === 0) return {};
  if (number === 1 || isText(latin1Of(value))) {
    return {[`track${number}`]: readTrack(number, value, {length: value.length, evidence})};
  }
  const track2equivalent = readTrack2Equivalent(value);
  if (!track2equivalent) throw notCardData(`tag ${tag}`, 'it is no track 2');
  evidence.add('track 2 equivalent of digits', track2equivalent.text.length * 0.67 + 4);
  return {track2equivalent};
}

/** DFEF4D: tracks 1 to 3 and the PAN as one text, their lengths in DFEF4C. In clear it is none. */
function joinedField(all: readonly TlvObject[], ksn: string | undefined): EncryptedField[] {
  const object = all.find(({tag, value}) => tag === 'DFEF4D' && value.length > 0);
  if (!object || isText(latin1Of(object.value))) return [];
  const lengths = all.find(({tag}) => tag === 'DFEF4C')?.value ?? new Uint8Array();
  if (lengths.length < 4) {
    throw new PaylensError(
      2100,
      `tag DFEF4D at byte ${object.offset}: expected the lengths of its parts in tag DFEF4C`,
    );
  }
  const open = (plain: Uint8Array) => openJoined(plain, [...lengths.subarray(0, 4)]);
  return [cipherField(object, ksn, open)];
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
  return {...content, places: stripesOf(content), facts: evidence.facts, bits: evidence.bits};
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

/** The number beside the tracks is a copy of theirs. */
function stripesOf(content: CardContent): readonly CardPlace[] {
  const places = placesOf(content);
  const stripes = places.filter(({stripe}) => stripe !== undefined);
  return stripes.length > 0 ? stripes : places;
}

/** Clear name, expiry and service code beside the ciphertext count; clear copies of it do not. */
function clearContent(
  all: readonly TlvObject[],
  encrypted: readonly EncryptedObject[],
): CardContent {
  const used = new Set(encrypted.map(({object}) => object.tag));
  return clearBeside(all.filter(({tag}) => !used.has(tag)));
}

/** 9F39 90 or 80 swipe, 91 contactless magstripe mode; 56 or 9F6B alone are magstripe mode, too. */
function modeOf(all: readonly TlvObject[]): Mode {
  const entry = upperHexOf(all.find(({tag}) => tag === '9F39')?.value ?? new Uint8Array());
  if (['90', '80', '91'].includes(entry)) return 'swiped';
  const has = (...tags: string[]) =>
    all.some(({tag, value}) => tags.includes(tag) && value.length > 0);
  const stripe = ['56', '9F6B', ...Object.keys(IDTECH_TRACK_TAGS)];
  return has(...stripe) && !has('57', '5A') ? 'swiped' : 'emv';
}

function refusalOf(all: readonly TlvObject[]): PaylensError {
  return (
    refuseClearPan(all, IDTECH_CARD_TAGS) ??
    new PaylensError(2100, 'the message holds no card data, neither encrypted nor clear')
  );
}
