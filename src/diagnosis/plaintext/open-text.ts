import type {CardContent} from '../../engine/card/card-content.js';
import {Evidence, REQUIRED_BITS} from '../../engine/card/evidence.js';
import {trackLrc} from '../../engine/card/lrc.js';
import {readTrack} from '../../engine/card/track.js';
import {countedFillStart, isFill} from '../../engine/cipher/padding.js';
import {attempt} from '../../input/attempt.js';
import {latin1Of} from '../../platform/bytes.js';
import {fillOf} from './open-card.js';
import {dotted, type Opening, openingOf} from './opened-plaintext.js';

/** Evidence of one character of a class in bits: log2 of 256 over the size of the class. */
const CLASSES: readonly (readonly [form: RegExp, bits: number, name: string])[] = [
  [/^[0-9]+$/, 4.68, 'digits'],
  [/^[0-9:;<=>?]+$/, 4, 'track 2 alphabet'],
  [/^(?:[0-9A-F]+|[0-9a-f]+)$/, 4, 'hex digits'],
  [/^[A-Z ]+$/, 3.24, 'capital letters'],
  [/^[A-Za-z ]+$/, 2.27, 'letters'],
  [/^[ -_]+$/, 2, 'track 1 alphabet'],
  [/^[ -~]+$/, 1.43, 'printable text'],
  [/^[\t\n\r -~]+$/, 1.38, 'printable text'],
];
/** Cost of the choice of the class. */
const TEXT_CHOICE_BITS = 3;

/**
 * Reads a plaintext that is text up to its padding: several tracks in one CBC chain (`?` LRC `;`),
 * keyed entry, or any other text. Zero bytes may separate the parts.
 */
export function openText(plain: Uint8Array): Opening | undefined {
  const end = textEnd(plain);
  if (end < 3) return undefined;
  const text = latin1Of(plain.subarray(0, end));
  const parts = text.split(/\0+/);
  const letters = parts.join('');
  const found = CLASSES.find(([form]) => form.test(letters));
  if (!found) return undefined;
  const [, bits, name] = found;
  const evidence = new Evidence();
  evidence.add('grammar', `all characters are ${name}`, letters.length * bits - TEXT_CHOICE_BITS);
  const zeros = text.length - letters.length;
  if (zeros > 0)
    evidence.add('other', 'zeros between the parts', zeros * 8 - 4 * (parts.length - 1));
  if (end < plain.length)
    evidence.add('padding', 'padding', Math.min(plain.length - end, 8) * 8 - 2);
  const content = tracksIn(text, evidence);
  return {
    packing: content ? 'ascii' : 'text',
    bits: evidence.bits,
    facts: evidence.facts,
    text: text.replaceAll('\0', ' '),
    content,
    fill: fillOf(plain, end),
  };
}

/** Evidence of a text by the class of its characters, and of the zeros after it. */
export function textBits(letters: string, zeros: number): number {
  const [, bits = 0] = CLASSES.find(([form]) => form.test(letters)) ?? [];
  return Math.max(0, letters.length * bits - TEXT_CHOICE_BITS) + Math.max(0, zeros * 8 - 4);
}

/**
 * Reads a plaintext of unknown form that is mostly digits, text or zeros: fields with lengths
 * between them. The evidence is Chernoff's bound on how often random bytes contain as many of a
 * class; `weighed` are the bytes that do not follow from others.
 */
export function openDense(plain: Uint8Array, weighed = plain): Opening | undefined {
  const counts = [0, 0, 0];
  for (const byte of weighed) {
    if (byte >= 0x30 && byte <= 0x39) counts[0]!++;
    if (byte >= 0x20 && byte <= 0x7e) counts[1]!++;
    if (byte === 0) counts[2]!++;
  }
  const [bits, what] = DENSE.map(([size, name], i) => {
    const count = counts[i]!;
    const bits = tailBits(count, weighed.length, size / 256);
    return [bits, `${count} of ${weighed.length} bytes are ${name}`] as const;
  }).reduce((best, one) => (one[0] > best[0] ? one : best));
  if (bits < REQUIRED_BITS) return undefined;
  const more = {bits: bits - TEXT_CHOICE_BITS, text: dotted(plain), unread: plain.length};
  return openingOf('text', {kind: 'other', text: what, bits}, more);
}

const DENSE = [
  [10, 'digits'],
  [95, 'printable'],
  [1, 'zero'],
] as const;

/** Evidence in bits when at least `count` of `all` random bytes are in a class with share `p`. */
function tailBits(count: number, all: number, p: number): number {
  const share = count / all;
  if (share <= p) return 0;
  const others = share === 1 ? 0 : (1 - share) * Math.log2((1 - share) / (1 - p));
  return all * (share * Math.log2(share / p) + others);
}

/** A plaintext of zeros, as a terminal sends for a field without data. */
export function openZeros(plain: Uint8Array): Opening | undefined {
  if (plain.some((byte) => byte !== 0)) return undefined;
  const bits = 8 * plain.length - 2;
  return openingOf('zeros', {kind: 'other', text: 'all bytes are zero', bits});
}

/** Data of an unknown form whose padding is too long to be chance. */
export function openPadded(plain: Uint8Array): Opening | undefined {
  const counted = countedFillStart(plain);
  const zeros = plain.findLastIndex((byte) => byte !== 0) + 1;
  const start = isFill(plain, counted) ? Math.min(counted, zeros) : zeros;
  const length = plain.length - start;
  if (length < 5) return undefined;
  const fill = fillOf(plain, start);
  const bits = Math.min(length, 16) * 8 - 4;
  const fact = {kind: 'padding', text: `${length} bytes of ${fill} padding`, bits} as const;
  return openingOf('binary', fact, {unread: start, fill});
}

/** The end of the text: only padding follows. */
function textEnd(plain: Uint8Array): number {
  const last = plain.findLastIndex((code) => code >= 0x20 && code <= 0x7e) + 1;
  if (isFill(plain, last)) return last;
  const counted = countedFillStart(plain);
  return counted < plain.length ? counted : 0;
}

const TRACK_IN_TEXT = /(?:%[A-Z]|;)[^?;%\0]+\?([ -_])?(?=[%;\0]|$)/g;

/** Consecutive tracks in a text, each with or without its LRC. */
function tracksIn(text: string, evidence: Evidence): CardContent | undefined {
  const content: Record<string, unknown> = {};
  for (const {0: track, 1: lrc = ''} of text.matchAll(TRACK_IN_TEXT)) {
    const number = track.startsWith('%') ? 1 : content.track2 === undefined ? 2 : 3;
    const bare = lrc === '' ? track : track.slice(0, -1);
    if (lrc === trackLrc(number, bare)) evidence.add('lrc', `LRC of track ${number}`, 4);
    const bytes = Uint8Array.from(bare, (c) => c.charCodeAt(0));
    const options = {evidence: new Evidence(), ends: 'nowhere'} as const;
    const read = attempt(() => readTrack(number, bytes, options));
    if (read) content[`track${number}`] = read;
  }
  return Object.keys(content).length > 0 ? (content as CardContent) : undefined;
}
