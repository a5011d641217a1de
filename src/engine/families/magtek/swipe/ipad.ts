import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromHex} from '../../../../platform/bytes.js';
import {entryOf} from '../../../forms/entry-of.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {type FieldName, field, NO_FIELD, type TextField} from './string-layout.js';
import {swipeReading, textTracks} from './swipe.js';

/** The members of an IPAD string, by their number (docs/terminals/magtek.md#the-ipad-string). */
export const IPAD_MEMBERS: Readonly<Record<string, FieldName>> = Object.fromEntries([
  ...[
    field('device'),
    field('operation'),
    field('* encrypted', 'opaque'),
    field('MagnePrint encrypted', 'opaque'),
    field('masked *'),
    field('zeros'),
    field('status of each track'),
    field('KSN', 'harmless'),
    field('MagnePrint status'),
    field('KSN of the PIN', 'harmless'),
    field('PIN block encrypted', 'opaque'),
  ]
    .flat()
    .entries(),
  ['24', {name: 'serial number', sensitivity: 'harmless'}],
]);

export const OPERATION_KEYED = '33';
const OPERATIONS: Readonly<Record<string, string>> = {
  '11': 'swipe, credit',
  '21': 'swipe, debit',
  [OPERATION_KEYED]: 'keyed entry',
};

/** True for text that begins as an IPAD string does. */
export function isIpad(text: string): boolean {
  return /^\s*0~[A-Z][^|~]*(?:\||$)/i.test(text);
}

/**
 * Reads the keyboard string of an IPAD: number, `~`, value, `|`. Throws 2100 if a member is
 * malformed or given twice, 2102 if it ends before its KSN or a track is not whole blocks.
 */
export function readIpad(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const members = readNumbered(payload, trace);
  const text = (number: string) => members.get(number)?.text ?? '';
  const isEnded = payload.trimEnd().endsWith('|');
  if (!members.has('11') || !(isEnded || members.has('12')))
    throw new PaylensError(2102, 'expected the KSN in member 11 and a `|` after it');
  if (!isEnded) assertWholeEnd(members);
  const reading = swipeReading({
    form: 'IPAD keyboard string',
    tracks: textTracks((number) => members.get(String(number + 1))),
    masked: text('6') + text('7'),
    ksn: text('11') || undefined,
    serial: text('24'),
    ...(text('1') === OPERATION_KEYED ? {kind: 'keyed' as const} : {}),
  });
  const pinKsn = text('13');
  const pins = readPin(members.get('14'), pinKsn);
  const ksns = pinKsn === '' ? {} : {ksns: [text('11'), pinKsn]};
  return Object.assign({}, reading, pins, ksns);
}

/** Of members that a string without a final `|` may end with; that of others is not known. */
const DIGITS_AT_END: Readonly<Record<string, number>> = {12: 8, 13: 20, 14: 16};

function assertWholeEnd(members: ReadonlyMap<string, TextField>): void {
  const [last, {text, offset}] = [...members].at(-1) ?? ['', NO_FIELD];
  if (text.length === (DIGITS_AT_END[last] ?? text.length)) return;
  const detail = `member ${last} at character ${offset}: expected a \`|\` after it`;
  throw new PaylensError(2102, detail);
}

/** The PIN block of member 14 under the KSN of member 13. */
function readPin({text, offset}: TextField = NO_FIELD, pinKsn: string): Pick<Reading, 'pins'> {
  const ciphertext = text === '' ? undefined : bytesFromHex(text);
  if (!ciphertext) return {};
  return {pins: [{name: 'member 14', offset, ciphertext, ksn: pinKsn || undefined}]};
}

/** The values by their numbers. */
function readNumbered(payload: string, trace: Trace): ReadonlyMap<string, TextField> {
  const members = new Map<string, TextField>();
  for (const {0: whole, index} of payload.matchAll(/[^|]+\|?/g)) {
    if (whole.trim() === '') continue;
    const [, lead = '', number = '', value] = /^(\s*(\d{1,2})~)([^|~]*)/.exec(whole) ?? [];
    if (value === undefined) {
      throw new PaylensError(2100, `character ${index}: expected a number, \`~\` and a value`);
    }
    if (members.has(number)) {
      throw severalReads(`member ${number} at character ${index}: given twice`);
    }
    const offset = index + lead.length;
    const [, , second] = whole.split('~', 3);
    if (second !== undefined) {
      const end = offset + value.length;
      throw new PaylensError(2100, `character ${end}: expected a \`|\` before the next member`);
    }
    // The number is a part, too: the ciphertext of a track begins after it.
    trace.note({offset: index, length: lead.length, depth: 0, name: 'member', value: number});
    const length = whole.length - lead.length;
    if (length > 0)
      trace.note({offset, length, depth: 0, value, ...describeNumbered(number, value)});
    members.set(number, {text: value.trim(), offset});
  }
  return members;
}

function describeNumbered(number: string, value: string) {
  const member = entryOf(IPAD_MEMBERS, number) ?? {name: `unknown member ${number}`};
  const meaning = number === '1' ? entryOf(OPERATIONS, value) : undefined;
  return {...member, ...(meaning ? {meaning} : {})};
}
