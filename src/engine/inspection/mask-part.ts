import {redactBase64, redactInPlace} from '../../contract/masks/redact-card-numbers.js';
import {bytesOfHex, latin1Of} from '../../platform/bytes.js';
import type {Part, Sensitivity} from '../trace.js';
import {type Hidden, hiddenDigits, starred} from './hidden-digits.js';
import {maskCardValue} from './mask-card-value.js';

/** A part as displayed: its text is its meaning, in quotes. */
export type ShownPart = Pick<Part, 'offset' | 'length' | 'depth' | 'name' | 'value' | 'meaning'> & {
  readonly sensitivity?: 'card' | 'ciphertext';
};

/** Displays a part unmasked. */
export function revealPart(part: Part): ShownPart {
  return shownPart(part, part);
}

/** What is shown of a part besides its place. */
interface Words {
  readonly name: string;
  readonly value: string;
  readonly text?: string | undefined;
  readonly meaning?: string | undefined;
}

/** A part in these words. Payloads of thousands of parts are copied member by member. */
function shownPart(
  {offset, length, depth, sensitivity}: Part,
  {name, value, text, meaning}: Words,
): ShownPart {
  const words = text === undefined ? meaning : `"${text}"`;
  const isTold = sensitivity === 'card' || sensitivity === 'ciphertext';
  return {
    offset,
    length,
    depth,
    name,
    value,
    ...(words !== undefined && {meaning: words}),
    ...(isTold && {sensitivity}),
  };
}

/**
 * Displays parts with card numbers masked by asterisks, according to their fields and their content.
 * Of a payload that could not be read, no part is taken for ciphertext, and `hide` hides what its
 * bytes say together: a card number may pass for several parts. A field that holds none stays.
 */
export function maskParts(
  parts: readonly Part[],
  isRead: boolean,
  hide: (part: Part, masked: string) => string = (_, masked) => masked,
): ShownPart[] {
  // The parts of long lists have few names, meanings and values.
  const maskWords = once(maskUnknown);
  const maskOnce = once(maskValue);
  const fieldOf = ({sensitivity}: Part) =>
    isRead || sensitivity === 'card' || sensitivity === 'harmless' ? sensitivity : undefined;
  return parts.map((part) => {
    const masked = maskFragment(part, (value) => maskOnce(value, fieldOf(part)));
    return maskPart(part, maskWords, part.sensitivity === 'harmless' ? masked : hide(part, masked));
  });
}

/** A mask that masks equal values of a kind only once. */
function once(mask: typeof maskValue): typeof maskValue {
  const known = new Map<Sensitivity | undefined, Map<string, string>>();
  return (value, sensitivity) => {
    const values = known.get(sensitivity) ?? new Map<string, string>();
    const masked = values.get(value) ?? mask(value, sensitivity);
    known.set(sensitivity, values.set(value, masked));
    return masked;
  };
}

/** A value, or the fragment of one, masked. */
function maskFragment({value, whole}: Part, mask: (value: string) => string): string {
  const {value: all, at} = whole ?? {value, at: 0};
  return mask(all).slice(at, at + value.length);
}

function maskPart(part: Part, maskWords: (words: string) => string, masked: string): ShownPart {
  const {name, text, meaning} = part;
  return shownPart(part, {
    name: maskWords(name),
    value: masked,
    meaning: meaning && maskWords(meaning),
    text: text && maskPartText(text, masked),
  });
}

/** Masks a value of an unknown field. */
export function maskUnknown(value: string): string {
  return redactInPlace(starred(value, hiddenDigits(value)));
}

/** Masks a value by what is known of its field. */
export function maskValue(value: string, sensitivity?: Sensitivity): string {
  if (sensitivity === 'card') return maskCardValue(value);
  if (sensitivity === 'harmless' && HARMLESS_PART.test(value)) return maskHarmless(value);
  if (TRACK_TEXT.test(value)) return maskCardValue(value);
  const digits = sensitivity === 'opaque' || sensitivity === 'ciphertext' ? 'chance' : 'packed';
  return redactInPlace(starred(value, hiddenDigits(value, digits)));
}

/** The form of a KSN, serial number, date or amount: never a track, nor longer text. */
const HARMLESS_PART = /^[\w.:\- ]{0,32}$/;

/**
 * The digits of a serial number may look like a card number and stay; in base64 they are hidden.
 */
function maskHarmless(value: string): string {
  const shown = redactBase64(value, maskUnknown);
  const text = /^(?:[2-7][\dA-F])+$/.test(value) ? latin1Of(bytesOfHex(value)) : '';
  const inside = redactBase64(text, maskUnknown);
  return inside === text
    ? shown
    : value.replace(/../g, (pair, i) => (inside[i / 2] === '*' ? '**' : pair));
}

/** A track in an unexpected place: in a damaged payload, or one that was never encrypted. */
const TRACK_TEXT = /[=^](?<=\d{12} ?.)/;

/** Hides both hex digits of a byte if its character is hidden. */
function maskPartText(text: string, maskedHex: string): string {
  const hidden: Hidden = Uint8Array.from(text, (_, i) =>
    maskedHex.slice(2 * i, 2 * i + 2).includes('*') ? 1 : 0,
  );
  return starred(text, hidden);
}
