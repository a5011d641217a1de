import {latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {withoutEnd} from '../../../platform/without-end.js';
import {onlyObject, severalReads} from '../../forms/one-read.js';
import {bodyOf, readTlvBody} from '../../forms/tlv/tlv-body.js';
import {tlvForm} from '../../forms/tlv/tlv-form.js';
import type {TlvObject} from '../../tlv/ber.js';
import type {NoteOptions} from '../../tlv/note-tlv.js';
import type {Trace} from '../../trace.js';

/** MagTek's tags that readers and writers use (docs/terminals/magtek.md#tags). */
export const TAG = {
  container: 'F9',
  arqc: 'FD',
  batch: 'FE',
  transaction: 'FA',
  encrypted: 'F8',
  swipe: 'F4',
  plaintext: 'FC',
  serial: 'DFDF25',
  maskedTrack2: 'DFDF4D',
  cardType: 'DFDF52',
  tracks: ['DFDF37', 'DFDF39', 'DFDF3B'],
  swipeKsn: 'DFDF50',
  swipeType: 'DFDF51',
  macKsn: 'DFDF54',
  macType: 'DFDF55',
  dataKsn: 'DFDF56',
  dataType: 'DFDF57',
  fill: 'DFDF58',
  data: 'DFDF59',
  selectableData: 'DFDFDF37',
  selectableKsn: 'DFDFDF38',
  selectableType: 'DFDFDF39',
  pinBlock: '99',
  pinKsn: 'DFDF41',
} as const;

/** The encrypted PIN and its KSN. */
export const PIN_TAGS = {block: TAG.pinBlock, ksn: TAG.pinKsn} as const;

/** MagTek's own tags (docs/terminals/magtek.md#tags). Tracks have a separate template. */
export const MAGTEK = tlvForm(
  'MagTek',
  {
    [TAG.container]: 'container, DynaPro format',
    [TAG.arqc]: 'authorisation request, original format',
    [TAG.batch]: 'batch data, original format',
    [TAG.transaction]: 'transaction data',
    F0: 'batch data',
    F1: 'result of the transaction',
    F2: 'data of the transaction',
    F3: 'data of a reversal',
    [TAG.swipe]: 'swipe',
    F5: 'PIN',
    F7: 'cleartext data',
    [TAG.encrypted]: 'encrypted data',
    [TAG.plaintext]: 'decrypted data',
    '70': 'request data',
    FF40: 'fleet data',
    FF41: 'Smart Tap data',
    FF42: 'selectable card data',
    FF73: 'MagnePrint under another key',
    DF29: 'outcome parameter set',
    DF71: 'format of the PIN block',
    [TAG.pinBlock]: ['PIN block, encrypted', 'pin'],
    DF74: 'barcode',
    DF79: 'NFC UID',
    DFDF02: 'tags of a request',
    DFDF05: 'tags of a reversal',
    DFDF0B: 'further serial number',
    DFDF17: 'tags of a batch',
    DFDF1A: 'result',
    DFDF1B: 'detail of the result',
    [TAG.serial]: ['serial number', 'serial'],
    DFDF30: 'status of masked track 1',
    DFDF31: ['masked track 1', 'masked-text'],
    DFDF32: 'status of masked track 2',
    DFDF33: ['masked track 2', 'masked-text'],
    DFDF34: 'status of masked track 3',
    DFDF35: 'masked track 3',
    DFDF36: 'status of track 1',
    DFDF37: ['track 1 encrypted', 'opaque'],
    DFDF38: 'status of track 2',
    DFDF39: ['track 2 encrypted', 'opaque'],
    DFDF3A: 'status of track 3',
    DFDF3B: ['track 3 encrypted', 'opaque'],
    DFDF3C: ['MagnePrint encrypted', 'opaque'],
    DFDF3D: ['MagnePrint status', 'opaque'],
    DFDF40: 'signature required',
    [TAG.pinKsn]: ['KSN of the PIN', 'pin-ksn'],
    DFDF42: 'encryption type of the PIN',
    DFDF43: ['MagnePrint status', 'opaque'],
    DFDF4A: 'track 2 as a stripe has it',
    [TAG.maskedTrack2]: ['masked track 2', 'masked-text'],
    [TAG.swipeKsn]: ['KSN of the tracks', 'other-ksn'],
    [TAG.swipeType]: 'encryption type of the tracks',
    [TAG.cardType]: 'card type',
    DFDF53: 'fallback',
    [TAG.macKsn]: ['KSN of the MAC', 'other-ksn'],
    [TAG.macType]: 'encryption type of the MAC',
    [TAG.dataKsn]: ['KSN of the data', 'ksn'],
    [TAG.dataType]: 'encryption type of the data',
    [TAG.fill]: 'number of fill bytes',
    [TAG.data]: ['data encrypted', 'cipher'],
    [TAG.selectableData]: ['selectable data encrypted', 'cipher'],
    [TAG.selectableKsn]: ['KSN of the selectable data', 'ksn'],
    [TAG.selectableType]: 'encryption type of the selectable data',
  },
  {
    several: ['masked-text'],
    once: [
      ...[TAG.dataType, TAG.fill, TAG.cardType, TAG.macKsn],
      ...[TAG.selectableType, TAG.maskedTrack2],
    ],
  },
);

/** Values of DFDF52. */
export const CARD_TYPES: Readonly<Record<string, string>> = {
  '00': 'other',
  '01': 'stripe',
  '02': 'stripe, AAMVA',
  '03': 'keyed entry',
  '04': 'unknown',
  '05': 'contact chip',
  '06': 'contactless chip',
  '07': 'stripe of a chip card',
  '08': 'contactless magstripe mode',
};

/** Reads the template that a payload consists of. Throws 2100 if another object follows it. */
export function readTemplate(
  bytes: Uint8Array,
  base: number,
  trace: Trace,
  notes: NoteOptions = MAGTEK.notes,
): readonly TlvObject[] {
  const objects = readTlvBody(bodyOf(bytes, base), trace, notes);
  const [first, second] = objects;
  if (!second) return objects;
  throw severalReads(`tag ${second.tag} at ${second.offset} after ${first?.tag}`);
}

/** The serial number in DFDF25: text, or else hex. */
export function readSerial(all: readonly TlvObject[]): string | undefined {
  const value = onlyObject(all, TAG.serial)?.value;
  if (!value) return undefined;
  const text = withoutEnd(latin1Of(value), /\0/);
  return /^[\x20-\x7e]+$/.test(text) ? text.trim() : upperHexOf(value);
}

/** The value of a tag that occurs once, in upper-case hex; empty if it is absent or empty. */
export function hexOfTag(all: readonly TlvObject[], tag: string): string {
  return upperHexOf(onlyObject(all, tag)?.value ?? new Uint8Array());
}
