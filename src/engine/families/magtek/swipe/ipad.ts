import {PaylensError} from '../../../../contract/paylens-error.js';
import {bytesFromHex} from '../../../../platform/bytes.js';
import {entryOf} from '../../../forms/entry-of.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import type {FieldName} from './string-layout.js';
import {swipeReading, trackBytes} from './swipe.js';

/** The members of an IPAD string, by their number (docs/terminals/magtek.md#the-ipad-string). */
export const IPAD_MEMBERS: Readonly<Record<string, FieldName>> = {
  '0': {name: 'device'},
  '24': {name: 'serial number', sensitivity: 'harmless'},
  '1': {name: 'operation'},
  '2': {name: 'track 1 encrypted', sensitivity: 'opaque'},
  '3': {name: 'track 2 encrypted', sensitivity: 'opaque'},
  '4': {name: 'track 3 encrypted', sensitivity: 'opaque'},
  '5': {name: 'MagnePrint encrypted', sensitivity: 'opaque'},
  '6': {name: 'masked track 1'},
  '7': {name: 'masked track 2'},
  '8': {name: 'masked track 3'},
  '9': {name: 'zeros'},
  '10': {name: 'status of each track'},
  '11': {name: 'KSN', sensitivity: 'harmless'},
  '12': {name: 'MagnePrint status'},
  '13': {name: 'KSN of the PIN', sensitivity: 'harmless'},
  '14': {name: 'PIN block encrypted', sensitivity: 'opaque'},
};

const OPERATIONS: Readonly<Record<string, string>> = {
  '11': 'swipe, credit',
  '21': 'swipe, debit',
  '33': 'keyed entry',
};
export const OPERATION_KEYED = '33';

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
  const members = membersOf(payload, trace);
  const text = (number: string) => members.get(number)?.text ?? '';
  const isCut = !payload.trimEnd().endsWith('|') && !members.has('12');
  if (isCut || !members.has('11')) {
    throw new PaylensError(2102, 'expected the KSN in member 11 and a `|` after it');
  }
  const pinKsn = text('13');
  const reading = swipeReading({
    form: 'IPAD keyboard string',
    tracks: ([1, 2, 3] as const).map((number) => {
      const {text: hex, offset} = members.get(String(number + 1)) ?? {text: '', offset: 0};
      return {number, offset, bytes: trackBytes(number, hex, offset)};
    }),
    masked: text('6') + text('7'),
    ksn: text('11') || undefined,
    serial: text('24'),
    ...(text('1') === OPERATION_KEYED ? {kind: 'keyed' as const} : {}),
  });
  const told = {...reading, ...pinOf(members)};
  return pinKsn === '' ? told : {...told, ksns: [text('11'), pinKsn]};
}

interface Member {
  readonly text: string;
  /** Of the value. */
  readonly offset: number;
}

/** Members 13 and 14. */
function pinOf(members: ReadonlyMap<string, Member>): Pick<Reading, 'pins'> {
  const {text: hex = '', offset = 0} = members.get('14') ?? {};
  const ciphertext = hex === '' ? undefined : bytesFromHex(hex);
  if (!ciphertext) return {};
  const ksn = members.get('13')?.text || undefined;
  return {pins: [{name: 'member 14', offset, ciphertext, ksn}]};
}

function membersOf(payload: string, trace: Trace): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const {0: all, index} of payload.matchAll(/[^|]+\|?/g)) {
    if (all.trim() === '') continue;
    const [, lead = '', number = '', value] = /^(\s*(\d{1,2})~)([^|~]*)/.exec(all) ?? [];
    if (value === undefined) {
      throw new PaylensError(2100, `character ${index}: expected a number, \`~\` and a value`);
    }
    if (members.has(number)) {
      throw severalReads(`member ${number} at character ${index}: given twice`);
    }
    note(trace, {index, lead, all, number, value});
    members.set(number, {text: value.trim(), offset: index + lead.length});
  }
  return members;
}

interface Noted {
  readonly index: number;
  readonly lead: string;
  readonly all: string;
  readonly number: string;
  readonly value: string;
}

/** The number is a part, too: the ciphertext of a track begins behind it. */
function note(trace: Trace, {index, lead, all, number, value}: Noted): void {
  const member = entryOf(IPAD_MEMBERS, number) ?? {name: `unknown member ${number}`};
  const meaning = number === '1' ? entryOf(OPERATIONS, value) : undefined;
  trace.note({offset: index, length: lead.length, depth: 0, name: 'member', value: number});
  const [offset, length] = [index + lead.length, all.length - lead.length];
  if (length === 0) return;
  trace.note({offset, length, depth: 0, value, ...member, ...(meaning ? {meaning} : {})});
}
