import {PaylensError, type Place, type ReadFault} from '../../contract/paylens-error.js';

/** A form that random bytes match with a probability above 2^-40 needs a second fact. */
export const REQUIRED_BITS = 40;

/** The basis of a fact. Facts of two kinds are independent; those of kind `other` may not be. */
export type FactKind =
  | 'grammar'
  | 'lrc'
  | 'walk'
  | 'masked-copy'
  | 'hash'
  | 'agreement'
  | 'given-pan'
  | 'expected'
  | 'padding'
  | 'other';

/** Something that supports a plaintext. */
export interface Fact {
  readonly kind: FactKind;
  /** In words, for people. */
  readonly text: string;
  /** log2 of one over the chance that random bytes show it. */
  readonly bits: number;
  /** Of a hash: where it stands in the payload. */
  readonly at?: Place;
}

/**
 * The evidence for a plaintext, in bits: log2 of one over the chance that random bytes show the
 * same. A wrong key gives random bytes, so too little evidence means a wrong key (2601).
 */
export class Evidence {
  readonly facts: Fact[] = [];
  #bits = 0;

  /** Adds a fact that random bytes show with probability 2^-bits. */
  add(kind: FactKind, text: string, bits: number, at?: Place): void {
    this.facts.push(at ? {kind, text, bits, at} : {kind, text, bits});
    this.#bits += bits;
  }

  get bits(): number {
    return this.#bits;
  }

  /** Throws 2601 if all facts together could be chance; `missing` names what would help. */
  assertEnough(field: string, missing: string): void {
    if (this.#bits >= REQUIRED_BITS) return;
    const detail = `${field}: not enough evidence to distinguish card data from random bytes`;
    throw new PaylensError(2601, detail, {hint: `${missing} would prove it.`});
  }
}

/** The cause of an error about a masked copy: what it shows, for finding its place. It is not passed on. */
export class ContradictedCopy {
  readonly shown: string;

  constructor(shown: string) {
    this.shown = shown;
  }
}

/** The error of a plaintext that differs from the copy of the card beside it (2601). */
export function contradictedCopy(field: string, why: string, shown: string): PaylensError {
  return contradictedData(field, why, new ContradictedCopy(shown));
}

/** The error of a plaintext that other data of the read contradict (2601). */
export function contradictedData(field: string, why: string, cause?: ContradictedCopy) {
  return new PaylensError(2601, `${field}: ${why}`, {...CONTRADICTION, cause});
}

/** What is said of data that decrypt, but disagree. */
export const CONTRADICTION = {
  hint: 'Data was changed, or reads mixed.',
  fault: {kind: 'contradiction'},
} as const;

/** True if a plaintext was refused: it is not card data (2601), not whole (2102), or lacks its IV (2602). */
export function isRejection(error: unknown): boolean {
  return error instanceof PaylensError && [2601, 2602, 2102].includes(error.code);
}

/** Of two rejections the one whose key was right: it is not whole, or a hash differs; else the first. */
export function moreTelling(first: unknown, next: unknown): unknown {
  return first === undefined || (showsKey(next) && !showsKey(first)) ? next : first;
}

function showsKey(error: unknown): boolean {
  return error instanceof PaylensError && (error.code === 2102 || error.fault?.kind === 'hash');
}

/** The error of a plaintext that is not what the field must hold (2601). */
export function notCardData(field: string, why: string, fault?: ReadFault): PaylensError {
  return new PaylensError(2601, `${field}: ${why}`, fault ? {fault} : {});
}
