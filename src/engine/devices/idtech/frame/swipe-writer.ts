import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1, bytesOfHex} from '../../../../platform/bytes.js';
import {sha1Hex, sha256Hex} from '../../../../platform/hash.js';
import {type TrackNumber, trackLrc} from '../../../card/lrc.js';
import {blockSizeOf} from '../../../cipher/block-cipher.js';
import {addFill} from '../../../cipher/padding.js';
import type {CipherSetting} from '../../../reading.js';
import type {WriteRequest} from '../../writer.js';
import {ENCRYPT_STATUS, MASK_STATUS, OPTIONAL, TRACK_STATUS} from '../layout.js';
import type {IdtechOptions} from '../writer-options.js';
import {FrameBuilder} from './frame-builder.js';
import {type MaskSetting, maskedCopy} from './mask-copy.js';
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
 * (docs/formats/idtech.md#enhanced-layout).
 */
export function writeSlots(
  builder: FrameBuilder,
  encodeType: number,
  slots: readonly Slot[],
  request: WriteRequest,
  options: IdtechOptions,
): string {
  const setting = settingOf(request, options);
  writeHeader(builder, encodeType, slots, request, options);
  for (const {copy} of slots) if (copy !== undefined) builder.text(copy);
  for (const {encrypted, plain} of slots) {
    if (encrypted) builder.bytes(encryptText(plain, setting, request));
  }
  if (options.hash !== 'none') {
    for (const {encrypted, plain} of slots) if (encrypted) builder.bytes(hashOf(plain, options));
  }
  if (request.serial !== undefined) builder.text(serialText(builder, request.serial));
  builder.bytes(hexBytes(request.ksn));
  writeMac(builder, request, options);
  return builder.seal(request.wrongCheck);
}

/** Writes a swipe in the original layout (type 00): tracks 1 and 2 in one ciphertext. */
export function writeOriginal(request: WriteRequest, options: IdtechOptions): string {
  const slots = swipeSlots(request, options);
  const builder = new FrameBuilder(options.form);
  const status = trackStatus(slots, options) & ~TRACK_STATUS.optionalBytes;
  writeRecord(builder.byte(0x00).byte(status), slots, request, options);
  return builder.seal(request.wrongCheck);
}

/** Writes the original layout after its track status; the Prima M sends it without a frame. */
export function writeRecord(
  builder: FrameBuilder,
  slots: readonly Slot[],
  request: WriteRequest,
  options: IdtechOptions,
): void {
  for (const length of lengthsOf(slots)) builder.byte(length);
  const inside = slots.filter(({encrypted}) => encrypted);
  for (const {number, encrypted, plain, copy} of slots) {
    if (number !== 3 || !encrypted) builder.text(copy ?? plain);
  }
  // This layout has no fields to indicate another cipher or hash.
  const own = {...options, algorithm: 'tdes', key: 'data', optional: ''};
  const setting = settingOf(request, own);
  builder.bytes(encryptText(inside.map(({plain}) => plain).join(''), setting, request));
  for (const {number, plain} of inside) if (number !== 3) builder.bytes(hashOf(plain, own));
  builder.bytes(hexBytes(request.ksn));
}

/** Parses `4/4`, and whether the expiry is visible. */
export function maskSetting({mask, expiry}: IdtechOptions): MaskSetting {
  const [first = 4, last = 4] = mask.split('/').map(Number);
  return {first, last, clearExpiry: expiry === 'clear'};
}

/** The cipher of the frame; a KSN of 12 bytes means AES DUKPT whatever the option says. */
export function settingOf({ksn}: WriteRequest, {algorithm, key}: IdtechOptions): CipherSetting {
  return swipeSetting(algorithm === 'aes' || ksn.length === 24, key === 'pin');
}

/** Encrypts text, zero-padded to whole blocks, with its own CBC chain. */
export function encryptText(text: string, setting: CipherSetting, request: WriteRequest) {
  const block = blockSizeOf(setting.algorithm);
  return request.encrypt(addFill(bytesFromLatin1(text), 'zero', block), setting);
}

/** The hash of a plaintext, or zeros: 20 bytes, or 32 for SHA-256 (optional byte, bit 0). */
export function hashOf(plain: string, {hash, optional}: IdtechOptions): Uint8Array {
  const isSha256 = (optionalByte(optional) & OPTIONAL.sha256) !== 0;
  if (hash !== 'sha1') return new Uint8Array(isSha256 ? 32 : 20);
  const hexOfHash = isSha256 ? sha256Hex : sha1Hex;
  return bytesOfHex(hexOfHash(bytesFromLatin1(plain)));
}

/** Converts hex that was already validated. */
export function hexBytes(hex: string): Uint8Array {
  return bytesFromHex(hex) ?? new Uint8Array();
}

/** The slots of the tracks that were read. Throws 9001 if there are none. */
export function swipeSlots({card}: WriteRequest, options: IdtechOptions): Slot[] {
  const wanted = options.tracks === 'all' ? '123' : options.tracks;
  const texts = [card.track1, card.track2, card.track3];
  const slots = texts.flatMap((text, i): Slot[] => {
    const number = (i + 1) as TrackNumber;
    if (text === undefined || !wanted.includes(String(number))) return [];
    return [slotOf(number, plaintext(number, text, options), options)];
  });
  if (slots.length > 0) return slots;
  throw new PaylensError(9001, 'option tracks: the card has none of these tracks');
}

function slotOf(number: TrackNumber, plain: string, options: IdtechOptions): Slot {
  const copy = maskedCopy(number, plain, maskSetting(options));
  if (number !== 3 || options.track3 === 'masked') return {number, plain, copy, encrypted: true};
  if (options.track3 === 'clear') return {number, plain, copy: plain, encrypted: false};
  return {number, plain, encrypted: true};
}

/** The LRC covers the sentinels even if they are not sent. */
function plaintext(number: TrackNumber, text: string, {sentinels, lrc}: IdtechOptions): string {
  if (sentinels === 'off') return text.slice(1, -1);
  return lrc === 'on' ? text + trackLrc(number, text) : text;
}

function writeHeader(
  builder: FrameBuilder,
  encodeType: number,
  slots: readonly Slot[],
  request: WriteRequest,
  options: IdtechOptions,
): void {
  builder.byte(encodeType).byte(trackStatus(slots, options));
  for (const length of lengthsOf(slots)) builder.byte(length);
  builder.byte(maskStatus(slots, request, options)).byte(encryptStatus(slots, options));
  if (options.optional !== '') builder.byte(1).byte(optionalByte(options.optional));
}

/** Every track decoded or empty; those present sampled. */
function trackStatus(slots: readonly Slot[], {optional}: IdtechOptions): number {
  const sampled = slots.reduce((bits, {number}) => bits | (0x04 << number), 0);
  return 0x07 | sampled | (optional === '' ? 0 : TRACK_STATUS.optionalBytes);
}

function lengthsOf(slots: readonly Slot[]): number[] {
  return [1, 2, 3].map((number) => slots.find((slot) => slot.number === number)?.plain.length ?? 0);
}

function maskStatus(slots: readonly Slot[], request: WriteRequest, options: IdtechOptions): number {
  const {algorithm} = settingOf(request, options);
  return (
    trackBits(slots.filter(({copy}) => copy !== undefined)) |
    (algorithm === 'aes' ? MASK_STATUS.aes : 0) |
    (hasChip(request, options) ? MASK_STATUS.chip : 0) |
    (options.key === 'pin' ? MASK_STATUS.pinKey : 0) |
    (request.serial === undefined ? 0 : MASK_STATUS.serial)
  );
}

/** Service codes 2xx and 6xx mean a card with a chip (ISO/IEC 7813:2006, table 2). */
function hasChip({card, mode}: WriteRequest, {chip}: IdtechOptions): boolean {
  if (chip !== 'auto') return chip === 'on';
  return mode === 'swiped' && /^[26]/.test(card.serviceCode);
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

const MAC_BYTES = 32;

/** HMAC-SHA256 over the card data to the MAC length inclusive, under the unmasked key of slot C. */
function writeMac(builder: FrameBuilder, request: WriteRequest, options: IdtechOptions): void {
  if ((optionalByte(options.optional) & OPTIONAL.mac) === 0) return;
  if (request.ksn.length === 24)
    throw new PaylensError(9001, 'option optional: no known reader sends a MAC under AES DUKPT');
  const ksn = options.macKsn || `C${request.ksn.slice(1)}`;
  builder.bytes(Uint8Array.of(MAC_BYTES, 0));
  const mac = request.hmac(bytesFromLatin1(builder.cardData), {variant: 'none', ksn});
  builder.bytes(mac).bytes(hexBytes(ksn));
}

function optionalByte(optional: string): number {
  return optional === '' ? 0 : Number.parseInt(optional, 16);
}
