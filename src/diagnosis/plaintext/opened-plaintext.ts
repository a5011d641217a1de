import type {CardContent} from '../../engine/card/card-content.js';
import type {Fact} from '../../engine/card/evidence.js';

/** A PIN block of ISO 9564, by its format. */
type PinPacking = 'pin-block-0' | 'pin-block-1' | 'pin-block-3' | 'pin-block-4';

/** The packing of the data in a plaintext. */
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

/** True if the plaintext is a PIN block, which is not part of a card. */
export function isPinBlock(opening: Pick<Opening, 'packing'> | undefined): boolean {
  return opening !== undefined && PIN_BLOCKS[opening.packing] === true;
}

/** The digits of the card number that a PIN block was built with. */
export interface PanForm {
  /** `right`: as required by ISO 9564. */
  readonly kind: 'right' | 'wrong' | 'none';
  /** In words. */
  readonly form: string;
}

/** A plaintext that makes sense, and its evidence. */
export interface Opening {
  readonly packing: Packing;
  /** log2 of one over the chance that random bytes show the same. */
  readonly bits: number;
  readonly facts: readonly Fact[];
  /** For display: unpacked, without padding. */
  readonly text: string;
  readonly content?: CardContent;
  /** Number of bytes whose meaning is unknown. */
  readonly unread?: number;
  /** The padding after the data, if there is any. */
  readonly fill?: string;
  /** Why its parts cannot belong to one card, although they are card data. */
  readonly contradiction?: string;
  /** For a PIN block: the digits of the PAN it was built with. */
  readonly panForm?: PanForm;
}

/** The one with more evidence. */
export function better(a: Opening | undefined, b: Opening | undefined): Opening | undefined {
  if (!a || !b) return a ?? b;
  return b.bits > a.bits ? b : a;
}

/**
 * Whole tracks or a list: not starting with the end of a track, and with nothing left over at the
 * end.
 */
export function isWholeCard({content, packing, text}: Opening): boolean {
  return content !== undefined && (packing !== 'ascii' || !TORN.test(text));
}

const TORN = /^[^%;+]{0,16}\?.|\?[^?]{2,}$/;
