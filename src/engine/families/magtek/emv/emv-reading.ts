import type {Mode} from '../../../../contract/process-payload.js';
import type {CardContent} from '../../../card/card-content.js';
import {clearBeside} from '../../../card/clear-tags.js';
import {assertBlocks, blockSizeOf} from '../../../cipher/block-cipher.js';
import {assertTagsOnce, onlyObject} from '../../../forms/one-read.js';
import {ksnsIn} from '../../../forms/tlv/ksns-in.js';
import {pinsIn} from '../../../forms/tlv/pins-in.js';
import {posEntryMode} from '../../../forms/tlv/pos-entry-mode.js';
import {noCipher} from '../../../forms/tlv/tlv-form.js';
import type {EncryptedField, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import {assertKsnScheme, settingOfType} from '../settings.js';
import {maskedCopies} from '../swipe/open-track.js';
import {kindOfCardType, maskedTracksOf} from '../swipe/template.js';
import {hexOfTag, MAGTEK, PIN_TAGS, readSerial, TAG} from '../tags.js';
import {openData, openSelectable} from './plaintext.js';

/**
 * The reading of a container from its objects; `fieldsOf`: the ciphertexts of its format. Throws 2100
 * if there is no card data at all or there is more than one read, 2111 for an unsupported encryption
 * type, 2400 for a KSN of another.
 */
export function emvReading(
  form: string,
  objects: readonly TlvObject[],
  fieldsOf: (all: readonly TlvObject[]) => readonly EncryptedField[] = containerFields,
): Reading {
  const all = flatten(objects);
  assertTagsOnce(all, MAGTEK.once);
  const fields = fieldsOf(all);
  const serial = readSerial(all);
  const hasData = fields.some(({optional}) => !optional);
  const refusal = hasData ? undefined : noCipher(MAGTEK, all, CLEAR_CARD_TAGS);
  return {
    form,
    mode: containerMode(all),
    ...(serial === undefined ? {} : {serial}),
    candidates: [fields],
    clear: clearBeside(all),
    masked: maskedCopies(maskedTracksOf(all)),
    ksns: ksnsIn(all, MAGTEK.notes.kinds?.ksn ?? new Set()),
    pins: pinsIn(all, PIN_TAGS),
    ...(refusal ? {refusal} : {}),
  };
}

/** Readers without keys send the card in clear tags. */
const CLEAR_CARD_TAGS: ReadonlySet<string> = new Set(['DF41', 'DF42', 'DFDF4A', ...TAG.tracks]);

/** The fields of DFDF59 and FF42. */
function containerFields(all: readonly TlvObject[]): EncryptedField[] {
  const data = onlyObject(all, TAG.data);
  const selectable = onlyObject(all, TAG.selectableData);
  return [
    ...(data ? [dataField(data, all)] : []),
    ...(selectable ? [selectableField(selectable, all)] : []),
  ];
}

function dataField(data: TlvObject, all: readonly TlvObject[]): EncryptedField {
  const type = hexOfTag(all, TAG.cardType);
  const notes = {
    name: `tag ${TAG.data}`,
    fill: onlyObject(all, TAG.fill)?.value[0],
    copies: maskedCopies(maskedTracksOf(all)),
    ...(type === '' ? {} : {kind: kindOfCardType(type)}),
  };
  const terms = cipherTerms(data, all, {ksn: TAG.dataKsn, type: TAG.dataType});
  return {open: (plain) => openData(plain, notes), ...terms};
}

function selectableField(data: TlvObject, all: readonly TlvObject[]): EncryptedField {
  const terms = cipherTerms(data, all, {ksn: TAG.selectableKsn, type: TAG.selectableType});
  return {optional: true, open: (plain) => openSelectable(terms.name, plain), ...terms};
}

/** The data variant, where no encryption type is sent. */
const USUAL_TYPE = 0x80;

/** A ciphertext, its KSN in one tag, and the key that the encryption type in another names. */
export function cipherTerms(
  {tag, value, offset, headerLength}: TlvObject,
  all: readonly TlvObject[],
  tags: {readonly ksn: string; readonly type: string},
): Omit<EncryptedField, 'open'> {
  const name = `tag ${tag}`;
  const ksn = hexOfTag(all, tags.ksn);
  const type = onlyObject(all, tags.type)?.value[0] ?? USUAL_TYPE;
  const setting = settingOfType(type, `tag ${tags.type}`);
  assertKsnScheme(setting.algorithm, ksn, `tag ${tags.ksn}`);
  assertBlocks(`${name} at byte ${offset}`, value, blockSizeOf(setting.algorithm));
  return {
    name,
    offset: offset + headerLength,
    ciphertext: value,
    setting,
    ...(ksn === '' ? {} : {ksn}),
  };
}

const SWIPED_TYPES = new Set(['01', '02', '07', '08']);

function containerMode(outer: readonly TlvObject[]): (content: CardContent) => Mode {
  const type = hexOfTag(outer, TAG.cardType);
  return (content) => {
    if (content.keyed || kindOfCardType(type) === 'keyed') return 'keyed';
    if (SWIPED_TYPES.has(type)) return 'swiped';
    if (type !== '') return 'emv';
    if (content.track1 || content.track2) return 'swiped';
    return posEntryMode(content.tlv?.flatMap(({objects}) => flatten(objects)) ?? [], outer);
  };
}
