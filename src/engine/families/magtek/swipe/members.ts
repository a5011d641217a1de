import {PaylensError} from '../../../../contract/paylens-error.js';
import {membersWithin, noteJson, parseJsonPayload} from '../../../forms/json-payload.js';
import {type MemberRow, memberForm} from '../../../forms/members.js';
import {namesMagnePrint} from '../../../forms/names-magneprint.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import type {Part, Sensitivity, Trace} from '../../../trace.js';
import {statusMeaning, statusOf} from './status.js';
import {swipeReading, trackBytes} from './swipe.js';

/** A row of the table: its names follow each other, separated by spaces. */
function row(meaning: string, names: string, sensitivity?: Sensitivity): MemberRow {
  return {meaning, names: names.split(' '), ...(sensitivity ? {sensitivity} : {})};
}

/** The members that are read: all names of one role have the same value. */
const READ = {
  ksn: row('KSN', 'ksn dukptkeyserialnumber encryptionkeyid encryptedkey', 'harmless'),
  track1: row('track 1 encrypted', 'track1encrypted track1 enctrack1', 'opaque'),
  track2: row(
    'track 2 encrypted',
    'track2encrypted track2 enctrack2 securepaymentaccountdata encryptedblock',
    'opaque',
  ),
  track3: row('track 3 encrypted', 'track3encrypted track3 enctrack3', 'opaque'),
  masked: row('masked tracks', 'tracksmasked'),
  masked1: row('masked track 1', 'track1masked'),
  masked2: row('masked track 2', 'track2masked'),
  masked3: row('masked track 3', 'track3masked'),
  serial: row('serial number', 'deviceserialnumber deviceserial devicesn', 'harmless'),
  status: row('reader status', 'encryptionstatus'),
  format: row('format', 'encryptedformat'),
  tlv: row('the same read as SCRA TLV', 'tlvpayload'),
};

/**
 * The members of label lines, SDK card data and gateways' JSON, by their name without spaces, dots
 * and case (docs/terminals/magtek.md#members).
 */
const FORM = memberForm<Role>(
  {
    ...READ,
    print: row(
      'MagnePrint encrypted',
      'magneprintdata magneprintencrypted identificationinformation encmp magneprint mp',
      'opaque',
    ),
    printStatus: row('MagnePrint status', 'magneprintstatus swipestatus mpstatus'),
    session: row('session ID encrypted', 'encryptedsessionid sessionid', 'opaque'),
    encodeType: row('card encode type', 'cardencodetype'),
    cardStatus: row('card status', 'cardstatus'),
    panLength: row('length of the PAN', 'cardpanlength'),
    responseType: row('response type', 'responsetype'),
    tlvVersion: row('TLV version', 'tlvversion'),
    decodeStatus: row('decode status of the tracks', 'trackdecodestatus'),
    blockType: row('type of the encrypted block', 'encryptionblocktype'),
  },
  compactName,
);

type ReadRole = keyof typeof READ;
type Role =
  | ReadRole
  | ('print' | 'printStatus' | 'session' | 'encodeType' | 'cardStatus')
  | ('panLength' | 'responseType' | 'tlvVersion' | 'decodeStatus' | 'blockType');

function isRead(role: Role | undefined): role is ReadRole {
  return role !== undefined && Object.hasOwn(READ, role);
}

/** The labels of the demonstration program, as it writes them. */
export const LABELS = {
  type: 'Card Encode Type',
  ksn: 'DUKPT Key Serial Number',
  serial: 'Device Serial Number',
  track: ['Track 1 Encrypted', 'Track 2 Encrypted', 'Track 3 Encrypted'],
  masked: ['Track 1 Masked', 'Track 2 Masked', 'Track 3 Masked'],
} as const;

/** The same name for `Track 1 Encrypted`, `Track1.Encrypted` and `track1encrypted(hex)`. */
function compactName(given: string): string {
  return given
    .replace(/\(hex\)/i, '')
    .replaceAll(/[^A-Za-z\d]/g, '')
    .toLowerCase();
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
  readonly role: ReadRole;
  /** As it was given, in compact form. */
  readonly name: string;
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
  const byRole = new Map<ReadRole, Given>();
  for (const one of given) addMember(byRole, one);
  const text = (role: ReadRole) => byRole.get(role)?.text ?? '';
  assertMagneSafe(text('format'));
  assertSameRead(text('tlv'), byRole);
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

function addMember(byRole: Map<ReadRole, Given>, given: Given): void {
  const {role} = given;
  const before = byRole.get(role);
  if (before && contradicts(before, given)) {
    throw severalReads(
      `${READ[role].meaning} at character ${before.offset} and at ${given.offset}: two values`,
    );
  }
  if (!before?.text) byRole.set(role, given);
}

/** Two names of one role may stand beside each other if one is empty; one name has one value. */
function contradicts(before: Given, given: Given): boolean {
  if (before.text === given.text) return false;
  return before.name === given.name || (before.text !== '' && given.text !== '');
}

/** One gateway names the manufacturer beside the block. */
function assertMagneSafe(format: string): void {
  if (/^(?:|1|.*magne?.*)$/i.test(format)) return;
  if (/^3$|on-?guard/i.test(format)) {
    throw new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)');
  }
  throw new PaylensError(2100, 'EncryptedFormat: the block is not of a MagTek reader');
}

/** The TLV form that an SDK adds must be of the same read. */
function assertSameRead(tlv: string, byRole: ReadonlyMap<ReadRole, Given>): void {
  if (tlv === '') return;
  const whole = compactHexOf(tlv);
  for (const role of ['track1', 'track2', 'track3', 'ksn'] as const) {
    const one = byRole.get(role);
    if (one && !whole.includes(compactHexOf(one.text))) {
      throw severalReads(
        `${READ[role].meaning} at character ${one.offset}: not that of TLV Payload`,
      );
    }
  }
}

function compactHexOf(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

function jsonMembers(payload: string, trace: Trace): Given[] {
  const object = parseJsonPayload(payload);
  noteJson(payload, trace, describe);
  const isOwn = (member: string) => FORM.roleOf(member) !== undefined;
  return [...membersWithin(object, isOwn)].flatMap(([member, value]) => {
    const role = FORM.roleOf(member);
    if (!isRead(role)) return [];
    if (typeof value !== 'string')
      throw new PaylensError(2100, `${READ[role].meaning}: expected a string`);
    return [givenMember(role, member, value, payload.indexOf(`"${member}"`))];
  });
}

/** Hex is often written in pairs; a masked track keeps its spaces. */
function givenMember(role: ReadRole, name: string, value: string, offset: number): Given {
  const text = role.startsWith('masked') ? value.trim() : value.replaceAll(/\s/g, '');
  return {role, name: compactName(name), text, offset};
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
    const role = FORM.roleOf(label);
    const said = {meaning: 'unknown member', ...FORM.describe(label)};
    assertShort(role, said.sensitivity, value.trim(), index);
    const offset = index + lead.length;
    const length = line.length - lead.length;
    trace.note({offset: index, length: lead.length, depth: 0, name: 'label', value: label});
    const part = {offset, length, depth: 0, name: said.meaning, value: value.trim()};
    if (length > 0) trace.note({...part, ...said, ...describe(label, value)});
    return isRead(role) ? [givenMember(role, label, value, offset)] : [];
  });
}

/** What runs on behind a short value, or names a member inside it, is of another read. Throws 2100. */
function assertShort(
  role: Role | undefined,
  sensitivity: Sensitivity | undefined,
  value: string,
  index: number,
): void {
  if (/^(?:track|tlv$)/.test(role ?? '')) return;
  const isShort = role?.startsWith('masked') ? MASKED : sensitivity === 'opaque' ? PRINT : SHORT;
  if (isShort.test(value)) return;
  throw severalReads(`the value at character ${index} belongs to another read`);
}

const SHORT = /^[\w .,:+/()-]{0,48}$/;
/** 56 or 64 bytes in hex, with spaces between them. */
const PRINT = /^[\dA-F]{0,128}$|^(?:[\dA-F]{2} ?){0,64}$/i;
/** Tracks from sentinel to sentinel, one behind the other. */
const MASKED = /^(?:[^\w\s][^?]{0,110}\?){0,3}$/;

function describe(name: string, value = ''): Pick<Part, 'meaning' | 'sensitivity'> {
  const status = FORM.roleOf(name) === 'status' ? statusOf(value, false) : undefined;
  return {
    ...FORM.describe(name),
    ...(status === undefined ? {} : {meaning: statusMeaning(status)}),
  };
}
