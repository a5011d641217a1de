import type {CardContent} from '../../engine/card/card-content.js';
import {readCardTlv} from '../../engine/card/card-tlv.js';
import {Evidence, type Fact} from '../../engine/card/evidence.js';
import {parseTrack2Equivalent} from '../../engine/card/track2-equivalent.js';
import {attempt} from '../../input/attempt.js';
import {hexOf, latin1Of} from '../../platform/bytes.js';
import {canBeginTlvAt} from './block-filter.js';
import {
  type Chain,
  type ChainReading,
  mostProven,
  unchain,
  type Way,
  waysOf,
  ZERO_IV,
} from './chain.js';
import {openText, textBits} from './open-text.js';
import {better, dotted, type Opening, openingOf} from './opened-plaintext.js';

/** Reads all but the first block, for an unknown IV. */
export function readHeadless(chain: Chain): ChainReading | undefined {
  const {blockSize, blocks} = chain;
  if (blocks.length < 2 * blockSize) return undefined;
  const plain = unchain(chain, ZERO_IV.bytes);
  const tail = plain.subarray(blockSize);
  const text = openText(tail);
  const track = text && /[=^?]/.test(text.text) ? {...text, packing: 'ascii' as const} : text;
  const opening = [track, openPackedTail(tail), openTlvTail(tail)].reduce(better, undefined);
  if (!opening) return undefined;
  const damage = [{from: 0, to: blockSize}];
  return {mode: 'cbc', iv: undefined, plain, openings: [opening], bits: opening.bits - 3, damage};
}

/** Packed digits with their separator, end and padding. */
function openPackedTail(tail: Uint8Array): Opening | undefined {
  const [, digits, fill = ''] = /^([0-9d]*)(f[0-9a-f]?0*|f*)$/.exec(hexOf(tail)) ?? [];
  if (digits === undefined || digits.length < 4) return undefined;
  const bits = digits.length * 0.58 + Math.max(0, fill.length - 1) * 4 - 2;
  return openingOf('4bit', {kind: 'grammar', text: 'digits to the end', bits}, {text: digits});
}

const MAX_TAG_OFFSET = 40;
/** The first tag may be any, so the evidence of the walk is offset by that choice. */
const WALK: Fact = {kind: 'walk', text: 'TLV walks to its end', bits: 0};

/** Reads a list whose first tag after the lost block may begin anywhere. */
export function openTlvTail(tail: Uint8Array): Opening | undefined {
  let best: Opening | undefined;
  for (let at = 0; at < Math.min(MAX_TAG_OFFSET, tail.length - 3); at++) {
    if (!TAIL_TAGS.has(tail[at]!) || !canBeginTlvAt(tail, at)) continue;
    const evidence = new Evidence();
    const content = attempt(() => readCardTlv('plaintext', tail.subarray(at), evidence));
    if (!content) continue;
    const cut = openCutTag(tail.subarray(0, at), content);
    const bits = evidence.bits + (cut?.bits ?? 0) - 6;
    const facts = [...evidence.facts, WALK, ...(cut ? [cut] : [])];
    const text = hexOf(content.tlv?.[0]?.bytes ?? tail).toUpperCase();
    best = better(best, {packing: 'tlv', bits, facts, text, content, unread: at});
  }
  return best;
}

/**
 * The end of a 57 or 5A whose beginning is in the lost block, if it matches the PAN of the other
 * tag.
 */
function openCutTag(rest: Uint8Array, {pan, track2equivalent}: CardContent): Fact | undefined {
  const whole = pan ?? parseTrack2Equivalent(track2equivalent?.text ?? '')?.pan;
  const [, digits = '', behind = ''] = /^(\d+)(d\d*)?f*$/.exec(hexOf(rest)) ?? [];
  if (!whole?.endsWith(digits) || digits === '') return undefined;
  const bits = digits.length * 4 + behind.length * 0.67;
  return {kind: 'agreement', text: '57 agrees with 5A', bits};
}

const TAIL_TAGS = new Set([0x57, 0x5a, 0x5f, 0x9f, 0xdf, 0x4f, 0x50, 0x82, 0x84, 0x95, 0x9a, 0x9c]);

/**
 * Reads text before and after blocks that are not text: these are damaged, or bytes are missing
 * there.
 */
export function readDamaged(chain: Chain): ChainReading | undefined {
  const {blockSize, blocks} = chain;
  const count = blocks.length / blockSize;
  if (count < 5) return undefined;
  return mostProven(waysOf(chain, chain.ivs.slice(0, 1)).flatMap((way) => readAround(way, chain)));
}

function readAround({mode, iv, plain}: Way, {blockSize}: Chain): ChainReading[] {
  if (!isTextBlock(plain, 0, blockSize)) return [];
  const count = plain.length / blockSize;
  const good = Array.from({length: count}, (_, i) => isTextBlock(plain, i * blockSize, blockSize));
  const head = good.indexOf(false);
  const tail = count - 1 - good.lastIndexOf(false);
  if (head < 1 || head + tail < 4 || head + tail > count) return [];
  if (isForeign(plain, head * blockSize, plain.length - tail * blockSize)) return [];
  const bytes = [
    plain.subarray(0, head * blockSize),
    plain.subarray(plain.length - tail * blockSize),
  ];
  const letters = bytes.map(latin1Of).join('').replaceAll('\0', '');
  const zeros = (head + tail) * blockSize - letters.length;
  const bits = textBits(letters, zeros) - 2 * Math.log2(count) - 4;
  const fact = {kind: 'other', text: `${head + tail} of ${count} blocks are text`, bits} as const;
  const opening = openingOf('ascii', fact, {text: dotted(plain)});
  const damage = [{from: head * blockSize, to: plain.length - tail * blockSize}];
  return [{mode, iv, plain, openings: [opening], bits, damage}];
}

/** Bytes behind a whole track, before nothing but its fill, are of another field. */
export function isForeign(plain: Uint8Array, from: number, to: number): boolean {
  const isEnded = /\?[ -_]?\0*$/.test(latin1Of(plain.subarray(0, from)));
  return isEnded && plain.subarray(to).every((byte) => byte === 0);
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
