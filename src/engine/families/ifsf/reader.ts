import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromHex, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {type MaskedPan, maskedText, maskedTrack} from '../../card/masked-pans.js';
import {assertBlocks} from '../../cipher/block-cipher.js';
import {needsWorkingKey} from '../../forms/needs-working-key.js';
import {compactHex, hexIfBinary, hexValue, payloadBytes} from '../../forms/payload-bytes.js';
import type {EncryptedField, PinBlock, Reading} from '../../reading.js';
import type {Trace} from '../../trace.js';
import {openElements} from './element-list.js';
import {clearElement, describeElement, EDITIONS} from './elements.js';
import {type MessageFields, readElements} from './message.js';

/**
 * Reads DE-127 of a host message: its value in hex, or a description of the message in JSON or
 * lines (docs/terminals/ifsf.md#forms).
 *
 * Throws 2100 if it is neither, has no DE-127 or is a whole message, 2102 if the value is not whole
 * blocks, 2400 if it names two KSNs.
 */
export function readIfsf(payload: string, trace: Trace): Reading {
  if (compactHex(hexIfBinary(payload)) === undefined) return readDescribed(payload, trace);
  const bytes = payloadBytes(payload, 'DE-127');
  assertNoMessage(bytes);
  if (trace.recording) {
    const part = {offset: 0, length: bytes.length, depth: 0, value: upperHexOf(bytes)};
    trace.note({name: 'DE-127', ...part, ...describeElement('127')});
  }
  const field = {ciphertext: bytes, offset: 0};
  return {form: 'hex of DE-127', recognisedBy: 'length', candidates: candidatesFor(field)};
}

type CipherPart = Pick<EncryptedField, 'ciphertext' | 'offset' | 'ksn' | 'iv'>;

/** Nothing in a message says which edition of the standard its keys follow. */
function candidatesFor(part: CipherPart): EncryptedField[][] {
  assertBlocks('DE-127', part.ciphertext);
  return [EDITIONS[2009], EDITIONS[2004]].map((setting) => [
    {name: 'DE-127', ...part, open: openElements, setting},
  ]);
}

function readDescribed(payload: string, trace: Trace): Reading {
  const {form, values} = readElements(payload, trace);
  const value = values.get('127');
  if (value === undefined) throw withoutDe127(values);
  const masked = clearCopies(values);
  const {ksn, ...refused} = messageKey(values);
  const ciphertext = hexValue(value.replaceAll(/\s/g, ''), 'DE-127');
  const part = {ciphertext, offset: payload.indexOf(value), ksn, iv: values.get('iv')};
  const candidates = candidatesFor(part);
  const pins = messagePins(payload, values);
  const declared = {form, masked, pins, candidates};
  return {recognisedBy: 'members', ...declared, ...refused};
}

type MessageValues = MessageFields['values'];

/** The fewest digits of the list that another scheme of keys has in place of the KSN. */
const MIN_OTHER_SCHEME_DIGITS = 96;

/**
 * The KSN, or why there is none: DE-53 of keys that the hosts share, or draw for each message (ZKA).
 * Throws 2400 if DE-53 and `ksn` differ.
 */
function messageKey(
  values: MessageValues,
): Pick<Reading, 'refusal' | 'takesWorkingKey'> & {ksn?: string | undefined} {
  const compact = (key: string) => values.get(key)?.replaceAll(/\s/g, '').toUpperCase();
  const [own, given] = [compact('53'), compact('ksn')];
  if (own !== undefined && own.length >= MIN_OTHER_SCHEME_DIGITS)
    return {ksn: given, refusal: needsWorkingKey(SESSION_KEYS), takesWorkingKey: true};
  if (own === undefined || given === undefined || own === given) return {ksn: own ?? given};
  throw new PaylensError(2400, 'DE-53 and ksn differ');
}

const SESSION_KEYS = 'ZKA or shared session keys: DE-53 is not a KSN';

/** Clear card data of the message, which must be of the same card. */
function clearCopies(values: MessageValues): MaskedPan[] {
  const [pan, track2] = [values.get('2'), values.get('35')];
  return [
    ...(pan === undefined ? [] : maskedText('DE-2', pan)),
    ...(track2 === undefined ? [] : maskedTrack('DE-35', track2.replace(/[dD]/, '='))),
  ];
}

/** DE-52, under the KSN of the message. */
function messagePins(payload: string, values: MessageValues): PinBlock[] {
  const value = values.get('52');
  const ciphertext = value && bytesFromHex(value.replaceAll(/\s/g, ''));
  if (!value || !ciphertext) return [];
  return [{name: 'DE-52', offset: payload.indexOf(value), ciphertext}];
}

function withoutDe127(values: MessageValues): PaylensError {
  const clear = clearElement(values);
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
function assertNoMessage(bytes: Uint8Array): void {
  if (!MESSAGE_TYPE.test(latin1Of(bytes.subarray(0, 4)))) return;
  const digits = latin1Of(bytes.subarray(4, 20));
  const map = bytesFromHex(digits) ?? bytes.subarray(4, 12);
  if (!USUAL_BITS.every((bits, i) => ((map[i] ?? 0) & bits) === bits)) return;
  throw new PaylensError(2100, 'a whole ISO 8583 message, which differs from host to host', {
    hint: HINT,
  });
}
