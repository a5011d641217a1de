import {redactBase64} from '../../contract/redact-base64.js';
import type {Part, Sensitivity} from '../trace.js';
import {type Hidden, hiddenDigits, starred} from './hidden-digits.js';
import {maskCardValue} from './mask-card-value.js';

/** A part as it is shown: its text is its meaning, in quotes. */
export type ShownPart = Pick<Part, 'offset' | 'length' | 'depth' | 'name' | 'value' | 'meaning'> & {
  readonly sensitivity?: 'card';
};

/** A part unmasked. */
export function revealPart({text, whole: _, sensitivity, ...part}: Part): ShownPart {
  return {
    ...part,
    ...(text === undefined ? {} : {meaning: `"${text}"`}),
    ...(sensitivity === 'card' ? {sensitivity} : {}),
  };
}

/** A part with card numbers masked by asterisks, judged by its field and by its content. */
export function maskPart(part: Part): ShownPart {
  const {name, value, text, meaning, whole, sensitivity} = part;
  const {value: all, at} = whole ?? {value, at: 0};
  const masked = maskValue(all, sensitivity).slice(at, at + value.length);
  return revealPart({
    ...part,
    name: maskUnknown(name),
    value: masked,
    ...(meaning === undefined ? {} : {meaning: maskUnknown(meaning)}),
    ...(text === undefined ? {} : {text: maskText(text, masked)}),
  });
}

/** A value of a field of which nothing is known, masked. */
export function maskUnknown(value: string): string {
  return starred(value, hiddenDigits(value));
}

/** A value masked by what is known of its field. */
export function maskValue(value: string, sensitivity?: Sensitivity): string {
  if (sensitivity === 'card') return maskCardValue(value);
  if (sensitivity === 'harmless' && HARMLESS.test(value)) return maskHarmless(value);
  if (TRACK.test(value)) return maskCardValue(value);
  return starred(value, hiddenDigits(value, sensitivity === 'opaque' ? 'chance' : 'packed'));
}

/** What a KSN, a serial number, a date or an amount may be: never a track, nor a longer text. */
const HARMLESS = /^[\w.:\- ]{0,32}$/;

/** Digits of a serial number are its own; a number in base64 is none of its. */
function maskHarmless(value: string): string {
  const shown = redactBase64(value, maskUnknown);
  const text = /^(?:[2-7][\dA-F])+$/.test(value)
    ? Buffer.from(value, 'hex').toString('latin1')
    : '';
  const inside = redactBase64(text, maskUnknown);
  return inside === text
    ? shown
    : value.replace(/../g, (pair, i) => (inside[i / 2] === '*' ? '**' : pair));
}

/** A track where none is expected: of a damaged payload, or of one that was never encrypted. */
const TRACK = /\d{12,19} ?[=^]/;

/** Both hex digits of a byte stand for its character. */
function maskText(text: string, maskedHex: string): string {
  const hidden: Hidden = Uint8Array.from(text, (_, i) =>
    maskedHex.slice(2 * i, 2 * i + 2).includes('*') ? 1 : 0,
  );
  return starred(text, hidden);
}
