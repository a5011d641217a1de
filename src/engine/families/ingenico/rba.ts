import {PaylensError} from '../../../contract/paylens-error.js';
import {severalReads} from '../../forms/one-read.js';
import {FS, type TextMessage} from '../../forms/text-message.js';
import type {Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {
  type Card,
  describeTrack,
  holdsNumber,
  isHidden,
  rbaMaskedCopy,
  readBareRecord,
  readCard,
  readMaskedTracks,
  takeSource,
} from './card-data.js';
import {readEmvMessage} from './emv-message.js';
import {CLOSED_TYPES, EXIT_TYPES, READ_TYPES} from './layout.js';
import {holdsMessage, openRbaMessage} from './message.js';
import {isSdeRecord} from './sde-record.js';

/**
 * Reads a message by its id, and text without an id as a bare record
 * (docs/terminals/ingenico.md#messages).
 *
 * Throws 2100 for other messages and messages without a card, 2102 if a field is truncated.
 */
export function readRba(payload: string, trace: Trace): Reading {
  const message = openRbaMessage(payload, trace);
  const id = /^\d\d\./.exec(message.rest)?.[0];
  if (id === undefined) return readBareRecord(message);
  const read = MESSAGES[id];
  if (!read) throw new PaylensError(2100, `expected message 23., 33., 41. or 87., found ${id}`);
  message.take(id.length, 'message id');
  return read(message);
}

const MESSAGES: Readonly<Record<string, (message: TextMessage) => Reading>> = {
  '23.': read23,
  '33.': readEmvMessage,
  '41.': read41,
  '87.': read87,
};

function read23(message: TextMessage): Reading {
  assertGoodExit(message);
  const source = takeSource(message);
  const card = readMaskedTracks(message);
  assertNoNextMessage(message);
  takeTrailing(message, 'further field', MAX_FURTHER_FIELDS);
  return readCard('RBA 23.x card read', card, source);
}

/** The card data is all of the rest; old SDKs insert FS characters into it, which are removed. */
function read87(message: TextMessage): Reading {
  assertGoodExit(message);
  const source = takeSource(message);
  const form = 'RBA 87.x card data';
  const record = message.withoutSeparators();
  return readCard(form, {record, masked: [], clear: []}, source);
}

/** Source, encryption type and three track states, with or without separators between them. */
const HEADER_41 = new RegExp(`^[A-Za-z]${FS}?(\\d{1,2})(?:${FS}?\\d){3}`);

function read41(message: TextMessage): Reading {
  const [, digits] = HEADER_41.exec(message.rest) ?? [];
  if (digits === undefined) {
    throw new PaylensError(
      2100,
      `41.x at ${message.unit} ${message.offset}: expected source, encryption type, track states`,
    );
  }
  const form = 'RBA 41.x card read';
  const source = takeSource(message);
  skipSeparator(message);
  message.take(digits.length, 'encryption type');
  for (const number of [1, 2, 3]) {
    skipSeparator(message);
    message.take(1, `track ${number} state`);
  }
  skipSeparator(message);
  const card = withFields(readMaskedTracks(message), message);
  const type = Number(digits);
  if (type !== 0 && !READ_TYPES.has(type)) {
    const name = CLOSED_TYPES[type] ?? 'EPS, Voltage, CardShield, Mercury, MagTek or TransArmor';
    const refusal = new PaylensError(2111, `Ingenico encryption type ${type}: ${name}`);
    return {form, mode: source.mode, candidates: [[]], refusal};
  }
  return readCard(form, card, source);
}

/** The fields of 41.x after the tracks: PAN, masked PAN, expiry, name, error. */
function withFields(card: Card, message: TextMessage): Card {
  assertNoNextMessage(message);
  const pan = message.field('PAN', describeTrack);
  const masked = message.field('PAN, masked').trim();
  const expiry = message.field('expiry, YYMM');
  message.field('cardholder name');
  takeTrailing(message, 'error', 1);
  return {
    ...card,
    masked: [
      ...card.masked,
      ...rbaMaskedCopy('PAN, masked', masked),
      ...(isHidden(pan) ? rbaMaskedCopy('PAN', pan) : []),
    ],
    clear: [...card.clear, pan],
    ...(/^(?!0000)\d{4}$/.test(expiry) ? {expiry} : {}),
  };
}

/** State code and card type, sent by later versions. */
const MAX_FURTHER_FIELDS = 2;
/** Length of codes and a line of text; longer fields are unexpected. */
const MAX_FURTHER_CHARS = 40;

/** No other message may follow the record, with or without a separator before it. Throws 2100. */
function assertNoNextMessage({rest, unit, offset}: TextMessage): void {
  if (!holdsMessage(rest)) return;
  throw severalReads(`a second message follows ${unit} ${offset}`);
}

/** Reads the fields after the card; a second card is an error. Throws 2100. */
function takeTrailing(message: TextMessage, name: string, most: number): void {
  for (let count = 0; message.rest.trim() !== ''; count++) {
    const {offset, unit} = message;
    const value = message.peek();
    const isField = count < most && value.length <= MAX_FURTHER_CHARS;
    if (!isField || isSdeRecord(value) || holdsNumber(value)) {
      throw severalReads(`${unit} ${offset}: a second card read, or more fields than expected`);
    }
    message.field(name);
  }
  message.take(message.rest.length, 'line ending');
}

function skipSeparator(message: TextMessage): void {
  if (message.rest.startsWith(FS)) message.take(1, 'FS');
}

function assertGoodExit(message: TextMessage): void {
  const {offset} = message;
  const exit = message.take(1, 'exit type', (value) => ({meaning: EXIT_TYPES[value] ?? 'unknown'}));
  if (exit === '0') return;
  const meaning = EXIT_TYPES[exit];
  const found = meaning === undefined ? 'an unknown one' : `${exit} (${meaning})`;
  const detail = `exit type at ${message.unit} ${offset}: expected 0 (good read), found ${found}`;
  throw new PaylensError(2100, detail);
}
