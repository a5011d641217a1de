import {CARD, HARMLESS, type MemberRow, memberForm, OPAQUE} from '../../forms/members.js';
import type {NameTable} from '../about.js';

/**
 * The members of requests, by the names that processors use. A name counts in any case, with or
 * without `_`, `-` and spaces (docs/terminals/forwarded.md#requests).
 */
const FORWARDED_MEMBERS = {
  track1: {meaning: 'track 1 encrypted', names: ['track1', 'track1data', '0x56'], ...OPAQUE},
  track2: {meaning: 'track 2 encrypted', names: ['track2', 'track2data', '0x57'], ...OPAQUE},
  track3: {meaning: 'track 3 encrypted', names: ['track3', 'track3data', '0x58'], ...OPAQUE},
  data: {meaning: 'encrypted value', names: ['data'], ...OPAQUE},
  ksn: {meaning: 'KSN', names: ['ksn', 'keyserialnumber', '0x1f8102'], ...HARMLESS},
  iv: {meaning: 'IV', names: ['iv'], ...OPAQUE},
  terminal: {meaning: 'type of the terminal', names: ['poitype', 'vendor']},
  serial: {meaning: 'serial number', names: ['serial', 'serialno', 'serialnumber'], ...HARMLESS},
  format: {meaning: 'format of the encrypted value', names: ['format', 'tag']},
  padding: {meaning: 'padding', names: ['padding']},
  encoding: {meaning: 'encoding of the values', names: ['encoding']},
  masked: {
    meaning: 'masked card number',
    names: ['pan', 'maskedpan', 'numbermasked', 'maskedcardnumber'],
    ...CARD,
  },
  first6: {
    meaning: 'first digits of the card number',
    names: ['numberfirst6', '0x1f8103'],
    ...CARD,
  },
  last4: {meaning: 'last digits of the card number', names: ['numberlast4', '0x1f8104'], ...CARD},
  list: {meaning: 'EMV data', names: ['emvdata', 'iccrelateddata'], ...CARD},
  pin: {meaning: 'PIN block', names: ['pindata', 'pinblock', 'pin', '0x99'], ...OPAQUE},
  pinKsn: {meaning: 'KSN of the PIN', names: ['pinksn'], ...HARMLESS},
  pinFormat: {meaning: 'format of the PIN block', names: ['pinformat'], ...HARMLESS},
} as const satisfies Readonly<Record<string, MemberRow & {readonly meaning: string}>>;

/** What a member of a request holds, if the reader uses it. */
export type ForwardedRole = keyof typeof FORWARDED_MEMBERS;

/** The members of a request, for the pages of the terminals. */
export const FORWARDED_TABLE: NameTable = {
  title: 'Members of a request, in any case, with or without `_` and `-`',
  head: ['members', 'meaning'],
  rows: Object.values(FORWARDED_MEMBERS).map(({names, meaning}) => [
    names.map((name) => `\`${name}\``).join(', '),
    meaning,
  ]),
};

/** Objects of the PIN, whose key is another than that of the card. */
export const ASIDE: ReadonlySet<string> = new Set(['pinencryptionparams', 'verificationdata']);

/** A name without `_`, `-` and spaces, in lower case. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}

/** The members that the reader uses. */
export const FORWARDED_FORM = memberForm<ForwardedRole>(FORWARDED_MEMBERS, plainName);
