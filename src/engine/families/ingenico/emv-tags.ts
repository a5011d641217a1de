import {PaylensError} from '../../../contract/paylens-error.js';
import {
  bytesFromHex,
  bytesFromLatin1,
  isLatin1,
  latin1Of,
  upperHexOf,
} from '../../../platform/bytes.js';
import {type MaskedPan, maskedByZeros, maskedNibbles} from '../../card/masked-pans.js';
import type {Described, TextMessage} from '../../forms/text-message.js';
import type {TlvObject} from '../../tlv/ber.js';
import {holdsCardData, tagName, tagSensitivity} from '../../tlv/tags.js';
import {rbaMaskedCopy, VISIBLE_DIGITS} from './card-data.js';
import {INGENICO_TAGS} from './layout.js';

/** `T<tag>:<length hex>:<a|h><value>`; newer firmware sends Ingenico's own tags with `D`. */
const TAG_FIELD = /^[TD]([0-9A-F]{2,8}):([0-9A-F]{1,4}):([ah])(.*)$/is;

/** The tags of a message, and the record among them. */
export interface Tags {
  readonly objects: readonly TlvObject[];
  readonly record?: TextMessage;
}

/**
 * Reads the FS-separated tags of a 33.x message; the value of `recordTag` is returned as a message
 * to be read separately (docs/terminals/ingenico.md#emv-tags).
 *
 * Throws 2100 if a field does not have the form of a tag, 2102 if its value is shorter than its
 * length.
 */
export function takeTags(message: TextMessage, recordTag: string | undefined): Tags {
  const objects: TlvObject[] = [];
  let record: TextMessage | undefined;
  while (message.rest !== '') {
    const {offset} = message;
    const field = message.peek();
    const object = field === '' ? undefined : tagObject(field, offset, message.unit);
    if (object) objects.push(object);
    if (object?.tag === recordTag && object && !record) {
      const kind = message.take(object.headerLength, 'tag', describeEmvTag).slice(-1);
      const value = message.fieldMessage();
      record = /h/i.test(kind) ? value.fromHex() : value;
    } else {
      message.field('tag', describeEmvTag);
    }
  }
  return {objects, ...(record ? {record} : {})};
}

/** True if a message contains this tag. */
export function holdsTag(message: TextMessage, tag: string): boolean {
  return new RegExp(`(?:^|\\x1c)[TD]${tag}:`, 'i').test(message.rest);
}

function tagObject(field: string, offset: number, unit: string): TlvObject {
  const [, tag = '', lengthField = '', kind = '', text = ''] = TAG_FIELD.exec(field) ?? [];
  const value = kind.toLowerCase() === 'h' ? bytesFromHex(text) : textBytes(text);
  if (tag === '' || !value) {
    throw new PaylensError(2100, `${unit} ${offset}: expected T<tag>:<length>:<a or h><value>`);
  }
  const expected = Number.parseInt(lengthField, 16);
  if (value.length < expected && text.length !== expected) {
    const detail = `tag ${tag.toUpperCase()} at ${unit} ${offset}: expected ${expected} bytes of value, found ${value.length}`;
    throw new PaylensError(2102, detail, {fault: {kind: 'tag', tag: tag.toUpperCase()}});
  }
  const headerLength = field.length - text.length;
  return {tag: tag.toUpperCase(), offset, headerLength, lengthField, value};
}

function textBytes(text: string): Uint8Array | undefined {
  return isLatin1(text) ? bytesFromLatin1(text) : undefined;
}

/**
 * Terminals mask 57 and 5A with zeros, which cannot be distinguished from digits of a card number.
 */
function describeEmvTag(field: string): Described {
  const [, found = '', , , value = ''] = TAG_FIELD.exec(field) ?? [];
  const tag = found.toUpperCase();
  const meaning = tagName(tag, INGENICO_TAGS);
  if (holdsCardData(tag)) return {meaning, sensitivity: 'card'};
  const sensitivity = tagSensitivity(tag, bytesFromHex(value) ?? bytesFromLatin1(value));
  return {meaning, ...(sensitivity ? {sensitivity} : {})};
}

/** The digits of a tag's card number, masked or not; undefined if there is none. */
export function shownNumber(object: TlvObject): string | undefined {
  if (!NUMBER_TAGS.has(object.tag)) return undefined;
  const digits = tagText(object) ?? upperHexOf(object.value);
  return /^;?([\d*]{12,19})(?:[D=F?]|$)/.exec(digits)?.[1];
}

/** The masked copy in a tag, as text or in nibbles. */
export function maskedTag(object: TlvObject): MaskedPan[] {
  const {tag, value} = object;
  if (!NUMBER_TAGS.has(tag)) return [];
  const name = `tag ${tag}`;
  const text = tagText(object);
  return text === undefined
    ? maskedByZeros(maskedNibbles(name, value), VISIBLE_DIGITS)
    : rbaMaskedCopy(name, text);
}

const NUMBER_TAGS: ReadonlySet<string> = new Set(['57', '5A', '9F6B', 'FF1D']);

/** A number in text has more bytes than a packed one. */
function tagText({value}: TlvObject): string | undefined {
  const text = latin1Of(value);
  return /^(?=.{9}|\D{4})(?=(?:\D*\d){4})[\x20-\x7e]+$/.test(text) ? text : undefined;
}
