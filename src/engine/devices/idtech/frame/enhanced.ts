import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, latin1Of} from '../../../../platform/bytes.js';
import type {CardContent} from '../../../card/card-content.js';
import type {TrackNumber} from '../../../card/lrc.js';
import {type MaskedPan, maskedTrack} from '../../../card/masked-pans.js';
import type {CipherSetting, EncryptedField, Reading, Seal} from '../../../reading.js';
import {ENCODE_TYPES, ENCRYPT_STATUS, MASK_STATUS, OPTIONAL, TRACK_STATUS} from '../layout.js';
import type {FrameCursor} from './frame-cursor.js';
import {additionalData, openKeyedTrack} from './keyed.js';
import {
  clearTrack3,
  paddedLength,
  type SentHash,
  type SentTrack,
  swipeSetting,
  takeHash,
  takeKsn,
  trackField,
  trackFieldOf,
  withoutCiphertext,
} from './swipe.js';

const TRACKS: readonly TrackNumber[] = [1, 2, 3];

/** The fixed fields 4 to 11, which determine what follows. */
interface Header {
  readonly lengths: readonly number[];
  readonly mask: number;
  readonly encrypt: number;
  readonly optional: number;
}

/**
 * Reads the card data of the enhanced layout after the encode type: swiped (80, 81, 83) and keyed
 * (C0), which uses the track 2 slot (docs/formats/idtech.md#enhanced-layout,
 * docs/formats/idtech.md#keyed-entry-enhanced).
 *
 * `start` is the position where the data covered by the MAC begins.
 *
 * Throws 2101 if the fields do not add up to the length, 2102 if one is truncated.
 */
export function readEnhanced(cursor: FrameCursor, type: number, start: number): Reading {
  const keyed = ENCODE_TYPES[type]?.layout === 'keyed-enhanced';
  const header = takeHeader(cursor);
  const setting = swipeSetting(
    has(header.mask, MASK_STATUS.aes),
    has(header.mask, MASK_STATUS.pinKey),
  );
  const extra = keyed && has(header.mask, 4) && !has(header.encrypt, 4);
  const copies = TRACKS.map((n) => takeCopy(cursor, header, n, extra));
  const form = `${keyed ? 'keyed' : 'swipe'} frame, enhanced layout, ${cursor.frame.form} form`;
  const mode = keyed ? 'keyed' : 'swiped';
  if (has(header.optional, OPTIONAL.transArmor) && has(header.encrypt, ENCRYPT_STATUS.anyTrack)) {
    return {form, mode, candidates: [[]], refusal: refuseTransArmor(cursor)};
  }
  const ciphers = TRACKS.map((n) => takeCipher(cursor, header, n, setting));
  if (has(header.encrypt, ENCRYPT_STATUS.session)) cursor.bytes(8, 'session');
  const hashes = TRACKS.map((n) => takeTrackHash(cursor, header, n));
  const serial = has(header.mask, MASK_STATUS.serial) ? latin1Of(cursor.bytes(10, 'serial')) : '';
  const ksn = takeTail(cursor, header);
  const seals = takeSeal(cursor, header, start);
  if (cursor.remaining > 0) throw leftOver(cursor);

  const fields: EncryptedField[] = [];
  const rest = {setting, ksn};
  for (const number of TRACKS) {
    const cipher = ciphers[number - 1];
    if (!cipher) continue;
    const sent = sentTrack(number, header, copies[number - 1], hashes[number - 1]);
    const field = trackFieldOf(sent, cipher.bytes, cipher.offset, rest);
    fields.push(keyed ? {...field, open: (plain) => openKeyedTrack(sent, plain)} : field);
  }
  const clear = clearContent(copies[2], keyed, extra, has(header.encrypt, 4));
  const masked = copiesAlone(copies, ciphers);
  const reading = {form, mode, candidates: [fields], clear, seals, masked} as const;
  if (fields.length === 0) return {...reading, refusal: withoutCiphertext(type, copies)};
  return isSerial(serial) ? {...reading, serial} : reading;
}

/** Copies of tracks that are not encrypted; all other copies are compared with their own track. */
function copiesAlone(copies: readonly (string | undefined)[], ciphers: readonly unknown[]) {
  const alone: MaskedPan[] = [];
  for (const number of [1, 2]) {
    const copy = copies[number - 1];
    if (copy === undefined || ciphers[number - 1] !== undefined) continue;
    alone.push(...maskedTrack(`track ${number}, masked`, copy));
  }
  return alone;
}

function has(value: number, bit: number): boolean {
  return (value & bit) !== 0;
}

function takeHeader(cursor: FrameCursor): Header {
  const status = cursor.byte('trackStatus');
  const lengths = TRACKS.map((n) => {
    const field = trackField('length', n);
    return cursor.byte(field);
  });
  const mask = cursor.byte('maskStatus');
  const encrypt = cursor.byte('encryptStatus');
  const [optional = 0] = has(status, TRACK_STATUS.optionalBytes)
    ? cursor.bytes(cursor.byte('optionalLength'), 'optional')
    : [];
  return {lengths, mask, encrypt, optional};
}

function takeCopy(cursor: FrameCursor, header: Header, number: TrackNumber, extra: boolean) {
  if (!has(header.mask, 1 << (number - 1))) return undefined;
  const field = number === 3 && extra ? 'additional' : trackField('masked', number);
  return cursor.text(header.lengths[number - 1] ?? 0, field);
}

function takeCipher(cursor: FrameCursor, header: Header, n: TrackNumber, setting: CipherSetting) {
  const length = header.lengths[n - 1] ?? 0;
  if (!has(header.encrypt, 1 << (n - 1)) || length === 0) return undefined;
  const offset = cursor.offset;
  return {offset, bytes: cursor.bytes(paddedLength(length, setting), trackField('cipher', n))};
}

function takeTrackHash(cursor: FrameCursor, header: Header, number: TrackNumber) {
  if (!has(header.encrypt, ENCRYPT_STATUS.hash1 << (number - 1))) return undefined;
  const size = has(header.optional, OPTIONAL.sha256) ? 32 : 20;
  return takeHash(cursor, size, trackField('hash', number));
}

/** The KSN: 10 bytes, or 12 if the fields after it leave room for the KSN of AES DUKPT. */
function takeTail(cursor: FrameCursor, header: Header): string | undefined {
  if (!has(header.encrypt, ENCRYPT_STATUS.ksn)) return undefined;
  const isLast = !has(header.optional, OPTIONAL.mac);
  return takeKsn(cursor, isLast && cursor.remaining === cursor.units(12) ? 12 : 10);
}

/** The MAC covers the card data from the encode type to the MAC length, inclusive. */
function takeSeal(cursor: FrameCursor, header: Header, start: number): Seal[] {
  if (!has(header.optional, OPTIONAL.mac)) return [];
  const [low = 0, high = 0] = cursor.bytes(2, 'macLength');
  const message = bytesFromLatin1(cursor.frame.text.slice(start, cursor.position));
  const offset = cursor.offset;
  const mac = cursor.bytes(high * 256 + low, 'mac');
  const ksn = takeKsn(cursor, 10, 'macKsn');
  return [{name: 'MAC', offset, ksn, variant: 'none', message, mac}];
}

function leftOver(cursor: FrameCursor): PaylensError {
  return new PaylensError(
    2101,
    `length: the fields end at offset ${cursor.offset}, but ${cursor.remaining} more units of card data follow`,
  );
}

function sentTrack(
  number: TrackNumber,
  header: Header,
  copy: string | undefined,
  hash: SentHash | undefined,
): SentTrack {
  const length = header.lengths[number - 1] ?? 0;
  return {number, length, copy, hash};
}

function clearContent(
  copy: string | undefined,
  keyed: boolean,
  extra: boolean,
  encrypted: boolean,
): CardContent {
  if (keyed) return extra && copy !== undefined ? additionalData(copy) : {};
  return encrypted ? {} : clearTrack3(copy);
}

/** TransArmor ciphertext has its own lengths, so the fields after it cannot be located. */
function refuseTransArmor(cursor: FrameCursor): PaylensError {
  cursor.bytes(Math.floor(cursor.remaining / cursor.units(1)), 'transArmor');
  return new PaylensError(2111, 'TransArmor (optional byte, bit 1)');
}

/** Ten spaces, zeros or NULs are not a serial number. */
function isSerial(serial: string): boolean {
  return /[^ 0\0]/.test(serial) && /^[\x20-\x7e]+$/.test(serial);
}
