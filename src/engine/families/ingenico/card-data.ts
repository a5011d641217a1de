import {PaylensError} from '../../../contract/paylens-error.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import {NO_CARD_DATA} from '../../card/clear-tags.js';
import {hasCiphertext, isClearCard} from '../../card/is-clear-card.js';
import {type MaskedPan, maskedByZeros, maskedText, maskedTrack} from '../../card/masked-pans.js';
import {severalReads} from '../../forms/one-read.js';
import type {Described, TextMessage} from '../../forms/text-message.js';
import type {Reading} from '../../reading.js';
import {CARD_SOURCES, type CardSource} from './layout.js';
import {readOnGuard} from './on-guard.js';
import {isSdeRecord, readSdeRecord} from './sde-record.js';

/** Everything a message states about a card. */
export interface Card {
  /** The field that may contain the ciphertext. */
  readonly record: TextMessage;
  /** Masked copies of the card number outside the record. */
  readonly masked: readonly MaskedPan[];
  /** Fields that are clear card data when the terminal does not encrypt. */
  readonly clear: readonly string[];
  /** YYMM, in cleartext. */
  readonly expiry?: string;
}

/** Reads the card source. Throws 2100 if it is unknown. */
export function takeSource(message: TextMessage): CardSource {
  const {offset} = message;
  const name = message.take(1, 'card source', (value) => ({
    meaning: CARD_SOURCES[value]?.meaning ?? 'unknown',
  }));
  const source = CARD_SOURCES[name];
  if (source) return source;
  const detail = `card source at ${message.unit} ${offset}: expected M, C, E, S, Q, H, T or m`;
  throw new PaylensError(2100, detail);
}

/** Reads the masked tracks 1 and 2, and track 3, which is the ciphertext. */
export function readMaskedTracks(message: TextMessage): Card {
  const clear = [1, 2].map((n) => message.field(`track ${n}, masked`, describeTrack));
  const masked = clear.flatMap((track, i) => rbaMaskedCopy(`track ${i + 1}, masked`, track));
  return {record: message.fieldMessage(), masked, clear};
}

/**
 * Reads the record of a card (docs/terminals/ingenico.md#track-3-record,
 * docs/terminals/ingenico.md#on-guard-record). Throws 2100 if there is no card data or it is not a
 * record, 2102 if a record is truncated.
 */
export function readCard(form: string, card: Card, source: CardSource): Reading {
  const {record, masked, clear, expiry} = card;
  const {mode, byHand = false} = source;
  const text = record.rest;
  const other = clear.findIndex(isSdeRecord);
  if (other >= 0) throw severalReads(`there is a record in track ${other + 1} and one in track 3`);
  const refused = (refusal: PaylensError) => ({form, mode, candidates: [[]], refusal});
  if (text.trim() === '') return refused(noEncryptedField(card));
  if (isSdeRecord(text)) {
    const clear = expiry === undefined ? {} : {clear: {expiry}};
    return readSdeRecord(record, {form, mode, masked, ...clear});
  }
  if (isClearCard(text) || (clear.some(isShownDigit) && !maskFits(record, byHand))) {
    record.field('card data, clear', {sensitivity: 'card'});
    return refused(new PaylensError(2110, 'the card data is a cleartext track'));
  }
  return refused(readOnGuard(record, byHand));
}

/**
 * Reads a record that comes without a message: an On-Guard record, swiped or keyed, or a track 3
 * record.
 */
export function readBareRecord(message: TextMessage): Reading {
  const text = message.rest;
  if (isSdeRecord(text)) return readSdeRecord(message, {form: 'bare record', masked: []});
  if (isClearCard(text) && !hasCiphertext(text))
    throw new PaylensError(2110, 'the payload is a cleartext track');
  if (!/^\d{10}/.test(text)) {
    throw new PaylensError(
      2100,
      `${message.unit} ${message.offset}: expected message 23., 33., 41. or 87., or a bare record`,
    );
  }
  const byHand = maskFits(message, true) && !maskFits(message, false);
  return {form: 'bare On-Guard record', candidates: [[]], refusal: readOnGuard(message, byHand)};
}

/** True for an On-Guard record. */
function maskFits(message: TextMessage, byHand: boolean): boolean {
  return unlessThrown(() => readOnGuard(message.unnoted(), byHand)) !== undefined;
}

/** A track is clear card data unless zeros or asterisks hide the middle of its number. */
export function describeTrack(track: string): Described {
  return isShownDigit(track) ? {sensitivity: 'card'} : {};
}

function isShownDigit(track: string): boolean {
  const pan = shownPan(track);
  return pan !== undefined && !(/^[%;]/.test(track) && isHidden(pan));
}

/** True if at most the first six and last four digits are visible. */
export function isHidden(pan: string): boolean {
  return /^\d{6}[0*]+\d{4}$/.test(pan);
}

/** The card number of a track, or a bare one, masked or not; undefined if there is none. */
function shownPan(track: string): string | undefined {
  const [, one, two] = /^(?:%?[A-Z]([\d *]{12,23})\^|;?([\d*]{12,19})(?:=|$))/.exec(track) ?? [];
  return (one ?? two)?.replaceAll(' ', '');
}

/** True for a track or a card number, masked or not. */
export function holdsNumber(text: string): boolean {
  return shownPan(text) !== undefined;
}

/** The masked copy in a track or a number. */
export function rbaMaskedCopy(name: string, text: string): MaskedPan[] {
  const copies = /[=^]/.test(text) ? maskedTrack(name, text) : maskedText(name, text);
  return maskedByZeros(copies, VISIBLE_DIGITS);
}

/** Visible digits of a masked number. */
export const VISIBLE_DIGITS = {head: 6, tail: 4};

function noEncryptedField({clear}: Card): PaylensError {
  if (!clear.some(isShownDigit)) return new PaylensError(2100, NO_CARD_DATA);
  const detail = 'the tracks contain a cleartext card number, and no data is encrypted';
  return new PaylensError(2110, detail);
}
