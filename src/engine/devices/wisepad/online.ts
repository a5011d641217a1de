import {latin1Of, upperHexOf} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {clearBeside, numbersBeside} from '../../card/clear-tags.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {demandMaskedPans, type MaskedPan} from '../../card/masked-pans.js';
import {readFilledTrack2Equivalent} from '../../card/track2-equivalent.js';
import {demandBlocks} from '../../cipher/block-cipher.js';
import {isFill} from '../../cipher/padding.js';
import {
  CARD_DATA_SETTING,
  type CipherSetting,
  type EncryptedField,
  type Reading,
} from '../../reading.js';
import {flatten, type TlvObject} from '../../tlv/ber.js';
import {ksnsIn} from '../shared/ksns-in.js';
import {demandOneForm} from '../shared/one-form.js';
import {CLEAR_TAGS, demandOnce, severalReads} from '../shared/one-read.js';
import {pinsIn} from '../shared/pins-in.js';
import {posEntryMode} from '../shared/pos-entry-mode.js';
import {
  DSPREAD_PIN,
  DSPREAD_SETTINGS,
  DSPREAD_WORKING_MODES,
  ENCRYPTED_PAN,
  KSN_TAGS,
  MASKED_PAN_TAGS,
  MESSAGES,
  PIN,
  SERIAL_TAG,
  TRACK_2_EQUIVALENT,
} from './layout.js';
import type {Maker, Told} from './makers.js';
import {panWitness} from './witnesses.js';

/**
 * Reads the TLV list of `onRequestOnlineProcess`: the online message C2 (or C5, C6) and the track 2
 * equivalent C8, each under its own KSN (docs/formats/wisepad.md#emv).
 *
 * Throws 2102 if a ciphertext is not whole blocks.
 */
export function readOnline(objects: readonly TlvObject[], maker: Told): Reading {
  const all = flatten(objects);
  demandOneForm(all, 'BBPOS');
  demandOneMessage(all);
  const copies = copiesIn(all);
  const message = MESSAGES.find(({tag}) => find(all, tag));
  const serial = serialIn(all);
  const fields = [
    ...(message ? [fieldOf(all, message, (plain) => openMessage(message.tag, plain, copies))] : []),
    ...(find(all, TRACK_2_EQUIVALENT.tag)
      ? [fieldOf(all, TRACK_2_EQUIVALENT, (plain) => openTrack2Equivalent(plain, copies))]
      : []),
  ];
  return {
    form: 'EMV TLV',
    ...(serial === undefined ? {serialInside: message !== undefined} : {serial}),
    // The entry mode inside the message takes precedence over the one beside it.
    mode: ({tlv = []}) => posEntryMode(flatten(tlv.flatMap(({objects}) => objects)), all),
    candidates: maker === 'BBPOS' ? [fields] : DSPREAD_SETTINGS.map((one) => under(one, fields)),
    clear: clearBeside(all),
    clearExpiryMayDiffer: true,
    masked: copies,
    witnesses: encryptedPan(all),
    ksns: ksnsIn(maker === 'DSpread' ? all.filter(({tag}) => tag !== 'C7') : all, KSN_TAGS),
    pins: pinsIn(all, maker === 'DSpread' ? DSPREAD_PIN : PIN),
  };
}

/** Of clear 57 and 5A, only those with hidden digits: some terminals send a placeholder there. */
function copiesIn(all: readonly TlvObject[]): MaskedPan[] {
  const own = all.filter(({tag}) => MASKED_PAN_TAGS.has(tag));
  const others = all.filter(({tag}) => !MASKED_PAN_TAGS.has(tag));
  return [
    ...numbersBeside(own, {packed: MASKED_PAN_TAGS}),
    ...numbersBeside(others).filter(({pan}) => !/^\d{12,19}\*?$/.test(pan)),
  ];
}

/**
 * Every tag that is used may occur once; online, batch and reversal messages come in separate
 * callbacks. Throws 2100.
 */
function demandOneMessage(all: readonly TlvObject[]): void {
  demandOnce(all, READ_TAGS);
  const [first, other] = MESSAGES.flatMap(({tag}) => find(all, tag) ?? []);
  if (!first || !other) return;
  throw severalReads(
    `tag ${first.tag} at ${first.offset} and tag ${other.tag} at ${other.offset}: two messages`,
  );
}

const READ_TAGS = new Set([
  ...[...MESSAGES, TRACK_2_EQUIVALENT].flatMap(({tag, ksn}) => [tag, ksn]),
  ...MASKED_PAN_TAGS,
  ENCRYPTED_PAN.tag,
  SERIAL_TAG,
  ...CLEAR_TAGS,
]);

/** C9, under the KSN of the online message. */
function encryptedPan(all: readonly TlvObject[]): EncryptedField[] {
  const object = find(all, ENCRYPTED_PAN.tag);
  const ksn = find(all, ENCRYPTED_PAN.ksn);
  if (!object || !ksn) return [];
  const {value: ciphertext, offset, headerLength} = object;
  const place = {name: `tag ${object.tag}`, ciphertext, offset: offset + headerLength};
  return [panWitness({...place, ksn: upperHexOf(ksn.value)})];
}

/** True if the list contains a message that this reader decrypts. */
export function isOnline(objects: readonly TlvObject[]): boolean {
  const all = flatten(objects);
  return [...MESSAGES, TRACK_2_EQUIVALENT].some(({tag}) => find(all, tag));
}

function find(all: readonly TlvObject[], wanted: string): TlvObject | undefined {
  return all.find(({tag, value}) => tag === wanted && value.length > 0);
}

function fieldOf(
  all: readonly TlvObject[],
  tags: {tag: string; ksn: string},
  open: EncryptedField['open'],
): EncryptedField {
  const object = find(all, tags.tag);
  const ciphertext = object?.value ?? new Uint8Array();
  const offset = object ? object.offset + object.headerLength : 0;
  demandBlocks(`tag ${tags.tag} at byte ${object?.offset}`, ciphertext);
  const ksn = find(all, tags.ksn);
  return {
    name: `tag ${tags.tag}`,
    offset,
    ciphertext,
    setting: CARD_DATA_SETTING,
    ...(ksn ? {ksn: upperHexOf(ksn.value)} : {}),
    open,
  };
}

/** The fields as a DSpread reader encrypts them. */
function under(setting: CipherSetting, fields: readonly EncryptedField[]): EncryptedField[] {
  return fields.map((field) => ({...field, setting, workingModes: DSPREAD_WORKING_MODES}));
}

function openMessage(tag: string, plain: Uint8Array, copies: readonly MaskedPan[]): CardContent {
  const evidence = new Evidence();
  const name = `tag ${tag}`;
  const content = readCardTlv(name, plain, evidence);
  demandMaskedPans(name, copies, content, evidence);
  evidence.demand(name, 'A masked PAN (C4)');
  const serial = serialIn(flatten(content.tlv?.[0]?.objects ?? []));
  return {
    ...content,
    ...(serial === undefined ? {} : {serial}),
    facts: evidence.facts,
    bits: evidence.bits,
    maker: makerOfFill(plain, content),
  };
}

/** BBPOS pads with PKCS #7, even an aligned message; DSpread with zeros, or not at all. */
function makerOfFill(plain: Uint8Array, {tlv: [list] = []}: CardContent): Maker {
  const end = list?.bytes.length ?? 0;
  return isFill(plain, end, ['zero']) ? 'DSpread' : 'BBPOS';
}

function openTrack2Equivalent(plain: Uint8Array, copies: readonly MaskedPan[]): CardContent {
  const evidence = new Evidence();
  const track2equivalent = readFilledTrack2Equivalent(plain, evidence);
  if (!track2equivalent)
    throw notCardData('tag C8', 'expected a track 2 equivalent and its padding');
  const content = {track2equivalent};
  demandMaskedPans('tag C8', copies, content, evidence);
  evidence.demand('tag C8', 'A masked PAN (C4)');
  return {...content, facts: evidence.facts, bits: evidence.bits};
}

function serialIn(all: readonly TlvObject[]): string | undefined {
  const text = latin1Of(find(all, SERIAL_TAG)?.value ?? new Uint8Array()).trim();
  return /^[\x21-\x7e]{1,32}$/.test(text) ? text : undefined;
}
