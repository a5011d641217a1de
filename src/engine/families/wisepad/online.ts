import {latin1Of, upperHexOf} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {type Evidence, notCardData} from '../../card/evidence.js';
import type {MaskedPan} from '../../card/masked-pans.js';
import {readFilledTrack2Equivalent} from '../../card/track2-equivalent.js';
import {isFill} from '../../cipher/padding.js';
import {severalReads} from '../../forms/one-read.js';
import {posEntryMode} from '../../forms/tlv/pos-entry-mode.js';
import {cipherField, type ReadPlain, readTlvForm, type TlvForm} from '../../forms/tlv/tlv-form.js';
import type {CipherSetting, EncryptedField, Reading} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import {
  DSPREAD,
  DSPREAD_SETTINGS,
  DSPREAD_WORKING_MODES,
  ENCRYPTED_PAN,
  ONLINE_MESSAGES,
  SERIAL_TAG,
  TRACK_2_EQUIVALENT,
  WISEPAD,
} from './layout.js';
import type {Maker, MakerHint} from './makers.js';
import {secondaryPan} from './secondary-fields.js';

/** The tags of a maker's list; those of BBPOS where both are possible. */
export function tagsOfMaker(maker: MakerHint): TlvForm {
  return maker === 'DSpread' ? DSPREAD : WISEPAD;
}

/**
 * Reads the TLV list of `onRequestOnlineProcess`: the online message C2 (or C5, C6) and the track 2
 * equivalent C8, each under its own KSN (docs/terminals/wisepad.md#emv).
 *
 * Throws 2102 if a ciphertext is not whole blocks.
 */
export function readOnline(objects: readonly TlvObject[], maker: MakerHint): Reading {
  const {all, extras} = readTlvForm(tagsOfMaker(maker), objects);
  const messages = ONLINE_MESSAGES.filter(({tag}) => objectWith(all, tag));
  assertOneMessage(messages.map(({tag}) => objectWith(all, tag)));
  const masked = extras.masked.filter(isMaskedCopy);
  const serial = onlineSerial(all);
  const fields = [
    ...messages.flatMap((tags) => fieldWith(all, tags, readMessagePlain, masked)),
    ...fieldWith(all, TRACK_2_EQUIVALENT, readEquivalentPlain, masked),
  ];
  return {
    form: 'EMV TLV',
    ...(serial === undefined ? {serialInside: messages.length > 0} : {serial}),
    // The entry mode inside the message takes precedence over the clear one.
    mode: ({tlv = []}) => posEntryMode(flatten(tlv.flatMap(({objects}) => objects)), all),
    candidates: maker === 'BBPOS' ? [fields] : DSPREAD_SETTINGS.map((one) => under(one, fields)),
    ...{...extras, masked, clearExpiryMayDiffer: true},
    secondaryFields: encryptedPan(all),
  };
}

/** Of clear 57 and 5A, only those with hidden digits: some terminals send a placeholder there. */
function isMaskedCopy({name, pan}: MaskedPan): boolean {
  return WISEPAD.tags.masked.has(name.replace('tag ', '')) || !/^\d{12,19}\*?$/.test(pan);
}

/** Online, batch and reversal messages come in separate callbacks. Throws 2100 if there are two. */
function assertOneMessage([first, other]: readonly (TlvObject | undefined)[]): void {
  if (!first || !other) return;
  throw severalReads(
    `tag ${first.tag} at ${first.offset} and tag ${other.tag} at ${other.offset}: two messages`,
  );
}

/** C9, under the KSN of the online message. */
function encryptedPan(all: readonly TlvObject[]): EncryptedField[] {
  const object = objectWith(all, ENCRYPTED_PAN.tag);
  const ksn = objectWith(all, ENCRYPTED_PAN.ksn);
  if (!object || !ksn) return [];
  const offset = object.offset + object.headerLength;
  const place = {name: `tag ${object.tag}`, ciphertext: object.value, offset};
  return [secondaryPan({ksn: upperHexOf(ksn.value), ...place})];
}

/** True if the list contains a message that this reader decrypts. */
export function isOnline(objects: readonly TlvObject[]): boolean {
  const all = flatten(objects);
  return [...ONLINE_MESSAGES, TRACK_2_EQUIVALENT].some(({tag}) => objectWith(all, tag));
}

/** The object of a tag that has a value. */
function objectWith(all: readonly TlvObject[], wanted: string): TlvObject | undefined {
  return all.find(({tag, value}) => tag === wanted && value.length > 0);
}

function fieldWith(
  all: readonly TlvObject[],
  tags: {readonly tag: string; readonly ksn: string},
  read: ReadPlain,
  copies: readonly MaskedPan[],
): EncryptedField[] {
  const object = objectWith(all, tags.tag);
  if (!object) return [];
  const ksn = objectWith(all, tags.ksn);
  return [cipherField({object, ksn}, read, {copies, missing: 'A masked PAN (C4)'})];
}

/** The fields as a DSpread reader encrypts them. */
function under(setting: CipherSetting, fields: readonly EncryptedField[]): EncryptedField[] {
  return fields.map((field) =>
    Object.assign({}, field, {setting, workingModes: DSPREAD_WORKING_MODES}),
  );
}

function readMessagePlain(name: string, plain: Uint8Array, evidence: Evidence): CardContent {
  const content = readCardTlv(name, plain, evidence);
  const serial = onlineSerial(flatten(content.tlv?.[0]?.objects ?? []));
  // BBPOS pads with PKCS #7, even an aligned message; DSpread with zeros, or not at all.
  const isZeros = isFill(plain, content.tlv?.[0]?.bytes.length ?? 0, ['zero']);
  const maker: Maker = isZeros ? 'DSpread' : 'BBPOS';
  return Object.assign({}, content, serial === undefined ? {} : {serial}, {maker});
}

function readEquivalentPlain(name: string, plain: Uint8Array, evidence: Evidence): CardContent {
  const track2equivalent = readFilledTrack2Equivalent(plain, evidence);
  if (track2equivalent) return {track2equivalent};
  throw notCardData(name, 'expected a track 2 equivalent and its padding');
}

function onlineSerial(all: readonly TlvObject[]): string | undefined {
  const text = latin1Of(objectWith(all, SERIAL_TAG)?.value ?? new Uint8Array()).trim();
  return /^[\x21-\x7e]{1,32}$/.test(text) ? text : undefined;
}
