import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromBase64, bytesFromHex, isHex, latin1Of} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {clearBeside} from '../../card/clear-tags.js';
import {isClearCard} from '../../card/is-clear-card.js';
import {type MaskedPan, maskedNibbles, maskedText} from '../../card/masked-pans.js';
import {assertBlocks, type CipherMode} from '../../cipher/block-cipher.js';
import {ALL_FILLS, type Fill} from '../../cipher/padding.js';
import {halfByte} from '../../forms/payload-bytes.js';
import {
  CARD_DATA_SETTING,
  type EncryptedField,
  type PinBlock,
  type Reading,
} from '../../reading.js';
import {flatten, readTlv, type TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {isClearValue} from './is-clear-value.js';
import {type RequestMembers, readRequest} from './members.js';
import {assertTracksOnce, openValue, type ValueHints} from './open-value.js';
import {type Owner, ownersOf} from './owners.js';

/** The differences between the terminals whose reads come in requests of processors. */
export interface Forwarded {
  readonly type: Owner;
  /** Modes to try, most likely first; under a working key as well. */
  readonly modes: readonly [CipherMode, ...CipherMode[]];
  /** Two digits may count the characters of a track. */
  readonly isCounted?: boolean;
}

/** How a terminal of this kind is recognised and read, for its entry in the registry. */
export function forwardedForm(terminal: Forwarded) {
  const isNamed = (payload: string) => ownersOf(payload).includes(terminal.type);
  return {
    recognises: isNamed,
    claims: isNamed,
    read: (payload: string, trace: Trace) => readForwarded(terminal, payload, trace),
  };
}

/**
 * Reads the request of a processor with encrypted tracks, or the ciphertext alone
 * (docs/terminals/forwarded.md#requests).
 *
 * Throws 2100 if it is neither, holds two reads, no card data or another terminal's, 2102 if a value
 * is not whole blocks, 2400 if it names two KSNs.
 */
function readForwarded(terminal: Forwarded, payload: string, trace: Trace): Reading {
  const members = readRequest(payload, trace);
  assertOwner(terminal, payload);
  const values = TRACK_ROLES.flatMap((name) => {
    const value = members.only(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const objects = clearObjects(members);
  const copies = requestCopies(members, objects);
  const clear = values.find(([, value]) => isClearValue(value));
  const refusal = clear && new PaylensError(2110, `${clear[0]} contains cleartext card data`);
  if (values.length === 0) throw withoutTracks(members);
  const own = {terminal, members, hints: valueHints(terminal, members, objects, copies), payload};
  const serial = members.only('serial');
  return {
    form: members.form,
    recognisedBy: members.isBare ? 'length' : 'members',
    ...(serial === undefined ? {} : {serial}),
    masked: copies,
    ...requestPins(members, payload),
    clear: clearBeside(objects),
    candidates: refusal
      ? [[]]
      : terminal.modes.map((mode) => values.map((value) => requestField(value, mode, own))),
    agree: (_, each) => assertTracksOnce(each),
    ...(refusal ? {refusal} : {}),
  };
}

function assertOwner({type}: Forwarded, payload: string): void {
  const others = ownersOf(payload).filter((owner) => owner !== type);
  if (others.length > 0)
    throw new PaylensError(2100, `the request names another terminal: ${others.join(', ')}`);
}

const TRACK_ROLES = ['track1', 'track2', 'track3', 'data'] as const;

interface RequestContext {
  readonly terminal: Forwarded;
  readonly members: RequestMembers;
  readonly hints: ValueHints;
  readonly payload: string;
}

function requestField(
  [name, value]: readonly [string, string],
  mode: CipherMode,
  {terminal, members, hints, payload}: RequestContext,
): EncryptedField {
  const ciphertext = decodeMember(name, value, members.only('encoding'));
  assertBlocks(name, ciphertext);
  return {
    name,
    offset: Math.max(0, payload.indexOf(value)),
    ciphertext,
    ksn: cardKsn(members),
    iv: members.only('iv'),
    setting: SETTINGS[mode],
    workingModes: terminal.modes,
    open: (plain): CardContent => openValue(name, plain, hints),
  };
}

const SETTINGS = {cbc: CARD_DATA_SETTING, ecb: {...CARD_DATA_SETTING, mode: 'ecb'}} as const;

/** The PIN block, under its own KSN, else under that of the card data. */
function requestPins(members: RequestMembers, payload: string): Pick<Reading, 'pins' | 'ksns'> {
  const ksns = members.values('pinKsn').map((ksn) => ksn.toUpperCase());
  const pins = members.values('pin').flatMap((value): PinBlock[] => {
    const ciphertext = bytesFromHex(value.replaceAll(/\s/g, ''));
    if (!ciphertext) return [];
    const block = {name: 'PIN block', offset: Math.max(0, payload.indexOf(value)), ciphertext};
    return ksns.length === 0 ? [block] : ksns.map((ksn) => ({...block, ksn}));
  });
  return {pins, ...(ksns.length > 0 ? {ksns: [...members.values('ksn'), ...ksns]} : {})};
}

/** Throws 2400 if there are two. */
function cardKsn(members: RequestMembers): string | undefined {
  const ksns = members.values('ksn');
  if (ksns.length < 2) return ksns[0];
  throw new PaylensError(2400, 'two KSNs of the card data, expected one');
}

function decodeMember(name: string, value: string, encoding = 'hex'): Uint8Array {
  const compact = value.replaceAll(/\s/g, '');
  const isBase64 = /^base64$/i.test(encoding);
  const bytes = isBase64 ? bytesFromBase64(compact) : bytesFromHex(compact);
  if (bytes) return bytes;
  if (!isBase64 && isHex(compact)) throw halfByte(compact, {where: name});
  throw new PaylensError(2100, `${name}: its value is not ${isBase64 ? 'base64' : 'hex'}`);
}

function valueHints(
  {isCounted = false}: Forwarded,
  members: RequestMembers,
  objects: readonly TlvObject[],
  copies: readonly MaskedPan[],
): ValueHints {
  const entry = objects.find(({tag}) => tag === '9F39')?.value[0];
  const isChip = members.values('format').some((text) => /chip/i.test(text));
  const fills: readonly Fill[] = /^pkcs/i.test(members.only('padding') ?? '')
    ? ['pkcs7']
    : ALL_FILLS;
  return {fills, copies, isCounted, isChip: isChip || entry === 0x05 || entry === 0x07};
}

/** The objects of EMV data in clear; data that is not a list is ignored. */
function clearObjects(members: RequestMembers): TlvObject[] {
  const tagged = [...members.tags].flatMap(([tag, digits]) => {
    const value = bytesFromHex(digits);
    return value ? [{tag, value, offset: 0, headerLength: 0, lengthField: ''}] : [];
  });
  return [...tagged, ...members.values('list').flatMap(objectsIn)];
}

function objectsIn(list: string): TlvObject[] {
  try {
    return flatten(readTlv(bytesFromHex(list.replaceAll(/\s/g, '')) ?? new Uint8Array()).objects);
  } catch {
    return [];
  }
}

/** 19 digits. */
const MAX_PAN_BYTES = 10;

function requestCopies(members: RequestMembers, objects: readonly TlvObject[]): MaskedPan[] {
  const ends = members
    .values('first6')
    .flatMap((first) =>
      members.values('last4').map((last) => `${asciiDigits(first)}******${asciiDigits(last)}`),
    );
  const texts = [...members.values('masked'), ...ends];
  const packed = objects.filter(({tag, value}) => tag === '5A' && value.length <= MAX_PAN_BYTES);
  return [
    ...texts.flatMap((text) => maskedText('the card number beside it', text)),
    ...packed.flatMap(({value}) => maskedNibbles('tag 5A', value)),
  ];
}

/** Tags hold the digits in ASCII. */
function asciiDigits(text: string): string {
  const isTag = /^(?:3\d){4,6}$/.test(text) && text.length % 2 === 0;
  return isTag ? latin1Of(bytesFromHex(text) ?? new Uint8Array()) : text;
}

function withoutTracks(members: RequestMembers): PaylensError {
  const clear = members.values('masked').some(isClearCard);
  if (clear) return new PaylensError(2110, 'a card number in cleartext, and nothing encrypted');
  const isPin = members.values('pin').length > 0;
  return new PaylensError(
    2100,
    isPin ? 'no card data: a PIN block alone' : 'expected track1, track2, track3 or data',
    isPin ? {} : {hint: 'Pass the request of the processor as JSON, or the ciphertext in hex.'},
  );
}
