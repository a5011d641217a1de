import {PaylensError} from '../../../../contract/paylens-error.js';
import type {Mode} from '../../../../contract/process-payload.js';
import {upperHexOf} from '../../../../platform/bytes.js';
import type {CardContent} from '../../../card/card-content.js';
import {clearBeside, refuseClearPan} from '../../../card/clear-tags.js';
import {assertBlocks} from '../../../cipher/block-cipher.js';
import {assertTagsOnce, onlyObject} from '../../../forms/one-read.js';
import {ksnsIn} from '../../../forms/tlv/ksns-in.js';
import {pinsIn} from '../../../forms/tlv/pins-in.js';
import {posEntryMode} from '../../../forms/tlv/pos-entry-mode.js';
import type {EncryptedField, Reading} from '../../../reading.js';
import {flatten, type TlvObject} from '../../../tlv/ber.js';
import {assertKsnLength, settingOfType} from '../settings.js';
import type {Kind} from '../swipe/manual-entry.js';
import {maskedCopies} from '../swipe/open-track.js';
import {maskedTracksOf} from '../swipe/template.js';
import {hexOfTag, MAGTEK, PIN_TAGS, serialOf, TAG} from '../tags.js';
import {openData, openSelectable} from './plaintext.js';

/** The ciphertexts that a format has, with their places. */
type FieldsOf = (all: readonly TlvObject[]) => readonly EncryptedField[];

/**
 * The reading of a container from its objects. Throws 2100 if there is no card data at all or there
 * is more than one read, 2111 for an unsupported encryption type, 2400 for a KSN of another.
 */
export function emvReading(
  form: string,
  objects: readonly TlvObject[],
  fieldsOf: FieldsOf = containerFields,
): Reading {
  const all = flatten(objects);
  assertTagsOnce(all, MAGTEK.once);
  const fields = fieldsOf(all);
  const serial = serialOf(all);
  const refusal = fields.some(({optional}) => !optional) ? undefined : refusalOf(all);
  return {
    form,
    mode: modeOf(all),
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
function refusalOf(all: readonly TlvObject[]): PaylensError {
  const refusal = refuseClearPan(all, CLEAR_CARD_TAGS);
  if (refusal) return refusal;
  throw new PaylensError(2100, `expected tag ${TAG.data}, found none in ${all.length} objects`);
}

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
  const name = `tag ${TAG.data}`;
  const copies = maskedCopies(maskedTracksOf(all));
  const fill = onlyObject(all, TAG.fill)?.value[0];
  const notes = {name, fill, copies, kind: kindOf(all)};
  return {
    ...cipherOf(data, all, {ksn: TAG.dataKsn, type: TAG.dataType}),
    open: (plain) => openData(plain, notes),
  };
}

function selectableField(data: TlvObject, all: readonly TlvObject[]): EncryptedField {
  const name = `tag ${TAG.selectableData}`;
  return {
    ...cipherOf(data, all, {ksn: TAG.selectableKsn, type: TAG.selectableType}),
    optional: true,
    open: (plain) => openSelectable(name, plain),
  };
}

interface KeyTags {
  readonly ksn: string;
  readonly type: string;
}

/** Where a ciphertext stands, its KSN, and the key that its encryption type names. */
export function cipherOf(
  {tag, value, offset, headerLength}: TlvObject,
  all: readonly TlvObject[],
  tags: KeyTags,
): Omit<EncryptedField, 'open'> {
  const name = `tag ${tag}`;
  const ksn = hexOfTag(all, tags.ksn);
  const setting = settingOfType(
    onlyObject(all, tags.type)?.value[0] ?? USUAL_TYPE,
    `tag ${tags.type}`,
  );
  assertKsnLength(setting, ksn, `tag ${tags.ksn}`);
  assertBlocks(`${name} at byte ${offset}`, value, setting.algorithm === 'aes' ? 16 : 8);
  return {
    ...{name, offset: offset + headerLength, ciphertext: value, setting},
    ...(ksn === '' ? {} : {ksn}),
  };
}

/** The data variant, where no encryption type is sent. */
const USUAL_TYPE = 0x80;

const MANUAL = '03';

function kindOf(all: readonly TlvObject[]): Kind | undefined {
  const type = hexOfTag(all, TAG.cardType);
  return type === '' ? undefined : type === MANUAL ? 'keyed' : 'swiped';
}

const SWIPED_TYPES = new Set(['01', '02', '07', '08']);

function modeOf(outer: readonly TlvObject[]): (content: CardContent) => Mode {
  const type = upperHexOf(outer.find(({tag}) => tag === TAG.cardType)?.value ?? new Uint8Array());
  return (content) => {
    if (type === MANUAL || content.keyed) return 'keyed';
    if (SWIPED_TYPES.has(type)) return 'swiped';
    if (type !== '') return 'emv';
    if (content.track1 || content.track2) return 'swiped';
    return posEntryMode(content.tlv?.flatMap(({objects}) => flatten(objects)) ?? [], outer);
  };
}
