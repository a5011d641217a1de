import {readCardTlv} from '../../engine/card/card-tlv.js';
import {Evidence, type Fact} from '../../engine/card/evidence.js';
import {unpackSixBit} from '../../engine/card/packed.js';
import {countedFillStart} from '../../engine/cipher/padding.js';
import {attempt} from '../../input/attempt.js';
import type {Place} from '../../input/notations/notation.js';
import {concatBytes, hexOf, latin1Of, upperHexOf} from '../../platform/bytes.js';
import {canBeginAt} from './block-filter.js';
import {type Chain, type ChainReading, mostProven, waysOf} from './chain.js';
import {openDense, openPadded, textBits} from './open-text.js';
import {better, type Opening, openingOf} from './opened-plaintext.js';
import {isForeign, openTlvTail} from './read-damaged.js';
import {sixBitsAt, tagEnds} from './read-run.js';

/**
 * Reads a ciphertext with unknown bytes. In CBC they cost their block and the next one, in ECB only
 * their block; the rest before and after must make sense together.
 */
export function readGapped(chain: Chain, gaps: readonly Place[]): ChainReading | undefined {
  const ways = waysOf(chain, chain.ivs.slice(0, MAX_IVS));
  const found = ways.flatMap((way): ChainReading[] => {
    const {mode, plain} = way;
    const damage = lostIn(gaps, chain.blockSize, mode === 'cbc' ? 1 : 0, plain.length);
    const opening = openPieces(plain, damage);
    if (!opening) return [];
    return [{...way, openings: [opening], bits: opening.bits - Math.log2(ways.length), damage}];
  });
  return mostProven(found);
}

const MAX_IVS = 3;

/**
 * Reads a ciphertext with one block that is damaged, or lost in CBC, where nothing shows which: each
 * in turn is a gap. Its first block must be card data, so that only a few wrong keys cost more.
 */
export function readBroken(chain: Chain): ChainReading | undefined {
  const {blockSize, blocks, ivs} = chain;
  const count = blocks.length / blockSize;
  if (count < 3 || count > MAX_BROKEN_BLOCKS) return undefined;
  // Where nothing is lost between the first block and the next, nothing is damaged.
  const open = (plain: Uint8Array, damage: readonly Place[]) => {
    const opening = openPieces(plain, damage);
    return opening?.packing === 'binary' || opening?.packing === 'text' ? undefined : opening;
  };
  const isWhole = (opening?: Opening) => opening !== undefined && !opening.unread;
  const ways = waysOf(chain, ivs.slice(0, MAX_IVS)).filter(
    ({plain}) => canBeginAt(plain) && !isWhole(open(plain, [{from: blockSize, to: blockSize}])),
  );
  const places = Array.from({length: count - 1}, (_, i) => (i + 1) * blockSize);
  const found = ways.flatMap((way) =>
    places.flatMap((from): ChainReading[] => {
      const heal = way.mode === 'cbc' ? 1 : 0;
      const damage = lostIn([{from, to: from + blockSize}], blockSize, heal, blocks.length);
      const opening = open(way.plain, damage);
      const {to = 0} = damage[0] ?? {};
      // Without an end behind it, the damage could be anything that follows.
      if (!opening || to === way.plain.length || isForeign(way.plain, from, to)) return [];
      const bits = opening.bits - Math.log2(count * ways.length);
      return [{...way, openings: [opening], bits, damage}];
    }),
  );
  return mostProven(found);
}

/** Longer ones have too many places. */
const MAX_BROKEN_BLOCKS = 64;

/** The plaintext bytes lost to gaps, including `more` blocks after each. */
function lostIn(gaps: readonly Place[], size: number, more: number, length: number): Place[] {
  const lost: Place[] = [];
  for (const gap of gaps) {
    const from = gap.from - (gap.from % size);
    const to = Math.min((Math.ceil(gap.to / size) + more) * size, length);
    const before = lost.at(-1);
    if (before && before.to >= from) lost[lost.length - 1] = {from: before.from, to};
    else lost.push({from, to});
  }
  return lost;
}

function openPieces(plain: Uint8Array, damage: readonly Place[]): Opening | undefined {
  // The rest of the plaintext, in order; the first and the last piece may be empty.
  const starts = [0, ...damage.map(({to}) => to)];
  const ends = [...damage.map(({from}) => from), plain.length];
  const pieces = starts.map((start, i) => plain.subarray(start, ends[i]));
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
  const ends = tagEnds(head).filter((end) => end <= head.length);
  for (const end of ends.slice(-MAX_ENDS).reverse()) {
    const evidence = new Evidence();
    const bytes = head.subarray(0, end);
    if (!attempt(() => readCardTlv('plaintext', bytes, evidence))) continue;
    const {bits, facts} = evidence;
    return {packing: 'tlv', bits, facts, text: upperHexOf(bytes), unread: head.length - end};
  }
  return undefined;
}

/** Nothing is known except the padding after the last gap. */
function openPaddedEnd(pieces: readonly Uint8Array[]): Opening | undefined {
  const last = openPadded(pieces.at(-1) ?? NOTHING);
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
  const [first = NOTHING, ...rest] = pieces;
  const head = sixBitHead(first);
  const tail = sixBitTail(rest.at(-1) ?? NOTHING);
  if (!head || !tail || rest.slice(0, -1).some(({length}) => length > 0)) return undefined;
  const bits = head.bits + tail.bits;
  const fact = {kind: 'grammar', text: 'all characters are of six bits', bits} as const;
  return openingOf('6bit', fact, {text: [head.text, tail.text].join(ELLIPSIS)});
}

type SixBits = Pick<Opening, 'text' | 'bits'>;

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
  const shifts = [0, 2, 4].flatMap((shift): SixBits[] => {
    const count = Math.floor((8 * tail.length - shift) / 6);
    const sixes = Uint8Array.from({length: count}, (_, i) => sixBitsAt(tail, shift + 6 * i) + 0x20);
    const text = latin1Of(sixes);
    const [, fill] = ENDING.exec(text) ?? [];
    if (fill === undefined) return [];
    const [, digits = ''] = /(?<!\d)(\d*)\?/.exec(text) ?? [];
    return [{text: text.trimEnd(), bits: digits.length * SIX_BIT_DIGIT + fill.length * 6 + 4}];
  });
  return shifts.toSorted((a, b) => b.bits - a.bits)[0];
}
