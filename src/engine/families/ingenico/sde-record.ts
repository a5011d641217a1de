import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, isHex, latin1Of} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {readCardTlv} from '../../card/card-tlv.js';
import {type Evidence, notCardData} from '../../card/evidence.js';
import type {MaskedPan} from '../../card/masked-pans.js';
import {readTrack} from '../../card/track.js';
import {blockSizeOf} from '../../cipher/block-cipher.js';
import {isFill} from '../../cipher/padding.js';
import {schemeOf} from '../../dukpt/ksn.js';
import {proveContent} from '../../forms/prove-content.js';
import type {TextMessage} from '../../forms/text-message.js';
import type {EncryptedField, Reading} from '../../reading.js';
import {
  RECORD_INDICATORS,
  RECORD_PARTS,
  RECORD_SENSITIVITIES,
  RECORD_SETTINGS,
  SEPARATORS,
} from './layout.js';

/** True for text that begins with `<KSN>:`. */
export function isSdeRecord(text: string): boolean {
  return /^[0-9A-F]{14,24}:/i.test(text);
}

/** Data of the message outside its record. */
interface MessageData extends Pick<Reading, 'form' | 'mode' | 'clear'> {
  readonly masked: readonly MaskedPan[];
}

/**
 * Reads the encrypted track 3 of encryption types 11 and 19, under the three variants that may have
 * encrypted it (docs/terminals/ingenico.md#track-3-record). All of the rest of `message` is the
 * record.
 *
 * Throws 2100 if it does not have four parts, 2102 if the ciphertext is not whole blocks.
 */
export function readSdeRecord(message: TextMessage, data: MessageData): Reading {
  const {masked} = data;
  const parts = takeParts(message);
  const [ksn = '', indicator = '', stated = '', digits = ''] = parts.map(({value}) => value);
  if (digits.length < Number(stated))
    throw new PaylensError(2102, `record: expected ${stated} hex digits, found ${digits.length}`);
  const ciphertext = recordCiphertext(digits, blockSizeOf(schemeOf(ksn)));
  const field: Omit<EncryptedField, 'setting'> = {
    name: 'track 3 record',
    offset: parts[3]?.offset ?? 0,
    ciphertext,
    ksn,
    open: (plain) => openRecord(plain, indicator, masked),
  };
  const settings = schemeOf(ksn) === 'aes' ? RECORD_SETTINGS.slice(0, 1) : RECORD_SETTINGS;
  return {candidates: settings.map((setting) => [{setting, ...field}]), ...data};
}

function takeParts(message: TextMessage): {readonly value: string; readonly offset: number}[] {
  const values = message.rest.trimEnd().split(':');
  const [ksn = '', indicator = ''] = values;
  if (values.length !== RECORD_PARTS.length || !isHex(ksn) || !RECORD_INDICATORS[indicator]) {
    throw new PaylensError(
      2100,
      `record at ${message.unit} ${message.offset}: expected KSN:indicator 1 to 4:length:ciphertext`,
    );
  }
  return RECORD_PARTS.map((name, i) => {
    const {offset} = message;
    const sensitivity = RECORD_SENSITIVITIES[name];
    const value = message.take(values[i]?.length ?? 0, name, {
      ...(name === 'indicator' ? {meaning: RECORD_INDICATORS[indicator] ?? ''} : {}),
      ...(sensitivity ? {sensitivity} : {}),
    });
    if (i < RECORD_PARTS.length - 1) message.take(1, 'colon');
    return {value, offset};
  });
}

function recordCiphertext(digits: string, block: number): Uint8Array {
  if (!isHex(digits)) throw new PaylensError(2100, 'record: the ciphertext is not hex');
  const bytes = bytesFromHex(digits);
  if (bytes && bytes.length > 0 && bytes.length % block === 0) return bytes;
  throw new PaylensError(
    2102,
    `record: expected ciphertext of whole blocks of ${block} bytes, found ${digits.length} hex digits`,
  );
}

/** Reads the plaintext of a record: keyed entry, one or two tracks, or TLV. Throws 2601. */
function openRecord(
  plain: Uint8Array,
  indicator: string,
  masked: readonly MaskedPan[],
): CardContent {
  const read = (evidence: Evidence) =>
    readKeyedEntry(plain, evidence) ??
    readRecordTracks(plain, indicator, evidence) ??
    readCardTlv(RECORD_NAME, plain, evidence);
  return proveContent(RECORD_NAME, read, masked, 'A masked track beside it');
}

const RECORD_NAME = 'track 3 record';
/** `PAN<sep>YYMM<sep>CVV`; the CVV may be absent. */
const KEYED_ENTRY = /^(\d{12,19})([|#;\0])(\d{4})(?:\2(\d{3,4})?)?$/;

function readKeyedEntry(plain: Uint8Array, evidence: Evidence): CardContent | undefined {
  const end = plain.findLastIndex((code) => code >= 0x20 && code <= 0x7e) + 1;
  const text = latin1Of(plain.subarray(0, end));
  const [, pan, , expiry, cvv] = KEYED_ENTRY.exec(text) ?? [];
  if (pan === undefined || expiry === undefined || !isFill(plain, end)) return undefined;
  evidence.add('grammar', 'grammar of keyed entry', (pan.length + expiry.length) * 4.6 + 16);
  const bytes = plain.slice(0, end);
  return {keyed: {bytes, text, pan, ...(cvv === undefined ? {} : {cvv})}, expiry};
}

const TRACK_1_HEAD = /^%?[A-Z]\d/;
/** The start of track 2 after the separator. */
const TRACK_2_HEAD = /^;?\d{12,19}=/;

function readRecordTracks(
  plain: Uint8Array,
  indicator: string,
  evidence: Evidence,
): CardContent | undefined {
  const text = latin1Of(plain);
  const isTrack1 = TRACK_1_HEAD.test(text);
  if (!isTrack1 && !TRACK_2_HEAD.test(text)) return undefined;
  const cut = isTrack1 ? secondTrack(text) : undefined;
  if (indicator === BOTH && !cut) throw notCardData(RECORD_NAME, 'expected two tracks, found one');
  if (!isTrack1) return {track2: readTrack(2, plain, {evidence})};
  if (!cut) return {track1: readTrack(1, plain, {evidence})};
  const first = plain.subarray(0, cut.end);
  return {
    track1: readTrack(1, first, {length: first.length, evidence}),
    track2: readTrack(2, plain.subarray(cut.start), {evidence}),
  };
}

const BOTH = '4';

/** The end of track 1 and the start of track 2; tracks with sentinels are joined by `?;`. */
function secondTrack(text: string): {end: number; start: number} | undefined {
  for (let i = 1; i < text.length; i++) {
    const isSeparator = SEPARATORS.some((separator) => separator === text[i]);
    if (!isSeparator || !TRACK_2_HEAD.test(text.slice(i + 1, i + 22))) continue;
    const isSentinel = text[i] === ';' && text[i + 1] !== ';' && text.lastIndexOf('?', i) >= 0;
    return {end: i, start: isSentinel ? i : i + 1};
  }
  return undefined;
}
