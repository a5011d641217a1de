import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromLatin1, bytesOfHex} from '../../../../platform/bytes.js';
import {sha1Hex} from '../../../../platform/hash.js';
import {type TrackNumber, trackLrc} from '../../../card/lrc.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import {chosenTracks} from '../../../forms/chosen-tracks.js';
import {writePlaces} from '../../../forms/record.js';
import type {RecordField} from '../../../forms/record-cursor.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../../reading.js';
import type {WriteRequest} from '../../../writing.js';
import {ENCRYPT_STATUS, FIELDS, MASK_STATUS, TRACK_FIELDS, type TrackFields} from '../layout.js';
import type {IdtechOptions} from '../writer-options.js';
import {FrameBuilder} from './frame-builder.js';
import {type MaskSetting, maskedCopy} from './mask-copy.js';
import {ENHANCED_HEAD, ENHANCED_REST, ORIGINAL_HEAD, originalRest} from './records.js';
import {swipeSetting} from './swipe.js';

/** One slot of a frame: its plaintext and its clear or masked copy. */
export interface Slot {
  readonly number: TrackNumber;
  /** The plaintext that is encrypted, with LRC; one character per byte. */
  readonly plain: string;
  /** Masked or clear copy; absent: none is sent. */
  readonly copy?: string;
  readonly encrypted: boolean;
}

/** Writes a complete swipe frame in the enhanced layout (type 80). */
export function writeEnhanced(request: WriteRequest, options: IdtechOptions): string {
  const builder = new FrameBuilder(options.form);
  return writeSlots(builder, 0x80, swipeSlots(request, options), request, options);
}

/**
 * Writes the slots of a frame in the enhanced layout: swiped, or keyed
 * (docs/terminals/idtech.md#enhanced-layout).
 */
export function writeSlots(
  builder: FrameBuilder,
  encodeType: number,
  slots: readonly Slot[],
  request: WriteRequest,
  options: IdtechOptions,
): string {
  const setting = cipherSetting(request, options);
  const {serial} = request;
  const values = new Map<RecordField, number | string | Uint8Array>([
    [FIELDS.trackStatus, trackStatus(slots)],
    ...trackLengths(slots),
    [FIELDS.maskStatus, maskStatus(slots, request, options)],
    [FIELDS.encryptStatus, encryptStatus(slots, options)],
    [FIELDS.ksn, bytesOfHex(request.ksn)],
  ]);
  if (serial !== undefined) values.set(FIELDS.serial, serialText(builder, serial));
  for (const {number, encrypted, plain, copy} of slots) {
    const {masked, cipher, hash} = TRACK_FIELDS[number - 1] as TrackFields;
    if (copy !== undefined) values.set(masked, copy);
    if (encrypted) values.set(cipher, encryptText(plain, setting, request));
    if (encrypted && options.hash !== 'none') values.set(hash, trackHash(plain, options));
  }
  writePlaces(builder.byte(encodeType), [...ENHANCED_HEAD, ...ENHANCED_REST], values);
  return builder.finish(request.wrongCheck);
}

/** Writes a swipe in the original layout (type 00): tracks 1 and 2 in one ciphertext. */
export function writeOriginal(request: WriteRequest, options: IdtechOptions): string {
  const slots = swipeSlots(request, options);
  const builder = new FrameBuilder(options.form);
  writeRecord(builder.byte(0x00), trackStatus(slots), slots, request, options);
  return builder.finish(request.wrongCheck);
}

/**
 * Writes the original layout from its track status on; the Prima M sends it without a frame. Track 3
 * is in cleartext. Throws 9001 if it is the only track.
 */
export function writeRecord(
  builder: FrameBuilder,
  status: number,
  slots: readonly Slot[],
  request: WriteRequest,
  options: IdtechOptions,
): void {
  const encrypted = slots.filter(({number}) => number !== 3);
  if (encrypted.length === 0) {
    throw new PaylensError(9001, 'option tracks: track 3 is never encrypted; add track 1 or 2');
  }
  const plain = encrypted.map((slot) => slot.plain).join('');
  const cipher = encryptText(plain, CARD_DATA_SETTING, request);
  const values = new Map<RecordField, number | string | Uint8Array>([
    [FIELDS.trackStatus, status],
    ...trackLengths(slots),
    [FIELDS.cipher12, cipher],
    [FIELDS.ksn, bytesOfHex(request.ksn)],
  ]);
  for (const slot of slots) {
    const {masked, hash} = TRACK_FIELDS[slot.number - 1] as TrackFields;
    values.set(masked, slot.number === 3 ? slot.plain : (slot.copy ?? ''));
    if (slot.number !== 3) values.set(hash, trackHash(slot.plain, options));
  }
  const rest = originalRest({cipherLength: cipher.length, insideTrack3: false});
  writePlaces(builder, [...ORIGINAL_HEAD, ...rest], values);
}

/** Parses `4/4`. */
export function maskSetting({mask}: IdtechOptions): MaskSetting {
  const [first = 4, last = 4] = mask.split('/').map(Number);
  return {first, last};
}

/** The cipher of the frame; a KSN of 12 bytes means AES DUKPT and overrides the option. */
export function cipherSetting({ksn}: WriteRequest, {algorithm}: IdtechOptions): CipherSetting {
  return swipeSetting(algorithm === 'aes' || ksn.length === 24, false);
}

/** Encrypts text, zero-padded to whole blocks, with its own CBC chain. */
export function encryptText(text: string, setting: CipherSetting, request: WriteRequest) {
  const block = blockSizeOf(setting.algorithm);
  return request.encrypt(addFill(bytesFromLatin1(text), 'zero', block), setting);
}

/** The hash of a plaintext, or zeros. */
export function trackHash(plain: string, {hash}: IdtechOptions): Uint8Array {
  return hash === 'sha1' ? bytesOfHex(sha1Hex(bytesFromLatin1(plain))) : new Uint8Array(20);
}

/** The slots of the tracks that were read. Throws 9001 if there are none. */
export function swipeSlots({card}: WriteRequest, options: IdtechOptions): Slot[] {
  return chosenTracks(card, options.tracks).map(({number, text}) => {
    const plain = text + trackLrc(number, text);
    // Track 3 has no masked copy.
    const copy = number === 3 ? {} : {copy: maskedCopy(number, plain, maskSetting(options))};
    return {number, plain, ...copy, encrypted: true};
  });
}

/** Every track decoded or empty; those present sampled. */
function trackStatus(slots: readonly Slot[]): number {
  return slots.reduce((bits, {number}) => bits | (0x04 << number), 0x07);
}

function trackLengths(slots: readonly Slot[]): (readonly [RecordField, number])[] {
  return TRACK_FIELDS.map(({number, length}) => {
    const slot = slots.find((one) => one.number === number);
    return [length, slot?.plain.length ?? 0] as const;
  });
}

function maskStatus(slots: readonly Slot[], request: WriteRequest, options: IdtechOptions): number {
  const {algorithm} = cipherSetting(request, options);
  // Service codes 2xx and 6xx mean a card with a chip (ISO/IEC 7813:2006, table 2).
  const hasChip = request.mode === 'swiped' && /^[26]/.test(request.card.serviceCode);
  return (
    trackBits(slots.filter(({copy}) => copy !== undefined)) |
    (algorithm === 'aes' ? MASK_STATUS.aes : 0) |
    (hasChip ? MASK_STATUS.chip : 0) |
    (request.serial === undefined ? 0 : MASK_STATUS.serial)
  );
}

function encryptStatus(slots: readonly Slot[], {hash}: IdtechOptions): number {
  const tracks = trackBits(slots.filter(({encrypted}) => encrypted));
  return ENCRYPT_STATUS.ksn | tracks | (hash === 'none' ? 0 : tracks * ENCRYPT_STATUS.hash1);
}

function trackBits(slots: readonly Slot[]): number {
  return slots.reduce((bits, {number}) => bits | (1 << (number - 1)), 0);
}

/** Ten characters, in hex in keyboard text as well. */
function serialText(builder: FrameBuilder, serial: string): string {
  if (!/^[ -~]{1,10}$/.test(serial)) {
    throw new PaylensError(9001, 'serial: expected at most 10 printable ASCII characters');
  }
  return new FrameBuilder(builder.form).bytes(bytesFromLatin1(serial.padStart(10, '0'))).cardData;
}
