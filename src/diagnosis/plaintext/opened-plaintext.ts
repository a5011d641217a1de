import type {CardContent} from '../../engine/card/card-content.js';
import type {Fact} from '../../engine/card/evidence.js';

/** A PIN block of ISO 9564, by its format. */
type PinPacking = 'pin-block-0' | 'pin-block-1' | 'pin-block-3' | 'pin-block-4';

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
  | PinPacking;

const PIN_BLOCKS: Readonly<Partial<Record<Packing, true>>> = {
  'pin-block-0': true,
  'pin-block-1': true,
  'pin-block-3': true,
  'pin-block-4': true,
} satisfies Record<PinPacking, true>;

/** Whether what opened is a PIN, which is not a part of a card. */
export function isPinBlock(opening: Pick<Opening, 'packing'> | undefined): boolean {
  return opening !== undefined && PIN_BLOCKS[opening.packing] === true;
}

/** Which digits of a card number a PIN block was made with. */
export interface PanForm {
  /** `right`: those that ISO 9564 asks for. */
  readonly kind: 'right' | 'wrong' | 'none';
  /** In words. */
  readonly form: string;
}

/** A plaintext that makes sense, and what proves it. */
export interface Opening {
  readonly packing: Packing;
  /** log2 of one over the chance that random bytes show the same. */
  readonly bits: number;
  readonly facts: readonly Fact[];
  /** As a person reads it: unpacked, without fill. */
  readonly text: string;
  readonly content?: CardContent;
  /** Bytes of which nothing is known but that they are there. */
  readonly unread?: number;
  /** The padding after the data, if there is any. */
  readonly fill?: string;
  /** Why its parts cannot be of one card, although they are card data. */
  readonly contradiction?: string;
  /** For a PIN block: which digits of the PAN it was built with. */
  readonly panForm?: PanForm;
}

/** The better proven of two. */
export function better(a: Opening | undefined, b: Opening | undefined): Opening | undefined {
  if (!a || !b) return a ?? b;
  return b.bits > a.bits ? b : a;
}

/** Whole tracks or a list: no end of a track in front, and nothing left over after the last one. */
export function isWholeCard({content, packing, text}: Opening): boolean {
  return content !== undefined && (packing !== 'ascii' || !TORN.test(text));
}

const TORN = /^[^%;+]{0,16}\?.|\?[^?]{2,}$/;
