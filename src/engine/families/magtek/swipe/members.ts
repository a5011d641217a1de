import {PaylensError} from '../../../../contract/paylens-error.js';
import {membersWithin, readJsonPayload} from '../../../forms/json-payload.js';
import {type MemberRow, memberForm, textPieces} from '../../../forms/members.js';
import {severalReads} from '../../../forms/one-read.js';
import type {Reading} from '../../../reading.js';
import type {Part, Sensitivity, Trace} from '../../../trace.js';
import {statusMeaning, statusOf} from './status.js';
import {NO_FIELD, type TextField} from './string-layout.js';
import {swipeReading, textTracks} from './swipe.js';

/** A row of the table: its names follow each other, separated by spaces. */
function memberRow(meaning: string, names: string, sensitivity?: Sensitivity): MemberRow {
  return {meaning, names: names.split(' '), ...(sensitivity ? {sensitivity} : {})};
}

/** The members that are read: all names of one role have the same value. */
const READ_MEMBERS = {
  ksn: memberRow('KSN', 'ksn dukptkeyserialnumber encryptionkeyid encryptedkey', 'harmless'),
  track1: memberRow('track 1 encrypted', 'track1encrypted track1 enctrack1', 'opaque'),
  track2: memberRow(
    'track 2 encrypted',
    'track2encrypted track2 enctrack2 securepaymentaccountdata encryptedblock',
    'opaque',
  ),
  track3: memberRow('track 3 encrypted', 'track3encrypted track3 enctrack3', 'opaque'),
  masked: memberRow('masked tracks', 'tracksmasked'),
  masked1: memberRow('masked track 1', 'track1masked'),
  masked2: memberRow('masked track 2', 'track2masked'),
  masked3: memberRow('masked track 3', 'track3masked'),
  serial: memberRow('serial number', 'deviceserialnumber deviceserial devicesn', 'harmless'),
  status: memberRow('reader status', 'encryptionstatus'),
  format: memberRow('format', 'encryptedformat'),
  tlv: memberRow('the same read as SCRA TLV', 'tlvpayload'),
};

const OTHER_MEMBERS = {
  print: memberRow(
    'MagnePrint encrypted',
    'magneprintdata magneprintencrypted identificationinformation encmp magneprint mp',
    'opaque',
  ),
  printStatus: memberRow('MagnePrint status', 'magneprintstatus swipestatus mpstatus'),
  session: memberRow('session ID encrypted', 'encryptedsessionid sessionid', 'opaque'),
  encodeType: memberRow('card encode type', 'cardencodetype'),
  cardStatus: memberRow('card status', 'cardstatus'),
  panLength: memberRow('length of the PAN', 'cardpanlength'),
  responseType: memberRow('response type', 'responsetype'),
  tlvVersion: memberRow('TLV version', 'tlvversion'),
  decodeStatus: memberRow('decode status of the tracks', 'trackdecodestatus'),
  blockType: memberRow('type of the encrypted block', 'encryptionblocktype'),
};

type ReadRole = keyof typeof READ_MEMBERS;
type Role = ReadRole | keyof typeof OTHER_MEMBERS;

/**
 * The members of label lines, SDK card data and gateways' JSON, by their name without spaces, dots
 * and case (docs/terminals/magtek.md#members).
 */
const MEMBER_FORM = memberForm<Role>({...READ_MEMBERS, ...OTHER_MEMBERS}, compactName);

function isReadRole(role: Role | undefined): role is ReadRole {
  return role !== undefined && Object.hasOwn(READ_MEMBERS, role);
}

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
  if ([A_MAGNEPRINT, A_TRACK, A_KSN].every((name) => name.test(text))) return true;
  if (!/track ?[123][ .]?encrypted/i.test(text)) return false;
  return /"ksn"|(?:^|[\r\n])[^\S\r\n]*ksn\s*=|dukpt key serial number/i.test(text);
}

/** Names at the beginning of a line, in quotes, or after `&`. */
const named = (names: string) =>
  new RegExp(`(?:^|["\\n&])\\s{0,8}(?:${names})["\\s]{0,8}[:=]`, 'i');
const A_MAGNEPRINT = named('MagnePrint(?:Data|Status)?|ENCMP|MPStatus|IdentificationInformation');
const A_TRACK = named('(?:Enc)?Track[123]|SecurePaymentAccountData|EncryptedBlock');
const A_KSN = named('KSN|EncryptionKeyId|EncryptedKey');

/** True for text that may be members of any name. */
export function mayBeMembers(text: string): boolean {
  return /^\s*\{/.test(text) || /^\s*[A-Za-z][\w .()]*=/.test(text);
}

/** A member that is read. */
interface SwipeMember extends TextField {
  readonly role: ReadRole;
  /** As it was given, in compact form. */
  readonly name: string;
}

/**
 * Reads label lines, `name=value` lines or one JSON object. Throws 2100 if it has none of the names
 * or one twice, 2102 if a track is not whole blocks.
 */
export function readMembersOf(payload: string, trace: Trace): Reading {
  trace.unit = 'character';
  const isJson = payload.trimStart().startsWith('{');
  const given = isJson ? jsonMembers(payload, trace) : lineMembers(payload, trace);
  const byRole = new Map<ReadRole, SwipeMember>();
  for (const one of given) addMember(byRole, one);
  const text = (role: ReadRole) => byRole.get(role)?.text ?? '';
  assertMagneSafe(text('format'));
  assertSameRead(text('tlv'), byRole);
  return swipeReading({
    form: isJson ? 'members in JSON' : 'labelled lines',
    tracks: textTracks((number) => byRole.get(`track${number}`)),
    masked: text('masked1') + text('masked2') || text('masked'),
    ksn: text('ksn') || undefined,
    serial: text('serial'),
    status: statusOf(text('status'), false),
  });
}

/**
 * Two names of one role may be given together if one is empty; one name has one value. Throws 2100.
 */
function addMember(byRole: Map<ReadRole, SwipeMember>, given: SwipeMember): void {
  const {role, name, text, offset} = given;
  const before = byRole.get(role);
  if (!before?.text) byRole.set(role, given);
  if (!before || before.text === text) return;
  if (before.name !== name && (before.text === '' || text === '')) return;
  const {meaning} = READ_MEMBERS[role];
  throw severalReads(`${meaning} at character ${before.offset} and at ${offset}: two values`);
}

/** One gateway names the manufacturer of the block. */
function assertMagneSafe(format: string): void {
  if (/^(?:|1|.*magne?.*)$/i.test(format)) return;
  if (/^3$|on-?guard/i.test(format)) {
    throw new PaylensError(2111, 'On-Guard FPE (format-preserving encryption of Ingenico)');
  }
  throw new PaylensError(2100, 'EncryptedFormat: the block is not of a MagTek reader');
}

/** The TLV form that an SDK adds must be of the same read. Throws 2100. */
function assertSameRead(tlv: string, byRole: ReadonlyMap<ReadRole, SwipeMember>): void {
  if (tlv === '') return;
  const compact = (text: string) => text.replaceAll(/\s/g, '').toUpperCase();
  const whole = compact(tlv);
  for (const role of ['track1', 'track2', 'track3', 'ksn'] as const) {
    const {text, offset} = byRole.get(role) ?? NO_FIELD;
    if (whole.includes(compact(text))) continue;
    const {meaning} = READ_MEMBERS[role];
    throw severalReads(`${meaning} at character ${offset}: not that of TLV Payload`);
  }
}

function jsonMembers(payload: string, trace: Trace): SwipeMember[] {
  const object = readJsonPayload(payload, trace, describeLabel);
  const isKnown = (member: string) => MEMBER_FORM.roleOf(member) !== undefined;
  return [...membersWithin(object, isKnown)].flatMap(([member, value]) => {
    const role = MEMBER_FORM.roleOf(member);
    if (!isReadRole(role)) return [];
    if (typeof value !== 'string')
      throw new PaylensError(2100, `${READ_MEMBERS[role].meaning}: expected a string`);
    return [swipeMember(role, member, value, payload.indexOf(`"${member}"`))];
  });
}

/** Hex is often written in pairs; a masked track keeps its spaces. */
function swipeMember(role: ReadRole, name: string, value: string, offset: number): SwipeMember {
  const text = role.startsWith('masked') ? value.trim() : value.replaceAll(/\s/g, '');
  return {role, name: compactName(name), text, offset};
}

/** A line with the breaks around it, or a pair with its `&`. */
const LABEL_LINES = /(?:^[\r\n]+)?[^\r\n]+[\r\n]*/g;
const QUERY_PAIRS = /[^&]+&?/g;
const PAIR = /^(\s*([A-Za-z][\w .()]{0,60}?)[ \t]*=[ \t]*)([^\r\n&]*)/;

function lineMembers(payload: string, trace: Trace): SwipeMember[] {
  const isLines = /[\r\n]/.test(payload.trim()) || !payload.includes('&');
  const lines = textPieces(payload, isLines ? LABEL_LINES : QUERY_PAIRS);
  return lines.flatMap(({piece: line, offset: index}) => {
    const [, lead = '', label, value = ''] = PAIR.exec(line) ?? [];
    if (label === undefined)
      throw new PaylensError(2100, `character ${index}: expected a name, \`=\` and a value`);
    const role = MEMBER_FORM.roleOf(label);
    const name = MEMBER_FORM.describe(label).meaning ?? 'unknown member';
    const described = describeLabel(label, value);
    assertShort(role, described.sensitivity, value.trim(), index);
    const offset = index + lead.length;
    const length = line.length - lead.length;
    trace.note({offset: index, length: lead.length, depth: 0, name: 'label', value: label});
    const part = {offset, length, depth: 0, name, value: value.trim(), meaning: name};
    if (length > 0) trace.note({...part, ...described});
    return isReadRole(role) ? [swipeMember(role, label, value, offset)] : [];
  });
}

/** Text after a short value, or a name inside it, belongs to another read. Throws 2100. */
function assertShort(
  role: Role | undefined,
  sensitivity: Sensitivity | undefined,
  value: string,
  index: number,
): void {
  if (/^(?:track|tlv$)/.test(role ?? '')) return;
  const form = sensitivity === 'opaque' ? PRINT_VALUE : MEMBER_TEXT;
  if ((role?.startsWith('masked') ? MASKED_VALUE : form).test(value)) return;
  throw severalReads(`the value at character ${index} belongs to another read`);
}

const MEMBER_TEXT = /^[\w .,:+/()-]{0,48}$/;
/** 56 or 64 bytes in hex, with spaces between them. */
const PRINT_VALUE = /^[\dA-F]{0,128}$|^(?:[\dA-F]{2} ?){0,64}$/i;
/** Tracks from sentinel to sentinel, one after the other. */
const MASKED_VALUE = /^(?:[^\w\s][^?]{0,110}\?){0,3}$/;

function describeLabel(name: string, value = ''): Pick<Part, 'meaning' | 'sensitivity'> {
  const status = MEMBER_FORM.roleOf(name) === 'status' ? statusOf(value, false) : undefined;
  const meaning = status === undefined ? {} : {meaning: statusMeaning(status)};
  return {...MEMBER_FORM.describe(name), ...meaning};
}
