import {REQUIRED_BITS} from '../../engine/card/evidence.js';
import {blockSizeOf} from '../../engine/cipher/block-cipher.js';
import {desKernel} from '../../engine/cipher/des.js';
import {DES_BLOCKS, PASSES_BYTES, TRIAL_PASSES, wordsAt} from '../../engine/cipher/des-memory.js';
import {writeDecipherPasses} from '../../engine/cipher/des-passes.js';
import {prepareCipher} from '../../engine/cipher/modes.js';
import {decryptTdesEcb} from '../../engine/cipher/tdes-cipher.js';
import {toWords} from '../../engine/cipher/words.js';
import {beginsAsExpected, type FirstBlocks, firstBlocksOf} from '../../input/expected.js';
import type {Interpretation, IvCandidate, Target} from '../../input/interpretation.js';
import {isPlainIv, ivBytes} from '../../input/written-ksn.js';
import {latin1Of} from '../../platform/bytes.js';
import {canBegin, canContinue} from '../plaintext/block-filter.js';
import {type Chain, type ChainReading, unchain, ZERO_IV} from '../plaintext/chain.js';
import {canGoOn, canGoOnBehind} from '../plaintext/head-filter.js';
import {pansOf} from '../plaintext/open-card.js';
import {openPinBlock, openPinBlock4, type PanField} from '../plaintext/open-pin.js';
import {isPinBlock} from '../plaintext/opened-plaintext.js';
import {readChain} from '../plaintext/read-chain.js';
import {readExpected} from '../plaintext/read-expected.js';
import {readBroken, readGapped} from '../plaintext/read-gapped.js';
import {readPattern} from '../plaintext/read-pattern.js';
import {readBeginning} from '../plaintext/read-run.js';

/** Clues of a case about its plaintexts. */
export interface TrialClues {
  /** IVs other than zero and the target's own. */
  readonly ivs: readonly IvCandidate[];
  /** Card numbers that a PIN block may have been built with. */
  readonly pans: readonly string[];
  /** Beginnings of the plaintext known to the user, in hex. */
  readonly expected: readonly string[];
  readonly panFields?: readonly PanField[];
}

/** A target prepared for trying many keys; its IVs are all that may be used. */
export interface Probe extends Required<TrialClues> {
  readonly interpretation: Interpretation;
  readonly target: Target;
  /** The first two blocks of 8 bytes; the second is zero if there is none. */
  readonly words: Int32Array;
  /** Everything that decides whether it passes the filter of a key. */
  readonly beginning: string;
  readonly ivWords: readonly Int32Array[];
  readonly firstBlocks: readonly FirstBlocks[];
  /** Too long to be read completely under every key. */
  readonly isLong: boolean;
  /** One of its blocks is damaged. */
  readonly isBroken?: true;
}

const MAX_THOROUGH_BYTES = 1024;

/** Prepares a target. */
export function makeProbe(
  interpretation: Interpretation,
  target: Target,
  {ivs, pans, expected, panFields = []}: TrialClues,
): Probe {
  const {iv} = target;
  const ciphertext = target.ciphertext;
  const own = iv === undefined ? undefined : ivBytes(iv);
  const source = isPlainIv(iv ?? '') ? 'own' : 'written';
  const all: IvCandidate[] = [
    ...(own && own.length > 0 ? [{bytes: own, source} as const] : []),
    ZERO_IV,
    ...ivs,
  ];
  return {
    interpretation,
    target,
    words: firstWords(ciphertext),
    beginning: `${latin1Of(ciphertext.subarray(0, 32))} ${ciphertext.length} ${iv}`,
    ivs: all,
    ivWords: all.map(({bytes}) => firstWords(bytes)),
    pans,
    panFields,
    expected,
    firstBlocks: expected.map(firstBlocksOf),
    isLong: ciphertext.length > MAX_THOROUGH_BYTES,
  };
}

/** Prepares another target of the same interpretation in the same way. */
export function siblingOf(probe: Probe, target: Target): Probe {
  const ivs = probe.ivs.filter(({source}) => source !== 'own' && source !== 'zero');
  return makeProbe(probe.interpretation, target, {...probe, ivs});
}

/** Share of its blocks that differ from all before: a repeated block proves nothing again. */
export function shareOfFresh({ciphertext, gaps}: Target): number {
  if (gaps) return 1;
  const blocks = new Set<string>();
  for (let at = 0; at + 8 <= ciphertext.length; at += 8) {
    blocks.add(latin1Of(ciphertext.subarray(at, at + 8)));
  }
  return ciphertext.length < 16 ? 1 : (8 * blocks.size) / ciphertext.length;
}

/** The first 16 bytes as words, with zeros after the end. */
function firstWords(bytes: Uint8Array): Int32Array {
  const padded = new Uint8Array(16);
  padded.set(bytes.subarray(0, 16));
  return toWords(padded);
}

const blocks = wordsAt(DES_BLOCKS, 4);
/** The first blocks of a target for a second look. */
const HEAD_BYTES = 80;

/** Sets the TDES key that `passesFilter` uses. */
export function loadTdesKey(key: Uint8Array): void {
  writeDecipherPasses(desKernel(), TRIAL_PASSES, toWords(key));
}

/** Whether the first blocks of a target could be card data under the loaded key. */
export function passesFilter(probe: Probe): boolean {
  blocks.set(probe.words);
  desKernel().two(TRIAL_PASSES, TRIAL_PASSES, PASSES_BYTES);
  if (!passesFirstLook(probe, blocks, 0)) return false;
  const {ciphertext} = probe.target;
  const head = ciphertext.subarray(0, Math.min(HEAD_BYTES, ciphertext.length & ~7));
  return passesSecondLook(probe, decryptTdesEcb(head, TRIAL_PASSES), 8);
}

/** Whether two blocks at a word, each decrypted on its own, could be the first of card data. */
export function passesFirstLook(
  {words, ivWords, target, firstBlocks}: Probe,
  plain: Int32Array,
  at: number,
): boolean {
  const {length} = target.ciphertext;
  const hi = plain[at]!;
  const lo = plain[at + 1]!;
  for (const iv of ivWords) if (canBegin(hi ^ iv[0]!, lo ^ iv[1]!, length)) return true;
  if (firstBlocks.length > 0 && beginsAsExpected(plain.subarray(at), words, ivWords, firstBlocks))
    return true;
  if (length <= 16) return length === 8 && canBePin(hi);
  return canContinue(plain[at + 2]! ^ words[0]!, plain[at + 3]! ^ words[1]!);
}

/** Whether more of the first blocks, each decrypted on its own, could still be card data. */
export function passesSecondLook(probe: Probe, plain: Uint8Array, blockSize: 8 | 16): boolean {
  const {target, ivs, firstBlocks, isBroken} = probe;
  const {ciphertext} = target;
  // Bytes are missing or damaged somewhere, or hardly any follow.
  if (target.gaps || isBroken || firstBlocks.length > 0 || plain.length < 16) return true;
  const {length} = ciphertext;
  const chain = {ciphertext, blocks: plain, blockSize, ivs};
  const rest = {blocks: plain, length, blockSize};
  if (canGoOn({plain, ...rest})) return true;
  return ivs.some(({bytes}) => {
    const head = {plain: unchain(chain, bytes), ...rest};
    return canGoOn(head) || canGoOnBehind(head);
  });
}

/** Does the same under an AES key; a single block could be a PIN block. */
export function passesAesFilter(probe: Probe, key: Uint8Array): boolean {
  const {target, pans, ivWords} = probe;
  const {ciphertext} = target;
  if (ciphertext.length < 16 || ciphertext.length % 16 !== 0) return false;
  const cipher = prepareCipher('aes', key);
  const plain = cipher.decryptEcb(ciphertext.subarray(0, 32));
  const isPin =
    ciphertext.length === 16 &&
    openPinBlock4(plain, pans, (block) => cipher.decryptEcb(block)) !== undefined;
  cipher.wipe();
  if (isPin) return true;
  const words = toWords(plain);
  const previous = probe.words;
  if (beginsAsExpected(words, previous, ivWords, probe.firstBlocks, 4)) return true;
  const isBegun =
    ivWords.some((iv) => canBegin(words[0]! ^ iv[0]!, words[1]! ^ iv[1]!, ciphertext.length)) ||
    (ciphertext.length > 16 && canContinue(words[4]! ^ previous[0]!, words[5]! ^ previous[1]!));
  return isBegun && passesSecondLook(probe, plain, 16);
}

function canBePin(hi: number): boolean {
  const format = hi >>> 28;
  const length = (hi >>> 24) & 15;
  return (format === 0 || format === 1 || format === 3) && length >= 4 && length <= 12;
}

/** Longer than the ciphertexts of all terminals: what follows is not read. */
export const MAX_CIPHERTEXT_BYTES = 8192;

/** Reads a complete target under a key, proven or not, in every mode and with every IV. */
export function readUnder(
  probe: Probe,
  algorithm: 'tdes' | 'aes',
  key: Uint8Array,
  isProven = false,
): ChainReading | undefined {
  const {interpretation, target, ivs, pans, panFields, isBroken} = probe;
  const blockSize = blockSizeOf(algorithm);
  const isWindow = interpretation.kind === 'window';
  const whole = target.ciphertext.subarray(0, MAX_CIPHERTEXT_BYTES);
  const rest = whole.length % blockSize;
  const ciphertext = isWindow ? whole.subarray(0, -rest || undefined) : whole;
  if (ciphertext.length === 0 || (rest > 0 && !isWindow)) return undefined;
  const cipher = prepareCipher(algorithm, key);
  const decrypt = (block: Uint8Array) => cipher.decryptEcb(block);
  const openPin = (plain: Uint8Array) =>
    algorithm === 'tdes' ? openPinBlock(plain, panFields) : openPinBlock4(plain, pans, decrypt);
  const chain: Chain = {
    plains: new Map(),
    ciphertext,
    blocks: decrypt(ciphertext),
    blockSize,
    ivs: ivs.filter(({bytes, source}) => source === 'zero' || bytes.length === blockSize),
    open: target.open,
    isProven,
    special: ciphertext.length === blockSize ? openPin : undefined,
  };
  const best = bestReading(chain, probe);
  cipher.wipe();
  const reading = best && {...best, bits: best.bits * shareOfFresh(target)};
  const bits = reading?.bits ?? 0;
  const isOther = (bits >= REQUIRED_BITS && !reading?.damage) || target.gaps || isWindow;
  const pattern = isOther || isBroken ? undefined : readPattern(chain);
  return pattern && pattern.bits > bits ? pattern : reading && weighGivenPan(reading, pans);
}

function bestReading(
  chain: Chain,
  {target, interpretation, expected, isBroken}: Probe,
): ChainReading | undefined {
  if (isBroken) return readBroken(chain);
  const known = readExpected(chain, expected);
  const other = target.gaps
    ? readGapped(chain, target.gaps)
    : interpretation.kind === 'window'
      ? readBeginning(chain)
      : readChain(chain);
  return known && (!other || known.bits >= other.bits) ? known : other;
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
  const opening = {...first, facts: [...first.facts, fact], bits: first.bits + bits};
  return {...reading, openings: [opening, ...rest], bits: reading.bits + bits};
}
