import {readCardTlv} from '../../engine/card/card-tlv.js';
import {Evidence} from '../../engine/card/evidence.js';
import {unpackSixBit} from '../../engine/card/packed.js';
import {countedFillStart} from '../../engine/cipher/padding.js';
import {attempt} from '../../input/attempt.js';
import type {Gap} from '../../input/interpretation.js';
import {hexOf, latin1Of} from '../../platform/bytes.js';
import {type Chain, type ChainReading, type Damage, unchain, ZERO_IV} from './chain.js';
import {openDense, openPadded, textBits} from './open-text.js';
import {better, type Opening} from './opened-plaintext.js';
import {tagEnds} from './read-beginning.js';
import {openTlvTail} from './read-damaged.js';

/**
 * Reads a ciphertext with unknown bytes. In CBC they cost their block and the next one, in ECB only
 * their block; the rest before and after must make sense together.
 */
export function readGapped(chain: Chain, gaps: readonly Gap[]): ChainReading | undefined {
  const {blocks, blockSize} = chain;
  const ways = [
    ...chain.ivs.slice(0, MAX_IVS).map((iv) => ['cbc', iv, unchain(chain, iv.bytes)] as const),
    ['ecb', ZERO_IV, blocks] as const,
  ];
  const found = ways.flatMap(([mode, iv, plain]): ChainReading[] => {
    const damage = lostIn(gaps, blockSize, mode === 'cbc' ? 1 : 0, plain.length);
    const opening = openPieces(plain, damage);
    if (!opening) return [];
    const bits = opening.bits - Math.log2(ways.length);
    return [{mode, iv, plain, restarts: [], openings: [opening], bits, damage}];
  });
  return found.sort((a, b) => b.bits - a.bits)[0];
}

const MAX_IVS = 3;

/** The plaintext bytes lost to gaps, including `more` blocks after each. */
function lostIn(gaps: readonly Gap[], size: number, more: number, length: number): Damage[] {
  const lost: Damage[] = [];
  for (const gap of gaps) {
    const from = gap.from - (gap.from % size);
    const to = Math.min((Math.ceil(gap.to / size) + more) * size, length);
    const before = lost.at(-1);
    if (before && before.to >= from) lost[lost.length - 1] = {from: before.from, to};
    else lost.push({from, to});
  }
  return lost;
}

/** The rest of a plaintext, in order; the first and the last piece may be empty. */
function readablePieces(plain: Uint8Array, damage: readonly Damage[]): Uint8Array[] {
  const starts = [0, ...damage.map(({to}) => to)];
  const ends = [...damage.map(({from}) => from), plain.length];
  return starts.map((start, i) => plain.subarray(start, ends[i]));
}

function openPieces(plain: Uint8Array, damage: readonly Damage[]): Opening | undefined {
  const pieces = readablePieces(plain, damage);
  const kept = pieces.reduce((sum, {length}) => sum + length, 0);
  if (kept === 0) return undefined;
  const found: (Opening | undefined)[] = [
    ...[openTexts(pieces), openGappedDigits(pieces), openLists(pieces), openSixBits(pieces)],
    openPaddedEnd(pieces),
  ];
  // A list may have lost the beginnings of all objects, so that only values are left.
  if (!found.some((one) => one)) found.push(openDense(concatOf(pieces)));
  const best = found.reduce<Opening | undefined>(better, undefined);
  if (!best) return undefined;
  const left = `${kept} of ${plain.length} bytes are left`;
  const facts = [...best.facts, {kind: 'other', text: left, bits: 0} as const];
  return {...best, facts, bits: best.bits - GAP_CHOICE_BITS * pieces.length};
}

const GAP_CHOICE_BITS = 2;

function concatOf(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

/** Reads characters up to the padding. */
function openTexts(pieces: readonly Uint8Array[]): Opening | undefined {
  const last = pieces.at(-1) ?? new Uint8Array();
  const end = countedFillStart(last);
  const parts = [...pieces.slice(0, -1), last.subarray(0, end)].map(latin1Of);
  const letters = parts.map((part) => part.replaceAll('\0', ''));
  const text = letters.join('');
  if (!/^[\t\n\r -~]+$/.test(text) || !/[=^?]|\d{6}/.test(text)) return undefined;
  const zeros = parts.join('').length - text.length + (last.length - end);
  const bits = Math.max(textBits(text, zeros), textBits('', zeros) + characterBits(text));
  const fact = {kind: 'grammar', text: 'all characters are text', bits} as const;
  return {packing: 'ascii', bits, facts: [fact], text: letters.join(LOST)};
}

/** Evidence in bits of a digit among 256 bytes, and of any other character of track 1. */
const BITS_OF = {digit: 4.68, other: 2} as const;
const MIN_DIGITS = 6;

/** Long runs of digits, such as a card number, count as digits even among letters. */
function characterBits(text: string): number {
  if (!/^[ -_]+$/.test(text)) return 0;
  const runs = (text.match(/\d+/g) ?? []).filter(({length}) => length >= MIN_DIGITS);
  const digits = runs.join('').length;
  const others = text.length - digits;
  return digits * BITS_OF.digit + others * BITS_OF.other - GAP_CHOICE_BITS * (2 * runs.length + 1);
}

/** Displayed in place of lost text. */
const LOST = '...';
/** log2 of 16 over 10. */
const DECIMAL_DIGIT_BITS = 0.678;

/** Packed digits: a start sentinel, one separator, an end sentinel, and trailing zeros. */
function openGappedDigits(pieces: readonly Uint8Array[]): Opening | undefined {
  const [first = '', ...rest] = pieces.map(hexOf);
  const last = rest.at(-1) ?? '';
  const [, digits = '', fill = ''] = /^([0-9d]*)(f[0-9a-f]?(?:00)*0?|f*|0*)$/.exec(last) ?? [];
  const isEnd = last === '' || digits !== '' || fill !== '';
  const inner = [first.replace(/^b/, ''), ...rest.slice(0, -1), digits];
  const all = inner.join('');
  if (!isEnd || !/^\d*d?\d*$/.test(all) || all.length < 8) return undefined;
  const sentinels = (first.startsWith('b') ? 4 : 0) + Math.max(0, fill.length - 1) * 4;
  const text = [first.startsWith('b') ? `;${inner[0]}` : inner[0], ...inner.slice(1)].join(LOST);
  const bits = all.length * DECIMAL_DIGIT_BITS + sentinels;
  const fact = {kind: 'grammar', text: 'digits to the end', bits} as const;
  return {packing: '4bit', bits, facts: [fact], text: text.replace('d', '=')};
}

/** A TLV list: parsed as far as possible before the gap, and from the first tag after it. */
function openLists(pieces: readonly Uint8Array[]): Opening | undefined {
  const head = pieces[0] && openListHead(pieces[0]);
  const last = pieces.at(-1);
  const tail = last && openTlvTail(last);
  if (!head && !tail) return undefined;
  const bits = (head?.bits ?? 0) + (tail?.bits ?? 0);
  const facts = [...(head?.facts ?? []), ...(tail?.facts ?? [])];
  const all = pieces.reduce((sum, {length}) => sum + length, 0);
  const read = (head ? lengthRead(pieces[0], head) : 0) + (tail ? lengthRead(last, tail) : 0);
  const unread = all - read;
  const text = [head?.text, tail?.text].join(LOST);
  return {packing: 'tlv', bits, facts, text, unread};
}

function lengthRead(piece: Uint8Array | undefined, {unread = 0}: Opening): number {
  return (piece?.length ?? 0) - unread;
}

/** Number of tag ends to try, counted from the last. */
const MAX_ENDS = 4;

function openListHead(head: Uint8Array): Opening | undefined {
  const ends = tagEnds(head).filter((end) => end <= head.length);
  for (const end of ends.slice(-MAX_ENDS).reverse()) {
    const evidence = new Evidence();
    const bytes = head.subarray(0, end);
    if (!attempt(() => readCardTlv('plaintext', bytes, evidence))) continue;
    const {bits, facts} = evidence;
    const unread = head.length - end;
    return {packing: 'tlv', bits, facts: [...facts], text: hexOf(bytes).toUpperCase(), unread};
  }
  return undefined;
}

/** Nothing is known except the padding after the last gap. */
function openPaddedEnd(pieces: readonly Uint8Array[]): Opening | undefined {
  const last = openPadded(pieces.at(-1) ?? new Uint8Array());
  const before = pieces.slice(0, -1).reduce((sum, {length}) => sum + length, 0);
  return last && {...last, unread: before + (last.unread ?? 0)};
}

/** log2 of 64 over 10: evidence of a digit in six-bit characters, of which any value is valid. */
const SIX_BIT_DIGIT = 2.678;
/**
 * A track 1 up to any position, and from any position. Any other bytes are characters in six bits
 * as well.
 */
const BEGINNING = /^%B(\d+)(?:\^[A-Z0-9 /.'-]*(?:\^\d*)?)?$/;
const ENDING = /^(?:[A-Z0-9 /.'-]*(?:\^[A-Z0-9 /.'-]*)?(?:\^\d*)?\?)?.( *)$/;

/** Track 1 in six bits: `%B` and digits at the start, zeros after the end. */
function openSixBits(pieces: readonly Uint8Array[]): Opening | undefined {
  const [first = new Uint8Array(), ...rest] = pieces;
  const head = sixBitHead(first);
  const tail = sixBitTail(rest.at(-1) ?? new Uint8Array());
  if (!head || !tail || rest.slice(0, -1).some(({length}) => length > 0)) return undefined;
  const text = [head.text, tail.text].join(LOST);
  const bits = head.bits + tail.bits;
  const fact = {kind: 'grammar', text: 'all characters are of six bits', bits} as const;
  return {packing: '6bit', bits, facts: [fact], text};
}

interface SixBits {
  readonly text: string;
  readonly bits: number;
}

const NO_SIX_BITS: SixBits = {text: '', bits: 0};

function sixBitHead(head: Uint8Array): SixBits | undefined {
  if (head.length === 0) return NO_SIX_BITS;
  const text = unpackSixBit(head);
  const [, digits] = BEGINNING.exec(text) ?? [];
  return digits === undefined ? undefined : {text, bits: 12 + digits.length * SIX_BIT_DIGIT};
}

/**
 * The bit position of the first character after the gap is unknown: the one with most evidence is
 * used.
 */
function sixBitTail(tail: Uint8Array): SixBits | undefined {
  if (tail.length === 0) return NO_SIX_BITS;
  const binary = [...tail].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const shifts = [0, 2, 4].flatMap((shift): SixBits[] => {
    const text = (binary.slice(shift).match(/.{6}/g) ?? [])
      .map((six) => String.fromCharCode(0x20 + Number.parseInt(six, 2)))
      .join('');
    const [, fill] = ENDING.exec(text) ?? [];
    if (fill === undefined) return [];
    const [digits] = /\d*(?=\?)/.exec(text) ?? [''];
    const bits = digits.length * SIX_BIT_DIGIT + fill.length * 6 + 4;
    return [{text: text.trimEnd(), bits}];
  });
  return shifts.sort((a, b) => b.bits - a.bits)[0];
}
