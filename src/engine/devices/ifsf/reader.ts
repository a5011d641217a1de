import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, isHex, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {type MaskedPan, maskedText, maskedTrack} from '../../card/masked-pans.js';
import {demandBlocks} from '../../cipher/block-cipher.js';
import type {EncryptedField, PinBlock, Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {ownersOf} from '../forwarded/owners.js';
import {needsWorkingKey} from '../shared/needs-working-key.js';
import {severalReads} from '../shared/one-read.js';
import {compactHex, halfByte, hexIfBinary, payloadBytes} from '../shared/payload-bytes.js';
import {openElements} from './element-list.js';
import {type Members, namesElements, readElements} from './elements.js';
import {CLEAR_ELEMENTS, EDITIONS} from './layout.js';

/**
 * Reads DE-127 of a host message: its value in hex, or a description of the message in JSON or
 * lines (docs/formats/ifsf.md#forms).
 *
 * Throws 2100 if it is neither, has no DE-127 or is a whole message, 2102 if the value is not whole
 * blocks, 2400 if it names two KSNs.
 */
export function readIfsf(payload: string, trace: Trace): Reading {
  if (compactHex(hexIfBinary(payload)) === undefined) return readDescribed(payload, trace);
  const bytes = payloadBytes(payload);
  demandNoMessage(bytes);
  trace.note({
    offset: 0,
    length: bytes.length,
    depth: 0,
    name: 'DE-127',
    value: upperHexOf(bytes),
    meaning: 'encrypted data elements',
    sensitivity: 'opaque',
  });
  return readingOf('hex of DE-127', [bytes, 0], {toldBy: 'length'});
}

/** True for text that names DE-127; its bare hex could be any ciphertext. */
export function isIfsf(payload: string): boolean {
  return namesElements(payload);
}

type Told = Pick<Reading, 'toldBy' | 'masked' | 'refusal' | 'takesWorkingKey' | 'pins'> & {
  readonly ksn?: string | undefined;
  readonly iv?: string | undefined;
};

function readingOf(
  form: string,
  [ciphertext, offset]: readonly [Uint8Array, number],
  {ksn, iv, ...told}: Told,
): Reading {
  demandBlocks('DE-127', ciphertext);
  const field = {name: 'DE-127', offset, ciphertext, ksn, iv, open: openElements};
  // Nothing in a message says which edition of the standard its keys follow.
  const candidates: EncryptedField[][] = [EDITIONS[2009], EDITIONS[2004]].map((setting) => [
    {...field, setting},
  ]);
  return {form, ...told, candidates};
}

function readDescribed(payload: string, trace: Trace): Reading {
  const members = readElements(payload, trace);
  if (ownersOf(payload).length > 0) throw severalReads('a request of another terminal beside it');
  const value = members.elements.get(127);
  if (value === undefined) throw withoutCiphertext(members);
  const told = {masked: copiesOf(members), iv: members.iv, ...keyOf(members)};
  return readingOf(members.form, [hexOf(value), payload.indexOf(value)], {
    ...told,
    toldBy: 'members',
    pins: pinsOf(payload, members),
  });
}

function hexOf(value: string): Uint8Array {
  const digits = value.replaceAll(/\s/g, '');
  const bytes = bytesFromHex(digits);
  if (bytes) return bytes;
  if (isHex(digits)) throw halfByte(digits, {where: 'DE-127'});
  throw new PaylensError(2100, 'DE-127: expected hex digits');
}

/** Digits of a KSN in DE-53, and the fewest of the list that another scheme of keys has there. */
const KSN_DIGITS = [20, 24];
const LEAST_OF_ANOTHER_SCHEME = 96;

/**
 * The KSN, or why there is none: DE-53 of keys that the hosts share, or draw for each message (ZKA).
 * Throws 2400 if DE-53 and `ksn` differ.
 */
function keyOf({elements, ksn}: Members): Pick<Told, 'ksn' | 'refusal' | 'takesWorkingKey'> {
  const compact = (text: string | undefined) => text?.replaceAll(/\s/g, '').toUpperCase();
  const [own, told] = [compact(elements.get(53)), compact(ksn)];
  if (own !== undefined && isOfAnotherScheme(own))
    return {ksn: told, refusal: needsWorkingKey(SESSION_KEYS), takesWorkingKey: true};
  if (own === undefined || told === undefined || own === told) return {ksn: own ?? told};
  throw new PaylensError(2400, 'DE-53 and ksn differ');
}

function isOfAnotherScheme({length}: string): boolean {
  return !KSN_DIGITS.includes(length) && length >= LEAST_OF_ANOTHER_SCHEME;
}

const SESSION_KEYS = 'ZKA or shared session keys: DE-53 is not a KSN';

/** Card data in clear beside DE-127 must not be of another card. */
function copiesOf({elements}: Members): MaskedPan[] {
  const [pan, track2] = [elements.get(2), elements.get(35)];
  return [
    ...(pan === undefined ? [] : maskedText('DE-2', pan)),
    ...(track2 === undefined ? [] : maskedTrack('DE-35', track2.replace(/[dD]/, '='))),
  ];
}

/** DE-52, under the KSN of the message. */
function pinsOf(payload: string, {elements}: Members): PinBlock[] {
  const value = elements.get(52);
  const ciphertext = value && bytesFromHex(value.replaceAll(/\s/g, ''));
  if (!value || !ciphertext) return [];
  return [{name: 'DE-52', offset: payload.indexOf(value), ciphertext}];
}

function withoutCiphertext({elements}: Members): PaylensError {
  const clear = CLEAR_ELEMENTS.find((number) => elements.has(number));
  if (clear !== undefined)
    return new PaylensError(2110, `DE-${clear} is in cleartext, and there is no DE-127`);
  return new PaylensError(2100, 'expected DE-127', {hint: HINT});
}

const HINT = 'Give the value of DE-127 in hex, and the KSN of DE-53 with --ksn.';

/** Version, class, function and origin, in ASCII. */
const MESSAGE_TYPE = /^[0-2][1-8][0-4][0-5]$/;
/** Bits 1, 3, 11 and 12 of the first bitmap: further elements, processing code, number, time. */
const USUAL_BITS = [0xa0, 0x30] as const;

/** Throws 2100 for a whole message: bitmaps and packing differ from host to host. */
function demandNoMessage(bytes: Uint8Array): void {
  if (!MESSAGE_TYPE.test(latin1Of(bytes.subarray(0, 4)))) return;
  const digits = latin1Of(bytes.subarray(4, 20));
  const map = bytesFromHex(digits) ?? bytes.subarray(4, 12);
  if (!USUAL_BITS.every((bits, i) => ((map[i] ?? 0) & bits) === bits)) return;
  throw new PaylensError(2100, 'a whole ISO 8583 message, which differs from host to host', {
    hint: HINT,
  });
}
