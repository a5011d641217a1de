import {latin1Of, upperHexOf} from '../../../platform/bytes.js';
import type {TlvObject} from '../../tlv/ber.js';
import type {NoteOptions} from '../../tlv/note-tlv.js';
import {onlyObject} from '../shared/one-read.js';

/** MagTek's tags that readers and writers use (docs/formats/magtek.md#tags). */
export const TAG = {
  container: 'F9',
  arqc: 'FD',
  batch: 'FE',
  transaction: 'FA',
  encrypted: 'F8',
  swipe: 'F4',
  plaintext: 'FC',
  selectable: 'FF42',
  serial: 'DFDF25',
  maskedTrack2: 'DFDF4D',
  cardType: 'DFDF52',
  tracks: ['DFDF37', 'DFDF39', 'DFDF3B'],
  maskedTracks: ['DFDF31', 'DFDF33'],
  trackStatus: ['DFDF36', 'DFDF38', 'DFDF3A'],
  magnePrint: 'DFDF3C',
  magnePrintStatus: 'DFDF43',
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

/** Names of MagTek's own tags; EMV tags are named elsewhere. */
export const MAGTEK_TAGS: Readonly<Record<string, string>> = {
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
  [TAG.selectable]: 'selectable card data',
  FF73: 'MagnePrint under another key',
  DF29: 'outcome parameter set',
  DF71: 'format of the PIN block',
  [TAG.pinBlock]: 'PIN block, encrypted',
  DF74: 'barcode',
  DF79: 'NFC UID',
  DFDF02: 'tags of a request',
  DFDF05: 'tags of a reversal',
  DFDF0B: 'further serial number',
  DFDF17: 'tags of a batch',
  DFDF1A: 'result',
  DFDF1B: 'detail of the result',
  [TAG.serial]: 'serial number',
  DFDF30: 'status of masked track 1',
  DFDF31: 'masked track 1',
  DFDF32: 'status of masked track 2',
  DFDF33: 'masked track 2',
  DFDF34: 'status of masked track 3',
  DFDF35: 'masked track 3',
  DFDF36: 'status of track 1',
  DFDF37: 'track 1 encrypted',
  DFDF38: 'status of track 2',
  DFDF39: 'track 2 encrypted',
  DFDF3A: 'status of track 3',
  DFDF3B: 'track 3 encrypted',
  [TAG.magnePrint]: 'MagnePrint encrypted',
  DFDF3D: 'MagnePrint status',
  DFDF40: 'signature required',
  [TAG.pinKsn]: 'KSN of the PIN',
  DFDF42: 'encryption type of the PIN',
  [TAG.magnePrintStatus]: 'MagnePrint status',
  DFDF4A: 'track 2 as a stripe has it',
  [TAG.maskedTrack2]: 'masked track 2',
  [TAG.swipeKsn]: 'KSN of the tracks',
  [TAG.swipeType]: 'encryption type of the tracks',
  [TAG.cardType]: 'card type',
  DFDF53: 'fallback',
  [TAG.macKsn]: 'KSN of the MAC',
  [TAG.macType]: 'encryption type of the MAC',
  [TAG.dataKsn]: 'KSN of the data',
  [TAG.dataType]: 'encryption type of the data',
  [TAG.fill]: 'number of fill bytes',
  [TAG.data]: 'data encrypted',
  [TAG.selectableData]: 'selectable data encrypted',
  [TAG.selectableKsn]: 'KSN of the selectable data',
  [TAG.selectableType]: 'encryption type of the selectable data',
};

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

/** KSNs of the message, including those of PIN and MAC. */
export const KSN_TAGS: ReadonlySet<string> = new Set([
  ...[TAG.swipeKsn, TAG.macKsn, TAG.dataKsn, TAG.selectableKsn, TAG.pinKsn],
]);

/** How the tags of a message are recorded. */
export const TAG_NOTES: NoteOptions = {
  names: MAGTEK_TAGS,
  kinds: {
    ksn: KSN_TAGS,
    serial: new Set([TAG.serial]),
    opaque: new Set([
      ...[...TAG.tracks, TAG.magnePrint, TAG.data, TAG.selectableData],
      ...[TAG.pinBlock, 'DFDF3D', TAG.magnePrintStatus],
    ]),
  },
};

/** The serial number in DFDF25: text, or else hex. */
export function serialOf(all: readonly TlvObject[]): string | undefined {
  const value = onlyObject(all, TAG.serial)?.value;
  if (!value) return undefined;
  const text = latin1Of(value).replace(/\0+$/, '');
  return /^[\x20-\x7e]+$/.test(text) ? text.trim() : upperHexOf(value);
}

/** The value of a tag that stands once, in upper-case hex; empty if it is absent or empty. */
export function hexOfTag(all: readonly TlvObject[], tag: string): string {
  return upperHexOf(onlyObject(all, tag)?.value ?? new Uint8Array());
}
