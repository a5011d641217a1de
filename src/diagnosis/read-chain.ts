import {hexOf, latin1Of} from '../engine/bytes.js';
import type {CardContent} from '../engine/card/card-content.js';
import {readCardTlv} from '../engine/card/card-tlv.js';
import {Evidence, REQUIRED_BITS} from '../engine/card/evidence.js';
import type {EncryptedField} from '../engine/reading.js';
import {canBeginAt, canBeginTlvAt} from './block-filter.js';
import {attempt, openCard} from './open-card.js';
import {openDense, openPadded, openText, openZeros, textBits} from './open-text.js';
import {better, type Opening, type Packing} from './opening.js';

/** Where an IV came from. */
export type IvSource = 'zero' | 'given' | 'own' | 'hidden' | 'prepended';

export interface IvCandidate {
  readonly bytes: Uint8Array;
  readonly source: IvSource;
}

/** What is wrong with a ciphertext that opens all the same. */
export interface Damage {
  /** Bytes of the plaintext that are lost: from, to. */
  readonly from: number;
  readonly to: number;
}

/** One ciphertext, read under one key. */
export interface ChainReading {
  readonly mode: 'cbc' | 'ecb';
  /** Undefined: the first block is lost, since the IV is not known. */
  readonly iv: IvCandidate | undefined;
  /** The whole cipher output. */
  readonly plain: Uint8Array;
  /** Byte offsets at which the chain begins anew. */
  readonly restarts: readonly number[];
  readonly openings: readonly Opening[];
  readonly bits: number;
  readonly damage?: Damage;
  /** The reader of the payload accepted it, masked copies and hashes included. */
  readonly accepted?: boolean;
  /** The reader of the payload refused what opened all the same. */
  readonly refused?: boolean;
}

/** A ciphertext and its blocks deciphered one by one. */
export interface Chain {
  readonly ciphertext: Uint8Array;
  /** ECB output under the key on trial. */
  readonly blocks: Uint8Array;
  readonly blockSize: number;
  readonly ivs: readonly IvCandidate[];
  /** The test of the reader that found the ciphertext. */
  readonly open?: EncryptedField['open'] | undefined;
  /** Opens what is no card data: PIN blocks. */
  readonly special?: ((plain: Uint8Array) => Opening | undefined) | undefined;
}

/**
 * Reads a ciphertext under one key in every way a chain can run: CBC under each IV, ECB, restarts
 * between tracks, the first block lost, a damaged block. The best proven reading, if any makes sense.
 */
export function readChain(chain: Chain): ChainReading | undefined {
  const whole = readWhole(chain);
  if (whole?.accepted) return whole;
  const isStrong = whole !== undefined && whole.bits >= STRONG_BITS;
  const parts = isStrong
    ? [readRestarted(chain)]
    : [readRestarted(chain), readPrepended(chain), readHeadless(chain), readDamaged(chain)];
  const best = parts.reduce(
    (best, one) => (one && (!best || one.bits > best.bits) ? one : best),
    whole,
  );
  // Where nothing is proven, what is known of no form is worth a look.
  return best && best.bits >= REQUIRED_BITS ? best : (readDense(chain) ?? best);
}

function readDense(chain: Chain): ChainReading | undefined {
  const [iv = ZERO] = chain.ivs;
  const modes = [
    ['cbc', unchain(chain, iv.bytes)],
    ['ecb', chain.blocks],
  ] as const;
  const found = modes.flatMap(([mode, plain]): ChainReading[] => {
    const opening = openDense(plain);
    if (!opening) return [];
    return [{mode, iv, plain, restarts: [], openings: [opening], bits: opening.bits - 1}];
  });
  return found.sort((a, b) => b.bits - a.bits)[0];
}

/** Enough to look no further for another way to read the same bytes. */
const STRONG_BITS = 60;

/** The plaintext of CBC under `iv`. */
function unchain({ciphertext, blocks, blockSize}: Chain, iv: Uint8Array): Uint8Array {
  const plain = new Uint8Array(blocks.length);
  for (let i = 0; i < plain.length; i++) {
    const before = i < blockSize ? iv[i]! : ciphertext[i - blockSize]!;
    plain[i] = blocks[i]! ^ before;
  }
  return plain;
}

/** Reads a ciphertext that ends where its data does; what stands behind it is no part of it. */
export function readBeginning(chain: Chain): ChainReading | undefined {
  const {ciphertext, blocks, blockSize} = chain;
  let best: ChainReading | undefined;
  for (const [mode, plain, iv] of [
    ...chain.ivs.map((iv) => ['cbc', unchain(chain, iv.bytes), iv] as const),
    ['ecb', blocks, ZERO] as const,
  ]) {
    if (!canBeginAt(plain)) continue;
    for (let end = 2 * blockSize; end <= ciphertext.length; end += blockSize) {
      const opening = openCard(plain.subarray(0, end));
      if (!opening) continue;
      const bits = opening.bits - Math.log2(ciphertext.length);
      if (best && best.bits >= bits) continue;
      const bytes = plain.slice(0, end);
      best = {mode, iv, plain: bytes, restarts: [], openings: [opening], bits};
    }
  }
  return best;
}

function readWhole(chain: Chain): ChainReading | undefined {
  let best: ChainReading | undefined;
  const choice = Math.log2(chain.ivs.length + 1);
  const add = (mode: 'cbc' | 'ecb', iv: IvCandidate, plain: Uint8Array, cost: number) => {
    const opened = openWhole(plain, chain);
    if (!opened) return;
    const {opening, accepted, refused} = opened;
    const bits = opening.bits - cost;
    if (best && best.bits >= bits) return;
    const checks = {...(accepted && {accepted}), ...(refused && {refused})};
    best = {mode, iv, plain, restarts: [], openings: [opening], bits, ...checks};
  };
  for (const [i, iv] of chain.ivs.entries()) {
    add('cbc', iv, unchain(chain, iv.bytes), i === 0 ? 0 : choice);
  }
  if (chain.blocks.length > chain.blockSize) add('ecb', ZERO, chain.blocks, choice);
  return best;
}

const ZERO: IvCandidate = {bytes: new Uint8Array(16), source: 'zero'};

interface Opened {
  readonly opening: Opening;
  readonly accepted?: boolean;
  readonly refused?: boolean;
}

function openWhole(plain: Uint8Array, {open, special}: Chain): Opened | undefined {
  const generic = openPlain(plain, special);
  if (!open || !canBeginAt(plain)) return generic && {opening: generic};
  const content = attempt(() => open(plain));
  if (!content) return generic && {opening: generic, refused: true};
  const facts = [...new Set([...(content.facts ?? []), ...(generic?.facts ?? [])])];
  const bits = Math.max(content.bits ?? 0, generic?.bits ?? 0);
  const text = generic?.text ?? content.keyed?.text ?? latin1Of(plain);
  const packing = acceptedPacking(generic, content);
  const fill = generic?.fill === undefined ? {} : {fill: generic.fill};
  return {opening: {packing, text, bits, facts, content, ...fill}, accepted: true};
}

/** Text that the reader takes for card data is no other text. */
function acceptedPacking(generic: Opening | undefined, {keyed}: CardContent): Packing {
  if (!generic) return keyed && /[=?]/.test(keyed.text) ? 'ascii' : 'bcd';
  return generic.packing === 'text' ? 'ascii' : generic.packing;
}

/** Reads a plaintext in every packing. */
function openPlain(
  plain: Uint8Array,
  special?: (plain: Uint8Array) => Opening | undefined,
): Opening | undefined {
  const card = openCard(plain);
  if (card && card.bits >= STRONG_BITS) return card;
  const others = [openText(plain), openZeros(plain), openPadded(plain), special?.(plain)];
  return others.reduce(better, card);
}

/** Several chains one after the other, each under a zero IV. */
function readRestarted(chain: Chain): ChainReading | undefined {
  const starts = restartPoints(chain);
  if (starts.length === 0 || starts.length > MOST_STARTS) return undefined;
  for (const iv of chain.ivs.slice(0, 3)) {
    const found = splitFrom(chain, 0, iv, starts);
    if (!found) continue;
    const plain = new Uint8Array(chain.blocks.length);
    for (const {at, bytes} of found.segments) plain.set(bytes, at);
    const openings = found.segments.map(({opening}) => opening);
    const bits = found.bits - 2 * starts.length - 2;
    const restarts = found.segments.slice(1).map(({at}) => at);
    return {mode: 'cbc', iv, plain, restarts, openings, bits};
  }
  return undefined;
}

const MOST_STARTS = 12;
/** Less proves nothing of a part. */
const LEAST_BITS = 20;

interface Segment {
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly opening: Opening;
}

interface Split {
  readonly segments: readonly Segment[];
  readonly bits: number;
}

/** The best proven split: a block of text by chance must not begin a part of its own. */
function splitFrom(
  chain: Chain,
  at: number,
  iv: IvCandidate,
  starts: readonly number[],
): Split | undefined {
  const later = starts.filter((start) => start > at);
  let best: Split | undefined;
  for (const end of at === 0 ? later : [...later, chain.blocks.length]) {
    const bytes = unchain(sliceOf(chain, at, end), iv.bytes);
    const opening = openPlain(bytes);
    if (!opening || opening.bits < LEAST_BITS || opening.packing === 'binary') continue;
    const rest = end === chain.blocks.length ? NOTHING : splitFrom(chain, end, ZERO, later);
    if (!rest || (best && best.bits >= opening.bits + rest.bits)) continue;
    const segments = [{at, bytes, opening}, ...rest.segments];
    best = {segments, bits: opening.bits + rest.bits};
  }
  return best;
}

const NOTHING: Split = {segments: [], bits: 0};

function sliceOf(chain: Chain, from: number, to: number): Chain {
  const ciphertext = chain.ciphertext.subarray(from, to);
  return {...chain, ciphertext, blocks: chain.blocks.subarray(from, to)};
}

function restartPoints({blocks, blockSize}: Chain): number[] {
  const points: number[] = [];
  for (let at = blockSize; at < blocks.length; at += blockSize) {
    if (canBeginAt(blocks, at)) points.push(at);
  }
  return points;
}

/** The IV stands in front of the ciphertext, as its first block. */
function readPrepended(chain: Chain): ChainReading | undefined {
  const {ciphertext, blockSize, blocks} = chain;
  if (blocks.length < 2 * blockSize) return undefined;
  const bytes = ciphertext.slice(0, blockSize);
  const plain = unchain(sliceOf(chain, blockSize, blocks.length), bytes);
  const opening = openCard(plain);
  if (!opening || opening.bits < LEAST_BITS) return undefined;
  const iv = {bytes, source: 'prepended' as const};
  return {mode: 'cbc', iv, plain, restarts: [], openings: [opening], bits: opening.bits - 2};
}

/** All but the first block: the IV is not known. */
function readHeadless(chain: Chain): ChainReading | undefined {
  const {blockSize, blocks} = chain;
  if (blocks.length < 2 * blockSize) return undefined;
  const plain = unchain(chain, ZERO.bytes);
  const opening = openTail(plain, blockSize);
  if (!opening) return undefined;
  const damage = {from: 0, to: blockSize};
  const bits = opening.bits - 3;
  return {mode: 'cbc', iv: undefined, plain, restarts: [], openings: [opening], bits, damage};
}

function openTail(plain: Uint8Array, from: number): Opening | undefined {
  const tail = plain.subarray(from);
  const text = openText(tail);
  const track = text && /[=^?]/.test(text.text) ? {...text, packing: 'ascii' as const} : text;
  return [track, openPackedTail(tail), openTlvTail(tail)].reduce(better, undefined);
}

/** Packed digits with their separator, end and fill. */
function openPackedTail(tail: Uint8Array): Opening | undefined {
  const [, digits, fill = ''] = /^([0-9]*d?[0-9d]*)(f[0-9a-f]?0*|f*)$/.exec(hexOf(tail)) ?? [];
  if (digits === undefined || digits.length < 4) return undefined;
  const bits = digits.length * 0.58 + Math.max(0, fill.length - 1) * 4 - 2;
  return {packing: '4bit', bits, facts: ['digits to the end'], text: digits};
}

const FURTHEST_TAG = 40;

/** The first tag after the lost block may begin anywhere. */
function openTlvTail(tail: Uint8Array): Opening | undefined {
  let best: Opening | undefined;
  for (let at = 0; at < Math.min(FURTHEST_TAG, tail.length - 3); at++) {
    if (!TAIL_TAGS.has(tail[at]!) || !canBeginTlvAt(tail, at)) continue;
    const evidence = new Evidence();
    const content = attempt(() => readCardTlv('plaintext', tail.subarray(at), evidence));
    if (!content) continue;
    const bits = evidence.bits - 6;
    const facts = [...evidence.facts, 'TLV walks to its end'];
    const text = hexOf(content.tlv?.[0]?.bytes ?? tail).toUpperCase();
    best = better(best, {packing: 'tlv', bits, facts, text, content});
  }
  return best;
}

const TAIL_TAGS = new Set([0x57, 0x5a, 0x5f, 0x9f, 0xdf, 0x4f, 0x50, 0x82, 0x84, 0x95, 0x9a, 0x9c]);

/** Text before and behind blocks that are not: they are damaged, or bytes are missing from there on. */
function readDamaged(chain: Chain): ChainReading | undefined {
  const {blockSize, blocks} = chain;
  const count = blocks.length / blockSize;
  if (count < 5) return undefined;
  const plain = unchain(chain, (chain.ivs[0] ?? ZERO).bytes);
  const good = Array.from({length: count}, (_, i) => isTextBlock(plain, i * blockSize, blockSize));
  const head = good.indexOf(false);
  const tail = count - 1 - good.lastIndexOf(false);
  if (head < 1 || head + tail < 4 || head + tail > count) return undefined;
  const bytes = [
    plain.subarray(0, head * blockSize),
    plain.subarray(plain.length - tail * blockSize),
  ];
  const letters = bytes.map(latin1Of).join('').replaceAll('\0', '');
  const zeros = (head + tail) * blockSize - letters.length;
  const bits = textBits(letters, zeros) - 2 * Math.log2(count) - 4;
  const text = [...latin1Of(plain)].map((c) => (/[ -~]/.test(c) ? c : '.')).join('');
  const facts = [`${head + tail} of ${count} blocks are text`];
  const damage = {from: head * blockSize, to: plain.length - tail * blockSize};
  const opening: Opening = {packing: 'ascii', bits, facts, text};
  const iv = chain.ivs[0] ?? ZERO;
  return {mode: 'cbc', iv, plain, restarts: [], openings: [opening], bits, damage};
}

/** Text, or the zeros behind it. */
function isTextBlock(plain: Uint8Array, at: number, size: number): boolean {
  let isFilling = false;
  for (let i = at; i < at + size; i++) {
    const byte = plain[i]!;
    if (byte === 0) isFilling = true;
    else if (isFilling || byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}
