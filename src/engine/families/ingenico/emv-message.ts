import {PaylensError} from '../../../contract/paylens-error.js';
import {latin1Of} from '../../../platform/bytes.js';
import {clearBeside, NO_CARD_DATA} from '../../card/clear-tags.js';
import {assertTagsOnce, CLEAR_TAGS, severalReads} from '../../forms/one-read.js';
import type {TextMessage} from '../../forms/text-message.js';
import {joinedPinsIn} from '../../forms/tlv/pins-in.js';
import {posEntryMode} from '../../forms/tlv/pos-entry-mode.js';
import type {Reading} from '../../reading.js';
import type {TlvObject} from '../../tlv/ber.js';
import {isHidden} from './card-data.js';
import {holdsTag, maskedTag, shownNumber, type Tags, takeTags} from './emv-tags.js';
import {readOnGuard} from './on-guard.js';
import {isSdeRecord, readSdeRecord} from './sde-record.js';

/** 33.02, 33.03, 33.05, 33.07, with or without a trailing dot. */
const STEP = /^0[2357]\.?/;

/**
 * Reads the tags of an EMV message: FF21 is a track 3 record, FF1F an On-Guard record
 * (docs/terminals/ingenico.md#emv-tags).
 *
 * Throws 2100 for other steps and messages without card data, 2102 if a tag is truncated.
 */
export function readEmvMessage(message: TextMessage): Reading {
  const step = STEP.exec(message.rest)?.[0];
  if (step === undefined) {
    throw new PaylensError(2100, 'expected message 33.02, 33.03, 33.05 or 33.07');
  }
  message.take(step.length, 'step');
  message.take(2, 'status');
  message.take(1, 'packet number');
  message.take(1, 'packet type');
  const recordTag = RECORD_TAGS.find((tag) => holdsTag(message, tag));
  const tags = takeTags(message, recordTag);
  assertOneRecord(tags.objects);
  const form = `RBA 33.${step.slice(0, 2)} EMV message`;
  const mode = posEntryMode(tags.objects);
  const refusal = recordRefusal(tags, recordTag);
  if (refusal || !tags.record) return {form, mode, candidates: [[]], ...(refusal ? {refusal} : {})};
  const masked = tags.objects.flatMap(maskedTag);
  const clear = clearBeside(tags.objects);
  const reading = readSdeRecord(tags.record, {form, mode, masked, clear});
  return {pins: joinedPinsIn(tags.objects), ...reading};
}

/** FF21 can be decrypted, FF1F cannot. */
const RECORD_TAGS = ['FF21', 'FF1F'];
const READ_ONCE_TAGS = new Set([...RECORD_TAGS, ...CLEAR_TAGS]);

/** FF21 is the card's record; no other field may contain one. Throws 2100. */
function assertOneRecord(objects: readonly TlvObject[]): void {
  assertTagsOnce(objects, READ_ONCE_TAGS);
  const records = objects.filter(({value}) => isSdeRecord(latin1Of(value)));
  const other = records.find(({tag}) => tag !== records[0]?.tag);
  if (!other) return;
  throw severalReads(`tag ${other.tag} at ${other.offset}: a second record`);
}

function recordRefusal({objects, record}: Tags, recordTag: string | undefined) {
  const has = (wanted: string) => objects.some(({tag}) => tag === wanted);
  if (has('FF20')) return new PaylensError(2111, 'Voltage (tag FF20)');
  if (recordTag !== undefined && !record) {
    return new PaylensError(2100, `tag ${recordTag}: its value is not hex`);
  }
  if (record) return recordTag === 'FF1F' ? readOnGuard(record, false) : undefined;
  if (has('FF1E')) return new PaylensError(2111, 'tag FF1E without FF21: an unknown scheme');
  return noEncryptedTag(objects);
}

function noEncryptedTag(objects: readonly TlvObject[]): PaylensError {
  const clear = objects.find((object) => {
    const number = shownNumber(object);
    return number !== undefined && !isHidden(number);
  });
  if (!clear) return new PaylensError(2100, NO_CARD_DATA);
  const detail = `tag ${clear.tag} contains a cleartext card number and no encrypted data`;
  return new PaylensError(2110, detail);
}
