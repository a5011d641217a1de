import type {TrackNumber} from '../../card/lrc.js';
import {CARD, HARMLESS, type MemberRow, memberForm, OPAQUE} from '../../forms/members.js';
import {CARD_DATA_SETTING, type CipherSetting} from '../../reading.js';

/** A data element, in a description of a message and inside DE-127. */
interface Element extends Omit<MemberRow, 'names'> {
  /** Inside DE-127, by its number as the tag: the fewest and the most characters. */
  readonly inside?: readonly [min: number, max: number];
  readonly track?: TrackNumber;
  /** Of a card whose data is not encrypted, if the message has no DE-127. */
  readonly isClear?: true;
  /** The hex digits of one value: more of them are another read. */
  readonly hex?: RegExp;
}

const ONE_BLOCK_DIGITS = /^(?:[\da-f]{16}){1,2}$/i;
const MAC = {meaning: 'MAC', ...OPAQUE, hex: /^[\da-f]{8,32}$/i} as const;

/** Data elements by number, and the members of a description (docs/terminals/ifsf.md#de-127). */
export const ELEMENTS: Readonly<Record<string, Element>> = {
  2: {meaning: 'card number', ...CARD, inside: [12, 19], isClear: true},
  14: {meaning: 'expiry date', ...CARD, inside: [4, 6]},
  35: {meaning: 'track 2', ...CARD, inside: [13, 37], track: 2, isClear: true},
  36: {meaning: 'track 3', ...CARD, inside: [13, 104], track: 3},
  45: {meaning: 'track 1', ...CARD, inside: [15, 76], track: 1, isClear: true},
  52: {meaning: 'PIN block', ...OPAQUE, hex: ONE_BLOCK_DIGITS},
  53: {meaning: 'security data: the KSN', ...HARMLESS},
  64: MAC,
  127: {meaning: 'encrypted data elements', ...OPAQUE},
  128: MAC,
  ksn: {meaning: 'KSN', ...HARMLESS},
  iv: {meaning: 'IV', ...OPAQUE, hex: ONE_BLOCK_DIGITS},
};

/** Bytes of a tag and of its length, which is big-endian. */
export const ELEMENT_HEADER_BYTES = 3;

/** The data request key of X9.24-1:2009, and of the edition of 2004, which does not self-encrypt. */
export const EDITIONS: Readonly<Record<'2009' | '2004', CipherSetting>> = {
  2009: CARD_DATA_SETTING,
  2004: {...CARD_DATA_SETTING, selfEncrypted: false},
};

/** What is known of an element by its number, of `ksn` and of `iv`. */
export function elementAt(key: string | number): Element | undefined {
  return Object.hasOwn(ELEMENTS, key) ? ELEMENTS[key] : undefined;
}

/** The first element of a card that is given in clear. */
export function clearElement(values: ReadonlyMap<string, string>): string | undefined {
  return Object.keys(ELEMENTS).find((key) => ELEMENTS[key]?.isClear && values.has(key));
}

/** `127`, `DE-127`, `de127`, `P-127`, `S-127`: the bitmaps are called primary and secondary. */
const ELEMENT_NAME = /^(?:de|df|p|s|bit|field)?[ ._-]*0{0,2}(\d{1,3})$/i;

/** The number of the element that a name means, or the name in lower case. */
function elementKey(name: string): string {
  const [, digits] = ELEMENT_NAME.exec(name.trim()) ?? [];
  return digits === undefined ? name.trim().toLowerCase() : String(Number(digits));
}

/** True for the name of an element, whether or not the table has it. */
export function isElementName(name: string): boolean {
  return ELEMENT_NAME.test(name.trim());
}

/** The key of an element, `ksn` or `iv`; undefined for any other member. */
export function memberKey(name: string): string | undefined {
  const key = elementKey(name);
  return /^\d|^(?:ksn|iv)$/.test(key) ? key : undefined;
}

/** As `inspect` shows a member of a description. */
export const {describe: describeElement} = memberForm(
  Object.fromEntries(
    Object.entries(ELEMENTS).map(([key, element]) => [key, {names: [key], ...element}]),
  ),
  elementKey,
);
