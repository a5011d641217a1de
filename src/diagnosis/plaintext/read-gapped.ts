import {readCardTlv} from '../../engine/card/card-tlv.js';
import {Evidence, type Fact} from '../../engine/card/evidence.js';
import {unpackSixBit} from '../../engine/card/packed.js';
import {countedFillStart} from '../../engine/cipher/padding.js';
import {objectEnd} from '../../input/anchors/object-end.js';
import {attempt} from '../../input/attempt.js';
import type {Gap} from '../../input/interpretation.js';
import {concatBytes, hexOf, latin1Of, upperHexOf} from '../../platform/bytes.js';
import {canBeginAt} from './block-filter.js';
import {
  type Chain,
  type ChainReading,
  type Damage,
  freshOf,
  mostProven,
  type Way,
  waysOf,
} from './chain.js';
import {openDense, openPadded, textBits} from './open-text.js';
import {better, type Opening, openingOf} from './opened-plaintext.js';
import {tagEnds} from './read-beginning.js';
import {openTlvTail} from './read-damaged.js';

/**
 * Reads a ciphertext with unknown bytes. In CBC they cost their block and the next one, in ECB only
 * their block; the rest before and after must make sense together.
 */
export function readGapped(chain: Chain, gaps: readonly Gap[]): ChainReading | undefined {
  const ways = waysOf(chain, chain.ivs.slice(0, MAX_IVS));
  const found = ways.flatMap((way): ChainReading[] => {
    const {mode, plain} = way;
    const damage = lostIn(gaps, chain.blockSize, mode === 'cbc' ? 1 : 0, plain.length);
    const opening = openPieces(plain, damage);
    if (!opening) return [];
    const bits = opening.bits - Math.log2(ways.length);
    return [{...way, openings: [opening], bits, damage}];
  });
  return mostProven(found);
}

const MAX_IVS = 3;

/**
 * Reads a ciphertext with a damaged part that nothing marks: as a gap between text at the start and text
 * at the end, or else in each block of what begins as card data. A block that occurred before would
 * prove the same again.
 */
export function readDamaged(chain: Chain): ChainReading | undefined {
  const {blockSize, blocks, ivs} = chain;
  const count = blocks.length / blockSize;
  if (count < MIN_DAMAGED_BLOCKS) return undefined;
  // The cheapest tests come first: nearly every plaintext is that of a wrong key.
  const ways = waysOf(chain, ivs.slice(0, 1)).filter(
    (way) => isBegunOrEnded(way.plain, blockSize) && freshOf(way, chain).length === blocks.length,
  );
  const choice = 2 * Math.log2(count) + 1;
  const read = (way: Way, block: number, end = block + 1): ChainReading[] => {
    const heal = way.mode === 'cbc' ? 1 : 0;
    const gap = {from: block * blockSize, to: Math.max(block + 1, end - heal) * blockSize};
    const damage = lostIn([gap], blockSize, heal, blocks.length);
    const opening = openPieces(way.plain, damage);
    if (!opening || opening.packing === 'binary') return [];
    return [
      {
        ...way,
        openings: [opening],
        bits: Math.min(opening.bits, MAX_DAMAGED_BITS) - choice,
        damage,
      },
    ];
  };
  const all = [...Array(count).keys()];
  const between = ways.flatMap((way) => {
    const bad = all.filter((i) => !isTextBlock(way.plain, i * blockSize, blockSize));
    return bad[0] === undefined ? [] : read(way, bad[0], bad.at(-1)! + 1);
  });
  const begun = between.length > 0 ? [] : ways.filter(({plain}) => canBeginAt(plain));
  return mostProven([
    ...between,
    ...begun.flatMap((way) => all.slice(1).flatMap((i) => read(way, i))),
  ]);
}

/** Whole plaintexts are preferred. */
const MAX_DAMAGED_BITS = 80;
/** With fewer, hardly anything is left. */
const MIN_DAMAGED_BLOCKS = 3;

/** Whether a plaintext begins as card data, or has text at either end. */
function isBegunOrEnded(plain: Uint8Array, size: number): boolean {
  const isText = isTextBlock(plain, 0, size) || isTextBlock(plain, plain.length - size, size);
  return isText || canBeginAt(plain);
}

/** A block of text, or the zeros after it. */
function isTextBlock(plain: Uint8Array, at: number, size: number): boolean {
  let isFilling = false;
  for (let i = at; i < at + size; i++) {
    const byte = plain[i]!;
    if (byte === 0) isFilling = true;
    else if (isFilling || byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}

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
  const left = concatBytes(...pieces);
  if (left.length === 0) return undefined;
  const all = [openTexts, openGappedDigits, openLists, openSixBits, openPaddedEnd];
  // A list may have lost the beginnings of all objects, so that only values are left.
  const best = all.map((open) => open(pieces)).reduce(better, undefined) ?? openDense(left);
  if (!best) return undefined;
  const fact = {kind: 'other', text: `${left.length} of ${plain.length} bytes are left`, bits: 0};
  const facts = [...best.facts, fact as Fact];
  return {...best, facts, bits: best.bits - GAP_CHOICE_BITS * pieces.length};
}

const GAP_CHOICE_BITS = 2;

/** Reads characters up to the padding. */
function openTexts(pieces: readonly Uint8Array[]): Opening | undefined {
  const last = pieces.at(-1) ?? NOTHING;
  const end = countedFillStart(last);
  const parts = [...pieces.slice(0, -1), last.subarray(0, end)].map(latin1Of);
  const letters = parts.map((part) => part.replaceAll('\0', ''));
  const text = letters.join('');
  if (!/^[\t\n\r -~]+$/.test(text) || !/[=^?]|\d{6}/.test(text)) return undefined;
  const zeros = parts.join('').length - text.length + (last.length - end);
  const bits = Math.max(textBits(text, zeros), textBits('', zeros) + characterBits(text));
  const fact = {kind: 'grammar', text: 'all characters are text', bits} as const;
  return openingOf('ascii', fact, {text: letters.join(ELLIPSIS)});
}

/** Evidence in bits of a digit among 256 bytes, of any other character of track 1, and of any text. */
const BITS_OF = {digit: 4.68, other: 2, any: 1.38} as const;
const MIN_DIGITS = 6;

/** Long runs of digits, such as a card number, count as digits even among letters. */
function characterBits(text: string): number {
  const runs = (text.match(/\d+/g) ?? []).filter(({length}) => length >= MIN_DIGITS);
  const digits = runs.join('').length;
  const others = (text.length - digits) * BITS_OF[/^[ -_]+$/.test(text) ? 'other' : 'any'];
  return digits * BITS_OF.digit + others - GAP_CHOICE_BITS * (2 * runs.length + 1);
}

/** Displayed in place of lost text. */
const ELLIPSIS = '...';
/** log2 of 16 over 10. */
const DECIMAL_DIGIT_BITS = 0.678;

/** Packed digits: a start sentinel, one separator, an end sentinel, and trailing zeros. */
function openGappedDigits(pieces: readonly Uint8Array[]): Opening | undefined {
  const [first = '', ...rest] = pieces.map(hexOf);
  const last = rest.at(-1) ?? '';
  const [, digits = '', fill = ''] = /^([0-9d]*)(f[0-9a-f]?0*|f*)$/.exec(last) ?? [];
  const isEnd = last === '' || digits !== '' || fill !== '';
  const inner = [first.replace(/^b/, ''), ...rest.slice(0, -1), digits];
  const all = inner.join('');
  if (!isEnd || !/^\d*(?:d\d*)?$/.test(all) || all.length < 8) return undefined;
  const hasStart = first.startsWith('b');
  const sentinels = (hasStart ? 4 : 0) + Math.max(0, fill.length - 1) * 4;
  const text = `${hasStart ? ';' : ''}${inner.join(ELLIPSIS)}`.replace('d', '=');
  const bits = all.length * DECIMAL_DIGIT_BITS + sentinels;
  return openingOf('4bit', {kind: 'grammar', text: 'digits to the end', bits}, {text});
}

/** A TLV list: parsed as far as possible before the gap, and from the first tag after it. */
function openLists(pieces: readonly Uint8Array[]): Opening | undefined {
  const [first = NOTHING, last = NOTHING] = [pieces[0], pieces.at(-1)];
  const head = openListHead(first);
  const tail = openTlvTail(last);
  if (!head && !tail) return undefined;
  const lists = [head, tail].filter((one) => one !== undefined);
  const read = lists.reduce(
    (sum, one) => sum + (one === head ? first : last).length - (one.unread ?? 0),
    0,
  );
  return {
    packing: 'tlv',
    bits: lists.reduce((sum, {bits}) => sum + bits, 0),
    facts: lists.flatMap(({facts}) => facts),
    text: [head?.text, tail?.text].join(ELLIPSIS),
    unread: pieces.reduce((sum, {length}) => sum + length, -read),
  };
}

const NOTHING = new Uint8Array();

/** Number of tag ends to try, counted from the last. */
const MAX_ENDS = 4;

function openListHead(head: Uint8Array): Opening | undefined {
  const list = contentOf(head);
  const ends = tagEnds(list);
  for (const end of ends.slice(-MAX_ENDS).reverse()) {
    const evidence = new Evidence();
    const bytes = list.subarray(0, end);
    if (!attempt(() => readCardTlv('plaintext', bytes, evidence))) continue;
    const {bits, facts} = evidence;
    return {packing: 'tlv', bits, facts, text: upperHexOf(bytes), unread: list.length - end};
  }
  return undefined;
}

/** The objects in a container that is longer than what is left of it. */
function contentOf(head: Uint8Array): Uint8Array {
  const [tag = 0, length = 0] = head;
  if ((tag & 0x20) === 0 || objectEnd(head, 0) <= head.length) return head;
  return contentOf(head.subarray(length < 0x80 ? 2 : 2 + (length & 3)));
}

/** Nothing is known except the padding after the last gap. */
function openPaddedEnd(pieces: readonly Uint8Array[]): Opening | undefined {
  const last = openPadded(pieces.at(-1) ?? NOTHING);
  const before = pieces.slice(0, -1).reduce((sum, {length}) => sum + length, 0);
  return last && {...last, unread: before + (last.unread ?? 0)};
}

/** log2 of 64 over 10: evidence of a digit in six-bit characters, of which any value is valid. */
const SIX_BIT_DIGIT = 2.678;
/** The same of one of the characters of a name, and of a separator, which may be anywhere. */
const SIX_BIT_OTHER = 0.6;
const SIX_BIT_SEPARATOR = 1;
/**
 * A track 1 up to any position, and from any position. Any other bytes are characters in six bits
 * as well.
 */
const BEGINNING = /^%B\d+(?:\^[A-Z0-9 /.'-]*(?:\^\d*)?)?$/;
const ENDING = /^(?:[A-Z0-9 /.'-]*(?:\^[A-Z0-9 /.'-]*)?(?:\^\d*)?\?)?.( *)$/;

/** Track 1 in six bits: `%B` and digits at the start, zeros after the end. */
function openSixBits(pieces: readonly Uint8Array[]): Opening | undefined {
  const [first = NOTHING, ...rest] = pieces;
  const head = sixBitHead(first);
  const tail = sixBitTail(rest.at(-1) ?? NOTHING);
  if (!head || !tail || rest.slice(0, -1).some(({length}) => length > 0)) return undefined;
  const bits = head.bits + tail.bits;
  const fact = {kind: 'grammar', text: 'all characters are of six bits', bits} as const;
  return openingOf('6bit', fact, {text: [head.text, tail.text].join(ELLIPSIS)});
}

/** Digits in a row count as such, separators, and little of the letters of a name. */
function sixBitBits(text: string): number {
  const parts = text.split('^');
  const digits = parts.filter((part) => /^\d+$/.test(part)).join('').length;
  const others = text.length - digits - (parts.length - 1);
  return digits * SIX_BIT_DIGIT + others * SIX_BIT_OTHER + (parts.length - 1) * SIX_BIT_SEPARATOR;
}

interface SixBits {
  readonly text: string;
  readonly bits: number;
}

const NO_SIX_BITS: SixBits = {text: '', bits: 0};

function sixBitHead(head: Uint8Array): SixBits | undefined {
  if (head.length === 0) return NO_SIX_BITS;
  const text = unpackSixBit(head);
  return BEGINNING.test(text) ? {text, bits: 12 + sixBitBits(text.slice(2))} : undefined;
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
    const bits = sixBitBits(text.split('?', 1).join()) + fill.length * 6 + 4;
    return [{text: text.trimEnd(), bits}];
  });
  return shifts.toSorted((a, b) => b.bits - a.bits)[0];
}
