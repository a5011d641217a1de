import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromBase64, bytesFromHex, latin1Of} from '../../../platform/bytes.js';
import {unlessThrown} from '../../../platform/unless-thrown.js';
import {clearBeside} from '../../card/clear-tags.js';
import {isClearCard} from '../../card/is-clear-card.js';
import {type MaskedPan, maskedNibbles, maskedText} from '../../card/masked-pans.js';
import {assertBlocks, type CipherMode} from '../../cipher/block-cipher.js';
import {ALL_FILLS} from '../../cipher/padding.js';
import {assertTagsOnce, CLEAR_TAGS} from '../../forms/one-read.js';
import {hexValue} from '../../forms/payload-bytes.js';
import {
  CARD_DATA_SETTING,
  type EncryptedField,
  type PinBlock,
  pinFormatOf,
  type Reading,
} from '../../reading.js';
import {flatten, readTlv, type TlvObject} from '../../tlv/ber.js';
import type {Trace} from '../../trace.js';
import {isClearValue} from './is-clear-value.js';
import {type RequestMembers, readRequest} from './members.js';
import {namesTerminal, type TerminalSigns} from './names-terminal.js';
import {assertTracksOnce, openValue, type ValueHints} from './open-value.js';

/** The differences between the terminals whose reads come in requests of processors. */
interface Forwarded extends TerminalSigns {
  /** Modes to try, most likely first; under a working key as well. */
  readonly modes: readonly [CipherMode, ...CipherMode[]];
  /** Two digits may count the characters of a track. */
  readonly isCounted?: boolean;
}

/** How a terminal of this kind is recognised and read, for its entry in the registry. */
export function forwardedForm(terminal: Forwarded) {
  const isNamed = (payload: string) => namesTerminal(payload, terminal);
  return {
    recognises: isNamed,
    claims: isNamed,
    exclusive: true,
    read: (payload: string, trace: Trace) => readForwarded(terminal, payload, trace),
  } as const;
}

const TRACK_ROLES = ['track1', 'track2', 'track3', 'data'] as const;

/**
 * Reads the request of a processor with encrypted tracks, or the ciphertext alone
 * (docs/terminals/forwarded.md#requests).
 *
 * Throws 2100 if it is neither, contains two reads, two values of a tag or no card data, 2102 if a
 * value is not whole blocks, 2400 if it names two KSNs.
 */
function readForwarded(terminal: Forwarded, payload: string, trace: Trace): Reading {
  const members = readRequest(payload, trace);
  const tracks = TRACK_ROLES.flatMap((name) => {
    const value = members.only(name);
    return value === undefined ? [] : [{name, value}];
  });
  if (tracks.length === 0) throw withoutTracks(members);
  const objects = clearObjects(members);
  assertTagsOnce(objects, CLEAR_TAGS);
  const masked = requestCopies(members, objects);
  const reading = {
    form: members.form,
    recognisedBy: members.isBare ? ('length' as const) : ('members' as const),
    serial: members.only('serial'),
    masked,
    clear: clearBeside(objects),
    ...requestPins(members, payload),
  };
  const clear = tracks.find(({value}) => isClearValue(value));
  if (clear) {
    const refusal = new PaylensError(2110, `${clear.name} contains cleartext card data`);
    return {...reading, candidates: [[]], refusal};
  }
  const hints = valueHints(terminal, members, objects, masked);
  const fields = tracks.map((track) => trackField(track, payload, members, hints));
  const candidates = terminal.modes.map((mode) => {
    const setting = {...CARD_DATA_SETTING, mode};
    return fields.map((field) => ({setting, workingModes: terminal.modes, ...field}));
  });
  return {candidates, agree: (_, each) => assertTracksOnce(each), ...reading};
}

interface SentValue {
  readonly name: (typeof TRACK_ROLES)[number];
  readonly value: string;
}

/** Throws 2102 if the value is not whole blocks, 2400 if the request names two KSNs. */
function trackField(
  {name, value}: SentValue,
  payload: string,
  members: RequestMembers,
  hints: ValueHints,
): Omit<EncryptedField, 'setting'> {
  const ciphertext = decodeMember(name, value, members.only('encoding'));
  const [ksn, other] = members.values('ksn');
  if (other !== undefined) throw new PaylensError(2400, 'two KSNs of the card data, expected one');
  return {
    ...{name, offset: Math.max(0, payload.indexOf(value)), ciphertext, ksn},
    iv: members.only('iv'),
    open: (plain, mode) => openValue(name, plain, hints, mode),
  };
}

/** The PIN block, under its own KSN, else under that of the card data. */
function requestPins(members: RequestMembers, payload: string): Pick<Reading, 'pins' | 'ksns'> {
  const ksns = members.values('pinKsn').map((ksn) => ksn.toUpperCase());
  const format = pinFormatOf(members.only('pinFormat'));
  const pins = members.values('pin').flatMap((value): PinBlock[] => {
    const ciphertext = hexBytes(value);
    if (!ciphertext) return [];
    const offset = Math.max(0, payload.indexOf(value));
    const block = {name: 'PIN block', offset, ciphertext, format};
    return ksns.length === 0 ? [block] : ksns.map((ksn) => ({ksn, ...block}));
  });
  return {pins, ...(ksns.length > 0 ? {ksns: [...members.values('ksn'), ...ksns]} : {})};
}

function decodeMember(name: string, value: string, encoding = 'hex'): Uint8Array {
  const compact = value.replaceAll(/\s/g, '');
  const isBase64 = /^base64$/i.test(encoding);
  const bytes = isBase64
    ? bytesFromBase64(compact)
    : hexValue(compact, name, 'its value is not hex');
  if (!bytes) throw new PaylensError(2100, `${name}: its value is not base64`);
  assertBlocks(name, bytes);
  return bytes;
}

function hexBytes(text: string): Uint8Array | undefined {
  return bytesFromHex(text.replaceAll(/\s/g, ''));
}

function valueHints(
  {isCounted = false}: Forwarded,
  members: RequestMembers,
  objects: readonly TlvObject[],
  copies: readonly MaskedPan[],
): ValueHints {
  const entry = objects.find(({tag}) => tag === '9F39')?.value[0];
  const isChip = members.values('format').some((text) => /chip/i.test(text));
  const isPkcs = /^pkcs/i.test(members.only('padding') ?? '');
  return {
    fills: isPkcs ? ['pkcs7'] : ALL_FILLS,
    copies,
    isCounted,
    isChip: isChip || entry === 0x05 || entry === 0x07,
  };
}

/** The objects of EMV data in clear; data that is not a list is ignored. */
function clearObjects(members: RequestMembers): TlvObject[] {
  const tagged = members.tags.flatMap(([tag, digits]) => {
    const value = bytesFromHex(digits);
    return value ? [{tag, value, offset: 0, headerLength: 0, lengthField: ''}] : [];
  });
  const lists = members.values('list').map((list) => hexBytes(list) ?? new Uint8Array());
  const objects = lists.flatMap((list) => unlessThrown(() => flatten(readTlv(list).objects)) ?? []);
  return [...tagged, ...objects];
}

/** 19 digits. */
const MAX_PAN_BYTES = 10;

function requestCopies({values}: RequestMembers, objects: readonly TlvObject[]): MaskedPan[] {
  const ends = values('first6').flatMap((first) =>
    values('last4').map((last) => `${asciiDigits(first)}******${asciiDigits(last)}`),
  );
  const packed = objects.filter(({tag, value}) => tag === '5A' && value.length <= MAX_PAN_BYTES);
  return [
    ...[...values('masked'), ...ends].flatMap((text) =>
      maskedText('the card number beside it', text),
    ),
    ...packed.flatMap(({value}) => maskedNibbles('tag 5A', value)),
  ];
}

/** Tags hold the digits in ASCII. */
function asciiDigits(text: string): string {
  const isTag = /^(?:3\d){4,6}$/.test(text) && text.length % 2 === 0;
  return isTag ? latin1Of(bytesFromHex(text) ?? new Uint8Array()) : text;
}

function withoutTracks({values}: RequestMembers): PaylensError {
  if (values('masked').some(isClearCard))
    return new PaylensError(2110, 'a card number in cleartext, and nothing encrypted');
  if (values('pin').length > 0) return new PaylensError(2100, 'no card data: a PIN block alone');
  return new PaylensError(2100, 'expected track1, track2, track3 or data', {
    hint: 'Pass the request of the processor as JSON, or the ciphertext in hex.',
  });
}
