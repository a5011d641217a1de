import type {CardContent} from '../../engine/card/card-content.js';

/** How a plaintext holds its data. */
export type Packing =
  | 'ascii'
  | '4bit'
  | '6bit'
  | 'bcd'
  | 'tlv'
  | 'text'
  | 'zeros'
  | 'binary'
  | 'data'
  | 'pin-block-0'
  | 'pin-block-1'
  | 'pin-block-3'
  | 'pin-block-4';

/** A plaintext that makes sense, and what proves it. */
export interface Opening {
  readonly packing: Packing;
  /** log2 of one over the chance that random bytes show the same. */
  readonly bits: number;
  readonly facts: readonly string[];
  /** As a person reads it: unpacked, without fill. */
  readonly text: string;
  readonly content?: CardContent;
  /** Bytes of which nothing is known but that they are there. */
  readonly unread?: number;
  /** The fill behind the data, where one was found. */
  readonly fill?: string;
  /** Why its parts cannot be of one card, although they are card data. */
  readonly contradiction?: string;
  /** Of a PIN block: which digits of the PAN it was made with. */
  readonly panForm?: string;
}

/** The better proven of two. */
export function better(a: Opening | undefined, b: Opening | undefined): Opening | undefined {
  if (!a || !b) return a ?? b;
  return b.bits > a.bits ? b : a;
}

/** Whole tracks or a list: no end of a track in front, and nothing left over behind the last one. */
export function isWholeCard({content, packing, text}: Opening): boolean {
  return content !== undefined && (packing !== 'ascii' || !TORN.test(text));
}

const TORN = /^[^%;+]{0,16}\?.|\?[^?]{2,}$/;
