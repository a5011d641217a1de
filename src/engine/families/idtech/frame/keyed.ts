import {PaylensError} from '../../../../contract/paylens-error.js';
import {latin1Of} from '../../../../platform/bytes.js';
import type {CardContent, KeyedEntry} from '../../../card/card-content.js';
import {type Evidence, notCardData} from '../../../card/evidence.js';
import {assertCopyAgrees} from '../../../card/masked-copy.js';
import {readTrack} from '../../../card/track.js';
import {isFill} from '../../../cipher/padding.js';
import {proveContent} from '../../../forms/prove-content.js';
import {RecordValues} from '../../../forms/record.js';
import type {RecordCursor, RecordField} from '../../../forms/record-cursor.js';
import type {Reading} from '../../../reading.js';
import {FIELDS, KEYED_STATUS} from '../layout.js';
import {KEYED_HEAD, KEYED_REST} from './records.js';
import {assertHash, cipherIn, hashIn, type SentHash, type SentTrack} from './swipe.js';

/** `;PAN=YYMM?` or `;PAN=YYMM:CVV?`: the CVV follows a colon. */
const ENHANCED = /^;(\d+)=(\d{4})(?::(\d{3,4}))?\?$/;
/** `PAN=YYMM=[CVV]`; the second `=` is always present. */
const ORIGINAL = /^(\d+)=(\d{4})=(\d{3,4})?$/;

/**
 * Reads the plaintext of enhanced keyed entry (C0), which has the form of a track 2 with its LRC.
 * Throws 2601 if it does not, or if hash or masked copy disagree.
 */
export function openKeyedTrack(sent: SentTrack, plain: Uint8Array): CardContent {
  const {length, hash, copy} = sent;
  const read = (evidence: Evidence) => {
    const {bytes, text} = readTrack(2, plain, {length, form: ENHANCED, evidence});
    assertHash('keyed entry', hash, bytes, evidence);
    if (copy !== undefined) assertCopyAgrees('keyed entry', copy, latin1Of(bytes), evidence);
    return keyedContent(bytes, text, ENHANCED);
  };
  return proveContent('keyed entry', read, [], 'A hash or a masked copy');
}

/** Additional data of enhanced keyed entry, split at `=`: street and ZIP, or only the ZIP. */
export function additionalData(text: string): CardContent {
  const values = text.replace(/=$/, '').split('=');
  if (values.length > 2) return {};
  const [zip = '', street = ''] = values.toReversed();
  return {...(street === '' ? {} : {street}), ...(zip === '' ? {} : {zip})};
}

/**
 * Reads original keyed entry (type 85) after the encode type: ciphertext, hash, then EXP, ADR and
 * ZIP in cleartext, as indicated by the status (docs/terminals/idtech.md#keyed-entry-original).
 */
export function readKeyedOriginal(cursor: RecordCursor): Reading {
  const record = new RecordValues();
  record.read(cursor, KEYED_HEAD);
  if (record.has(FIELDS.keyedStatus, KEYED_STATUS.session)) {
    const detail = `status at offset ${cursor.offset}: session IDs of type 85 are unknown`;
    throw new PaylensError(2100, detail);
  }
  record.read(cursor, KEYED_REST);
  if (cursor.remaining > 0) {
    const detail = `length: the fields end at offset ${cursor.offset}, more data follows`;
    throw new PaylensError(2101, detail);
  }
  const length = record.number(FIELDS.keyedLength);
  const refusal = length === 0 ? new PaylensError(2100, 'the keyed entry is empty') : undefined;
  const hash = hashIn(record, FIELDS.keyedHash, cursor);
  const open = (plain: Uint8Array) => openKeyedOriginal(plain, length, hash);
  return {
    form: `keyed frame, original layout (type 85), ${cursor.frame.form} form`,
    mode: 'keyed',
    candidates: [[cipherIn(record, FIELDS.keyedCipher, 'keyed entry', open)]],
    clear: keyedClear(record),
    ...(refusal ? {refusal} : {}),
  };
}

/** EXP, ADR and ZIP, if they were sent. */
function keyedClear(record: RecordValues): CardContent {
  const text = (field: RecordField) => latin1Of(record.bytes(field) ?? new Uint8Array());
  const [expiry, street, zip] = [text(FIELDS.expiry), text(FIELDS.address), text(FIELDS.zip)];
  return {
    ...(/^\d{4}$/.test(expiry) ? {expiry} : {}),
    ...(street === '' ? {} : {street}),
    ...(zip === '' ? {} : {zip}),
  };
}

function openKeyedOriginal(plain: Uint8Array, length: number, hash?: SentHash): CardContent {
  const read = (evidence: Evidence) => {
    if (!isFill(plain, length)) throw notCardData('keyed entry', `byte ${length} is not padding`);
    const bytes = plain.slice(0, length);
    assertHash('keyed entry', hash, bytes, evidence);
    const content = keyedContent(bytes, latin1Of(bytes), ORIGINAL);
    evidence.add('grammar', 'grammar of keyed entry', length * 4.6);
    return content;
  };
  return proveContent('keyed entry', read, [], 'A hash');
}

/** The data elements of keyed text. Text that does not match its layout means a wrong key. */
function keyedContent(bytes: Uint8Array, text: string, form: RegExp): CardContent {
  const match = form.exec(text);
  if (!match) throw notCardData('keyed entry', 'expected a PAN, an expiry date and perhaps a CVV');
  const [, pan = '', expiry = '', cvv] = match;
  const keyed: KeyedEntry = {bytes, text, pan, ...(cvv === undefined ? {} : {cvv})};
  return {keyed, expiry};
}
