import {PaylensError} from '../../../../contract/paylens-error.js';
import type {Reading} from '../../../reading.js';
import type {Trace} from '../../../trace.js';
import {entryOf} from '../../shared/entry-of.js';
import {membersWithin, noteJson, parseJsonPayload} from '../../shared/json-payload.js';
import {namesMagnePrint} from '../../shared/names-magneprint.js';
import {severalReads} from '../../shared/one-read.js';
import {statusMeaning, statusOf} from './status.js';
import type {FieldName} from './string-layout.js';
import {swipeReading, trackBytes} from './swipe.js';

/** What a member is, under the names that programs, SDKs and gateways give it. */
type Role =
  | `track${1 | 2 | 3}`
  | `masked${'' | 1 | 2 | 3}`
  | 'ksn'
  | 'serial'
  | 'status'
  | 'format'
  | 'tlv'
  | 'other';

interface MemberName extends FieldName {
  readonly role: Role;
  /** A name that only gateways use: without the device the payload is not recognised by it. */
  readonly isGateway?: true;
}

const track = (number: 1 | 2 | 3, isGateway?: true): MemberName => ({
  name: `track ${number} encrypted`,
  sensitivity: 'opaque',
  role: `track${number}`,
  ...(isGateway ? {isGateway} : {}),
});
const harmless = (name: string, role: Role, isGateway?: true): MemberName => ({
  ...{name, role, sensitivity: 'harmless'},
  ...(isGateway ? {isGateway} : {}),
});
const opaque = (name: string): MemberName => ({name, role: 'other', sensitivity: 'opaque'});
const plain = (name: string, role: Role = 'other'): MemberName => ({name, role});

/**
 * The members of label lines, SDK card data and gateways' JSON, by their name without spaces, dots
 * and case (docs/formats/magtek.md#members).
 */
const MEMBERS: Readonly<Record<string, MemberName>> = {
  dukptkeyserialnumber: harmless('KSN', 'ksn'),
  ksn: harmless('KSN', 'ksn'),
  encryptionkeyid: harmless('KSN', 'ksn', true),
  encryptedkey: harmless('KSN', 'ksn', true),
  track1encrypted: track(1),
  track2encrypted: track(2),
  track3encrypted: track(3),
  track1: track(1, true),
  track2: track(2, true),
  track3: track(3, true),
  enctrack1: track(1, true),
  enctrack2: track(2, true),
  enctrack3: track(3, true),
  securepaymentaccountdata: track(2, true),
  encryptedblock: track(2, true),
  tracksmasked: plain('masked tracks', 'masked'),
  track1masked: plain('masked track 1', 'masked1'),
  track2masked: plain('masked track 2', 'masked2'),
  track3masked: plain('masked track 3', 'masked3'),
  deviceserialnumber: harmless('serial number', 'serial'),
  deviceserial: harmless('serial number', 'serial'),
  devicesn: harmless('serial number', 'serial', true),
  encryptionstatus: plain('reader status', 'status'),
  encryptedformat: plain('format', 'format'),
  tlvpayload: plain('the same read as SCRA TLV', 'tlv'),
  magneprintdata: opaque('MagnePrint encrypted'),
  magneprintencrypted: opaque('MagnePrint encrypted'),
  identificationinformation: opaque('MagnePrint encrypted'),
  encmp: opaque('MagnePrint encrypted'),
  magneprint: opaque('MagnePrint encrypted'),
  mp: opaque('MagnePrint encrypted'),
  magneprintstatus: plain('MagnePrint status'),
  swipestatus: plain('MagnePrint status'),
  mpstatus: plain('MagnePrint status'),
  encryptedsessionid: opaque('session ID encrypted'),
  sessionid: opaque('session ID encrypted'),
  cardencodetype: plain('card encode type'),
  cardstatus: plain('card status'),
  cardpanlength: plain('length of the PAN'),
  responsetype: plain('response type'),
  tlvversion: plain('TLV version'),
  trackdecodestatus: plain('decode status of the tracks'),
  encryptionblocktype: plain('type of the encrypted block'),
};

/** The labels of the demonstration program, as it writes them. */
export const LABELS = {
  type: 'Card Encode Type',
  ksn: 'DUKPT Key Serial Number',
  serial: 'Device Serial Number',
  track: ['Track 1 Encrypted', 'Track 2 Encrypted', 'Track 3 Encrypted'],
  masked: ['Track 1 Masked', 'Track 2 Masked', 'Track 3 Masked'],
} as const;

/** A member's name in the table: `Track 1 Encrypted`, `Track1.Encrypted`, `ENCTRACK1`. */
function nameOf(given: string): MemberName | undefined {
  const compact = given.replace(/\(hex\)/i, '').replaceAll(/[^A-Za-z\d]/g, '');
  return entryOf(MEMBERS, compact.toLowerCase());
}

/**
 * True for JSON or lines with the names of the demonstration program or an SDK, or with a member for
 * the MagnePrint; other names of gateways do not tell who sent them.
 */
export function isMembers(text: string): boolean {
  if (namesMagnePrint(text) && A_TRACK.test(text) && A_KSN.test(text)) return true;
  if (!/track ?[123][ .]?encrypted/i.test(text)) return false;
  return /"ksn"|(?:^|[\r\n])\s*ksn\s*=|dukpt key serial number/i.test(text);
}

/** Names at the beginning of a line, in quotes, or behind `&`. */
const named = (names: string) =>
  new RegExp(`(?:^|["\\n&])\\s{0,8}(?:${names})["\\s]{0,8}[:=]`, 'i');
const A_TRACK = named('(?:Enc)?Track[123]|SecurePaymentAccountData|EncryptedBlock');
const A_KSN = named('KSN|EncryptionKeyId|EncryptedKey');

/** True for text that may be members of any name. */
export function mayBeMembers(text: string): boolean {
  return /^\s*\{/.test(text) || /^\s*[A-Za-z][\w .()]*=/.test(text);
}

interface Given {
  readonly name: MemberName;
  readonly text: string;
  readonly offset: number;
}

/**
 * Reads label lines, `name=value` lines or one JSON object. Throws 2100 if it has none of the names
 * or one twice, 2102 if a track is not whole blocks.
 */
export function readMembersOf(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const isJson = payload.trimStart().startsWith('{');
  const given = isJson ? jsonMembers(payload, trace) : lineMembers(payload, trace);
  const byRole = new Map<Role, Given>();
  for (const one of given) addMember(byRole, one);
  const text = (role: Role) => byRole.get(role)?.text ?? '';
  demandMagneSafe(text('format'));
  demandSameRead(text('tlv'), byRole);
  const masked = text('masked1') + text('masked2');
  return swipeReading({
    form: isJson ? 'members in JSON' : 'labelled lines',
    tracks: ([1, 2, 3] as const).map((number) => {
      const {text: hex = '', offset = 0} = byRole.get(`track${number}`) ?? {};
      return {number, offset, bytes: trackBytes(number, hex, offset)};
    }),
    masked: masked || text('masked'),
    ksn: text('ksn') || undefined,
    serial: text('serial'),
    status: statusOf(text('status'), false),
  });
}

function addMember(byRole: Map<Role, Given>, given: Given): void {
  const {role, name} = given.name;
  if (role === 'other') return;
  const before = byRole.get(role);
  if (before && contradicts(before, given)) {
    throw severalReads(`${name} at character ${before.offset} and at ${given.offset}: two values`);
  }
  if (!before?.text) byRole.set(role, given);
}

/** Two names of one role may stand beside each other if one is empty; one name has one value. */
function contradicts(before: Given, given: Given): boolean {
  if (before.text === given.text) return false;
  return before.name === given.name || (before.text !== '' && given.text !== '');
}

/** One gateway names the manufacturer beside the block. */
function demandMagneSafe(format: string): void {
  if (/^(?:|1|.*magne?.*)$/i.test(format)) return;
  if (/^3$|on-?guard/i.test(format)) {
    throw new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)');
  }
  throw new PaylensError(2100, 'EncryptedFormat: the block is not of a MagTek reader');
}

/** The TLV form that an SDK adds must be of the same read. */
function demandSameRead(tlv: string, byRole: ReadonlyMap<Role, Given>): void {
  if (tlv === '') return;
  const whole = compactHexOf(tlv);
  for (const role of ['track1', 'track2', 'track3', 'ksn'] as const) {
    const one = byRole.get(role);
    if (one && !whole.includes(compactHexOf(one.text))) {
      throw severalReads(`${one.name.name} at character ${one.offset}: not that of TLV Payload`);
    }
  }
}

function compactHexOf(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

function jsonMembers(payload: string, trace: Trace): Given[] {
  const object = parseJsonPayload(payload);
  noteJson(payload, trace, (name, value) => describe(nameOf(name), value));
  const isOwn = (member: string) => nameOf(member) !== undefined;
  return [...membersWithin(object, isOwn)].flatMap(([member, value]) => {
    const name = nameOf(member);
    if (!name) return [];
    if (typeof value === 'string') {
      return [{name, text: compactIfHex(name, value), offset: payload.indexOf(`"${member}"`)}];
    }
    if (name.role === 'other') return [];
    throw new PaylensError(2100, `${name.name}: expected a string`);
  });
}

/** Hex is often written in pairs; a masked track keeps its spaces. */
function compactIfHex({role}: MemberName, value: string): string {
  return role.startsWith('masked') ? value.trim() : value.replaceAll(/\s/g, '');
}

/** A line with the breaks around it, or a pair with its `&`. */
const LINES = /[\r\n]*[^\r\n]+[\r\n]*/g;
const PAIRS = /[^&]+&?/g;
const PAIR = /^(\s*([A-Za-z][\w .()]{0,60}?)[ \t]*=[ \t]*)([^\r\n&]*)/;

function lineMembers(payload: string, trace: Trace): Given[] {
  const isLines = /[\r\n]/.test(payload.trim()) || !payload.includes('&');
  return [...payload.matchAll(isLines ? LINES : PAIRS)].flatMap(({0: line, index}) => {
    const [, lead = '', label, value = ''] = PAIR.exec(line) ?? [];
    if (label === undefined) {
      if (line.trim() === '') return [];
      throw new PaylensError(2100, `character ${index}: expected a name, \`=\` and a value`);
    }
    const name = nameOf(label) ?? {name: 'unknown member', role: 'other' as const};
    demandShort(name, value.trim(), index);
    const offset = index + lead.length;
    const length = line.length - lead.length;
    trace.note({offset: index, length: lead.length, depth: 0, name: 'label', value: label});
    const part = {offset, length, depth: 0, name: name.name, value: value.trim()};
    if (length > 0) trace.note({...part, ...describe(name, value)});
    return [{name, text: compactIfHex(name, value), offset}];
  });
}

/** What runs on behind a short value, or names a member inside it, is of another read. Throws 2100. */
function demandShort({role, sensitivity}: MemberName, value: string, index: number): void {
  if (role.startsWith('track') || role === 'tlv') return;
  const isShort = role.startsWith('masked') ? MASKED : sensitivity === 'opaque' ? PRINT : SHORT;
  if (isShort.test(value)) return;
  throw severalReads(`the value at character ${index} belongs to another read`);
}

const SHORT = /^[\w .,:+/()-]{0,48}$/;
/** 56 or 64 bytes in hex, with spaces between them. */
const PRINT = /^[\dA-F]{0,128}$|^(?:[\dA-F]{2} ?){0,64}$/i;
/** Tracks from sentinel to sentinel, one behind the other. */
const MASKED = /^(?:[^\w\s][^?]{0,110}\?){0,3}$/;

function describe(name: MemberName | undefined, value = '') {
  const {role, sensitivity} = name ?? {};
  const status = role === 'status' ? statusOf(value, false) : undefined;
  const meaning = status === undefined ? name?.name : statusMeaning(status);
  return {...(meaning ? {meaning} : {}), ...(sensitivity ? {sensitivity} : {})};
}
