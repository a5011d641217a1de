import {MODES as MODE_NAMES, type Mode} from '../../contract/process-payload.js';
import type {CardContent} from '../card/card-content.js';
import type {MaskedPan} from '../card/masked-pans.js';
import {
  AES_KEY_TYPES,
  AES_KEY_USAGES,
  type AesKeyType,
  type AesKeyUsage,
  VARIANT_MASKS,
  type Variant,
} from '../dukpt/key-usage.js';
import {MAC_METHODS} from '../dukpt/mac.js';
import type {CipherSetting, EncryptedField, MessageMac, PinBlock, Reading} from '../reading.js';
import {CONTENT, openedBy} from './content-shape.js';
import {type Guard, READ_CODES} from './guard.js';
import {
  arrayOf,
  bytes,
  flag,
  func,
  integer,
  Misfit,
  members,
  oneOf,
  optional,
  type Shape,
  text,
} from './shape.js';

const FIELD_NAME = text([1, 200]);
const HEX_DIGITS = text([0, 100]);
const MODE = oneOf<Mode>(...MODE_NAMES);
export const MODE_LIST = arrayOf(MODE, [1, 3]);
export const VARIANT = oneOf(...(Object.keys(VARIANT_MASKS) as Variant[]));

const AES = members<NonNullable<CipherSetting['aes']>>({
  usage: oneOf(...(Object.keys(AES_KEY_USAGES) as AesKeyUsage[])),
  type: optional(oneOf(...(Object.keys(AES_KEY_TYPES) as AesKeyType[]))),
});

export const CIPHER_SETTING = members<CipherSetting>({
  algorithm: oneOf('tdes', 'aes'),
  mode: oneOf('cbc', 'ecb'),
  variant: VARIANT,
  selfEncrypted: flag,
  aes: optional(AES),
});

/** The members of a kind of MAC. */
export const MAC_KIND = {
  method: optional(oneOf(...MAC_METHODS)),
  variant: VARIANT,
  aes: optional(AES),
};

const MASKED_COPY = members<Omit<MaskedPan, 'shown' | 'trackChars'>>({
  name: FIELD_NAME,
  pan: text([5, 32], /^[\d*]+$/),
  isTrack1: optional(flag),
});

/** What the reader of an own terminal found in a payload of some length; a copy. */
export function readingShape(guard: Guard, length: number): Shape<Reading> {
  const field = fieldShape(guard, length);
  const shape = members<Omit<Reading, 'undeclared' | 'unread'>>({
    form: text([1, 300]),
    recognisedBy: optional(oneOf('length', 'members')),
    serial: optional(text([1, 100])),
    serialInside: optional(flag),
    mode: optional(modeShape(guard)),
    candidates: arrayOf(arrayOf(field, [1, 64]), [0, 64]),
    clear: optional(CONTENT),
    clearExpiryMayDiffer: optional(oneOf(true)),
    tracksMayDiffer: optional(oneOf(true)),
    refusal: optional(refusalShape(guard)),
    takesWorkingKey: optional(oneOf(true)),
    macs: optional(arrayOf(macShape(length), [0, 64])),
    doubt: optional(refusalShape(guard)),
    secondaryFields: optional(arrayOf(field, [0, 64])),
    pins: optional(arrayOf(pinShape(length), [0, 64])),
    masked: optional(arrayOf(MASKED_COPY, [0, 64])),
    ksns: optional(arrayOf(HEX_DIGITS, [0, 64])),
    agree: optional(agreeShape(guard)),
    oneBlock: optional(text([1, 300])),
    encoding: optional(oneOf('hex', 'base64')),
  });
  return (value, at) => {
    const reading = shape(value, at);
    if (reading.candidates.length > 0 || reading.refusal) return reading;
    throw new Misfit(`${at}.candidates`, 'at least one, or a refusal', 0);
  };
}

function fieldShape(guard: Guard, length: number): Shape<EncryptedField> {
  const shape = members<EncryptedField>({
    name: FIELD_NAME,
    offset: integer(0, length - 1),
    ciphertext: bytes(1, 65_536),
    ksn: optional(HEX_DIGITS),
    iv: optional(HEX_DIGITS),
    setting: CIPHER_SETTING,
    swipe: optional(FIELD_NAME),
    ivExpected: optional(flag),
    workingModes: optional(arrayOf(oneOf('cbc', 'ecb'), [1, 2])),
    singleDes: optional(flag),
    optional: optional(oneOf(true)),
    open: func,
  });
  return (value, at) => {
    const field = shape(value, at);
    if (field.offset + field.ciphertext.length > length)
      throw new Misfit(`${at}.ciphertext`, 'bytes inside the payload', field.ciphertext.length);
    const open = (plain: Uint8Array) => Reflect.apply(field.open, value, [plain.slice()]);
    return {...field, open: (plain) => openedBy(guard, field.name, () => open(plain))};
  };
}

function macShape(length: number): Shape<MessageMac> {
  return members<MessageMac>({
    name: FIELD_NAME,
    offset: integer(0, length - 1),
    ksn: HEX_DIGITS,
    ...MAC_KIND,
    message: bytes(0, 65_536),
    mac: bytes(1, 64),
    sent: optional(integer(1, 64)),
  });
}

function pinShape(length: number): Shape<PinBlock> {
  return members<PinBlock>({
    name: FIELD_NAME,
    offset: integer(0, length - 1),
    ciphertext: bytes(1, 64),
    format: optional(oneOf(0, 1, 3, 4)),
    ksn: optional(HEX_DIGITS),
  });
}

function modeShape(guard: Guard): Shape<NonNullable<Reading['mode']>> {
  return (value, at) => {
    if (typeof value !== 'function') return MODE(value, at);
    return (content) => guard.call('mode', () => value(copyOf(content)), MODE);
  };
}

function agreeShape(guard: Guard): Shape<NonNullable<Reading['agree']>> {
  const nothing: Shape<void> = (value, at) => {
    if (value !== undefined) throw new Misfit(at, 'nothing to be returned', value);
  };
  return (value, at) => {
    const agree = func(value, at) as (...given: unknown[]) => unknown;
    return (content, each) =>
      guard.call('agree', () => agree(copyOf(content), each.map(copyOf)), nothing);
  };
}

/** Theirs to change. */
function copyOf(content: CardContent): CardContent {
  return structuredClone(content);
}

function refusalShape(guard: Guard): Shape<NonNullable<Reading['refusal']>> {
  return (value, at) => {
    const refusal = guard.passable(value, READ_CODES);
    if (refusal) return refusal;
    throw new Misfit(at, `an error with code ${READ_CODES.join(', ')}`, value);
  };
}
