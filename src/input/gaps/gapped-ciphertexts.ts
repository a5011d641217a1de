import {bytesFromHex} from '../../platform/bytes.js';
import type {Interpretation, Target} from '../interpretation.js';
import type {Senders} from '../read-form.js';
import {filledWith, type GapRun, gapFinding} from './filled-gaps.js';
import {gappedPayloads} from './gapped-payloads.js';
import {BLOCK_DIGITS, blocksAmongWords, type GappedHex, gappedHex} from './hex-gaps.js';

/** Nibbles in a block of AES: the possible shifts of the digits after a gap. */
const SHIFTS = 32;

/** The interpretations of a text with missing digits. */
export interface Gapped {
  readonly interpretations: readonly Interpretation[];
  /** The gaps themselves: where digits are missing, and the digits around them. */
  readonly runs: readonly GapRun[];
}

/**
 * The ciphertexts of a text with unreadable digits. The number of lost digits may be the number of
 * characters in their place, or any other. So every alignment after the gap is a separate interpretation,
 * the one with the same number first.
 */
export function gappedInterpretations(text: string, senders: Senders = {}): Gapped {
  const runs = gappedHex(text);
  const words = blocksAmongWords(text, runs.length > 0).flatMap((pieces) => [
    ...apart(pieces, 'words'),
    ...apart([pieces.join('')], 'words'),
  ]);
  const frames = runs.map((run) => gappedPayloads(text, run, senders));
  const inRuns = runs.flatMap((run, i) => {
    // A whole payload is not ciphertext.
    const bare = frames[i]!.some(isSure) ? [] : lengthsOf(run);
    return [
      ...apart(run.pieces),
      ...frames[i]!,
      ...bare.flatMap((lengths) => bareWith(run, lengths)),
    ];
  });
  return {
    interpretations: [...words, ...inRuns],
    runs: runs.map(({pieces, marks}, i) => ({
      pieces,
      finding: gapFinding(pieces, marks),
      isPayload: frames[i]!.some(isSure),
    })),
  };
}

/** True for a payload with a KSN or named members: random digits may be a list of tags. */
function isSure({targets, recognisedBy}: Interpretation): boolean {
  return recognisedBy !== undefined || targets.some(({ksn}) => ksn !== undefined);
}

/** Pieces of whole blocks as separate ciphertexts: the text between them shows where each ends. */
function apart(pieces: readonly string[], gap?: Interpretation['gap']): Interpretation[] {
  if (!pieces.every((piece) => piece !== '' && isWholeBlocks(piece))) return [];
  if (pieces.length > 1 && !pieces.some(isLongerThanIv)) return [];
  const targets = pieces.map((piece, i) => {
    return {name: `run ${i + 1}`, ciphertext: bytesFromHex(piece) ?? new Uint8Array()};
  });
  const findings = [{label: 'text-around'}] as const;
  return [{kind: 'in-text', form: 'hex digits in text', targets, findings, ...(gap && {gap})}];
}

function isWholeBlocks({length}: string): boolean {
  return length % BLOCK_DIGITS === 0;
}

/** Blocks listed one by one are one chain: each could be the IV of the next. */
function isLongerThanIv({length}: string): boolean {
  return length > SHIFTS;
}

/**
 * The possible numbers of lost digits in the gaps; only one gap at a time may differ from what is
 * shown.
 */
function lengthsOf({marks}: GappedHex): number[][] {
  const others = marks.flatMap((seen, i) =>
    Array.from({length: SHIFTS - 1}, (_, shift) =>
      marks.map((mark, j) => (i === j ? (seen + shift + 1) % SHIFTS || SHIFTS : mark)),
    ),
  );
  return [[...marks], ...others];
}

function bareWith({pieces, marks}: GappedHex, lengths: readonly number[]): Interpretation[] {
  const {digits, gaps} = filledWith(pieces, lengths, '0');
  const end = BLOCK_DIGITS * Math.ceil(digits.length / BLOCK_DIGITS);
  const ciphertext = bytesFromHex(digits.padEnd(end, '0')) ?? new Uint8Array();
  // An incomplete last block is also lost.
  const rest = {from: digits.length >> 1, to: end / 2};
  const all = [...gaps, rest].filter(({from, to}) => from < to);
  if (ciphertext.length < 16) return [];
  const target: Target = {name: 'data', ciphertext, gaps: all};
  const findings = [gapFinding(pieces, marks)];
  const form = 'bare ciphertext with a gap';
  const gap = pieces.every(isWholeBlocks) ? 'between blocks' : 'inside';
  return [{kind: 'bare', form, targets: [target], findings, gap}];
}
