import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {blockSizeOf} from '../../engine/cipher/block-cipher.js';
import {processTwoBlocks} from '../../engine/cipher/des.js';
import {PASSES_WORDS, writeDecipherPasses} from '../../engine/cipher/des-schedule.js';
import {prepareCipher} from '../../engine/cipher/modes.js';
import {toWords} from '../../engine/cipher/words.js';
import {beginsAsExpected, type FirstBlocks, firstBlocksOf} from '../../input/expected.js';
import type {Interpretation, IvCandidate, Target} from '../../input/interpretation.js';
import {bytesFromHex, latin1Of} from '../../platform/bytes.js';
import {canBegin, canContinue} from '../plaintext/block-filter.js';
import type {ChainReading} from '../plaintext/chain.js';
import {pansOf} from '../plaintext/open-card.js';
import {openPinBlock, openPinBlock4, type PanField} from '../plaintext/open-pin.js';
import {isPinBlock} from '../plaintext/opened-plaintext.js';
import {readBeginning} from '../plaintext/read-beginning.js';
import {readChain} from '../plaintext/read-chain.js';
import {readExpected} from '../plaintext/read-expected.js';
import {readGapped} from '../plaintext/read-gapped.js';
import {readPattern} from '../plaintext/read-pattern.js';

/** A target prepared for trying many keys. */
export interface Probe {
  readonly interpretation: Interpretation;
  readonly target: Target;
  /** The first two blocks of 8 bytes; the second is zero if there is none. */
  readonly words: Int32Array;
  /** Everything that decides whether it passes the filter of a key. */
  readonly beginning: string;
  readonly ivs: readonly IvCandidate[];
  readonly ivWords: readonly Int32Array[];
  /** Card numbers that a PIN block may have been built with. */
  readonly pans: readonly string[];
  readonly panFields: readonly PanField[];
  /** Beginnings of the plaintext known to the user, in hex. */
  readonly expected: readonly string[];
  readonly firstBlocks: readonly FirstBlocks[];
  readonly isShort: boolean;
  /** Too long to be read completely under every key. */
  readonly isLong: boolean;
  /** Share of its blocks that differ from all before: a repeated block proves nothing again. */
  readonly freshShare: number;
}

const LONG = 1024;

/** Clues of a case about its plaintexts. */
export interface TrialClues {
  /** IVs other than zero and the target's own. */
  readonly ivs: readonly IvCandidate[];
  readonly pans: readonly string[];
  readonly expected: readonly string[];
  readonly panFields?: readonly PanField[];
}

/** Prepares a target. */
export function makeProbe(
  interpretation: Interpretation,
  target: Target,
  {ivs, pans, expected, panFields = []}: TrialClues,
): Probe {
  const own = target.iv === undefined ? undefined : bytesFromHex(target.iv.replaceAll(/\s/g, ''));
  const all: IvCandidate[] = [
    ...(own && own.length > 0 ? [{bytes: own, source: 'own' as const}] : []),
    {bytes: new Uint8Array(16), source: 'zero'},
    ...ivs,
  ];
  const {ciphertext} = target;
  const words = new Int32Array(4);
  words.set(toWords(ciphertext.subarray(0, 16)));
  const ivWords = all.map(({bytes}) => toWords(padTo16(bytes)));
  const isShort = ciphertext.length <= 16;
  const isLong = ciphertext.length > LONG;
  const freshShare = target.gaps ? 1 : shareOfFresh(ciphertext);
  const size = {isShort, isLong, freshShare};
  const firstBlocks = expected.map(firstBlocksOf);
  const beginning = `${latin1Of(ciphertext.subarray(0, 32))} ${ciphertext.length} ${target.iv}`;
  return {
    beginning,
    interpretation,
    target,
    words,
    ivs: all,
    ivWords,
    pans,
    panFields,
    expected,
    firstBlocks,
    ...size,
  };
}

/** Prepares another target of the same interpretation in the same way. */
export function siblingOf(probe: Probe, target: Target): Probe {
  const ivs = probe.ivs.filter(({source}) => source !== 'own' && source !== 'zero');
  return makeProbe(probe.interpretation, target, {...probe, ivs});
}

function shareOfFresh(ciphertext: Uint8Array): number {
  const blocks = new Set<string>();
  for (let at = 0; at + 8 <= ciphertext.length; at += 8) {
    blocks.add(latin1Of(ciphertext.subarray(at, at + 8)));
  }
  return ciphertext.length < 16 ? 1 : (8 * blocks.size) / ciphertext.length;
}

function padTo16(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(16);
  padded.set(bytes.subarray(0, 16));
  return padded;
}

const passes = new Int32Array(PASSES_WORDS);
const blocks = new Int32Array(4);

/** Sets the TDES key that `passesFilter` uses. */
export function loadTdesKey(key: Uint8Array): void {
  writeDecipherPasses(passes, toWords(key));
}

/** Whether the first blocks of a target could be card data under the loaded key. */
export function passesFilter(probe: Probe): boolean {
  const {words, ivWords, target, isShort, firstBlocks} = probe;
  blocks.set(words);
  processTwoBlocks(blocks, passes, passes);
  const {length} = target.ciphertext;
  const hi = blocks[0]!;
  const lo = blocks[1]!;
  for (const iv of ivWords) if (canBegin(hi ^ iv[0]!, lo ^ iv[1]!, length)) return true;
  if (firstBlocks.length > 0 && beginsAsExpected(blocks, words, ivWords, firstBlocks)) return true;
  if (isShort) return length === 8 && canBePin(hi);
  return canContinue(blocks[2]! ^ words[0]!, blocks[3]! ^ words[1]!);
}

/** Does the same under an AES key; a single block could be a PIN block. */
export function passesAesFilter(probe: Probe, key: Uint8Array): boolean {
  const {ciphertext} = probe.target;
  const {ivs, pans} = probe;
  if (ciphertext.length < 16 || ciphertext.length % 16 !== 0) return false;
  const cipher = prepareCipher('aes', key);
  const plain = cipher.decryptEcb(ciphertext.subarray(0, 32));
  const isPin =
    ciphertext.length === 16 &&
    openPinBlock4(plain, pans, (block) => cipher.decryptEcb(block)) !== undefined;
  cipher.wipe();
  if (isPin) return true;
  const words = toWords(plain);
  const previous = toWords(ciphertext.subarray(0, 16));
  const ivWords = ivs.map(({bytes}) => toWords(padTo16(bytes)));
  if (beginsAsExpected(words, previous, ivWords, probe.firstBlocks, 4)) return true;
  const isLonger = ciphertext.length > 16;
  if (isLonger && canContinue(words[4]! ^ previous[0]!, words[5]! ^ previous[1]!)) return true;
  return ivWords.some((iv) => canBegin(words[0]! ^ iv[0]!, words[1]! ^ iv[1]!, ciphertext.length));
}

function canBePin(hi: number): boolean {
  const format = hi >>> 28;
  const length = (hi >>> 24) & 15;
  return (format === 0 || format === 1 || format === 3) && length >= 4 && length <= 12;
}

/** Reads a complete target under a key, proven or not, in every mode and with every IV. */
export function readUnder(
  {interpretation, target, ivs, pans, panFields, expected, freshShare}: Probe,
  algorithm: 'tdes' | 'aes',
  key: Uint8Array,
  isProven = false,
): ChainReading | undefined {
  const blockSize = blockSizeOf(algorithm);
  const {open} = target;
  const isWindow = interpretation.kind === 'window';
  const end = isWindow
    ? target.ciphertext.length - (target.ciphertext.length % blockSize)
    : undefined;
  const ciphertext = target.ciphertext.subarray(0, end);
  if (ciphertext.length === 0 || ciphertext.length % blockSize !== 0) return undefined;
  const cipher = prepareCipher(algorithm, key);
  const deciphered = cipher.decryptEcb(ciphertext);
  const special =
    algorithm === 'tdes'
      ? (plain: Uint8Array) => openPinBlock(plain, panFields)
      : (plain: Uint8Array) => openPinBlock4(plain, pans, (block) => cipher.decryptEcb(block));
  const usable = ivs.filter(({bytes, source}) => source === 'zero' || bytes.length === blockSize);
  const chain = {ciphertext, blocks: deciphered, blockSize, ivs: usable, open, isProven};
  const isBlock = ciphertext.length === blockSize;
  const known = readExpected(chain, expected);
  const other = target.gaps
    ? readGapped(chain, target.gaps)
    : isWindow
      ? readBeginning(chain)
      : readChain({...chain, special: isBlock ? special : undefined});
  const told = known && (!other || known.bits >= other.bits) ? known : other;
  const reading = told && {...told, bits: told.bits * freshShare};
  cipher.wipe();
  if (reading && reading.bits >= REQUIRED_BITS) return weighGivenPan(reading, pans);
  const pattern = target.gaps || isWindow ? undefined : readPattern(chain);
  if (pattern && pattern.bits > (reading?.bits ?? 0)) return pattern;
  return reading && weighGivenPan(reading, pans);
}

/**
 * Adds evidence if the plaintext contains a given card number, or a part of it: each of its digits
 * is one of ten.
 */
function weighGivenPan(reading: ChainReading, pans: readonly string[]): ChainReading {
  const [first, ...rest] = reading.openings;
  const [part] = /^\d{6,19}$/.exec(first?.text ?? '') ?? [];
  const shown = first?.content ? pansOf(first.content) : [];
  const given =
    shown.find((pan) => pans.some((one) => one.replace(/[^0-9]/g, '') === pan)) ??
    pans.map((one) => part && one.includes(part) && part).find((one) => one);
  if (!first || !given || isPinBlock(first)) return reading;
  const bits = given.length * Math.log2(10) - 4;
  const fact = {kind: 'given-pan', text: 'agrees with the given PAN', bits} as const;
  const facts = [...first.facts, fact];
  const opening = {...first, facts, bits: first.bits + bits};
  return {...reading, openings: [opening, ...rest], bits: reading.bits + bits};
}
