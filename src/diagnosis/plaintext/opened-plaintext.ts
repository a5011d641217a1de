import type {CardContent} from '../../engine/card/card-content.js';
import type {Fact} from '../../engine/card/evidence.js';
import {latin1Of} from '../../platform/bytes.js';
import type {Label} from '../labels.js';

/** The packings of the data in a plaintext, and what says so. */
export const PACKING_LABELS = {
  ascii: undefined,
  '4bit': 'packing-4bit',
  '6bit': 'packing-6bit',
  bcd: 'packing-bcd',
  tlv: 'packing-tlv',
  text: 'packing-text',
  zeros: 'not-card-data',
  binary: 'not-card-data',
  data: 'not-card-data',
  'pin-block-0': 'pin-block',
  'pin-block-1': 'pin-format-1',
  'pin-block-3': 'pin-format-3',
  'pin-block-4': 'pin-format-4',
} as const satisfies Readonly<Record<string, Label | undefined>>;

export type Packing = keyof typeof PACKING_LABELS;

/** True if the plaintext is a PIN block, which is not part of a card. */
export function isPinBlock(opening: Pick<Opening, 'packing'> | undefined): boolean {
  return opening?.packing.startsWith('pin-block') ?? false;
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
  readonly content?: CardContent | undefined;
  /** Number of bytes whose meaning is unknown. */
  readonly unread?: number;
  /** The padding after the data, if there is any. */
  readonly fill?: string | undefined;
  /** Why its parts cannot belong to one card, although they are card data. */
  readonly contradiction?: string;
  /** For a PIN block: the digits of the PAN it was built with. */
  readonly panForm?: PanForm | undefined;
}

/** A plaintext that one fact proves. */
export function openingOf(packing: Packing, fact: Fact, more: Partial<Opening> = {}): Opening {
  return {packing, bits: fact.bits, facts: [fact], text: '', ...more};
}

/** The text if all of it can be shown. */
export function printable(text: string): string {
  return /^[\t\n\r -~]+$/.test(text) ? text : '';
}

/** The bytes as text, with a dot for each that cannot be shown. */
export function dotted(plain: Uint8Array): string {
  return latin1Of(plain).replaceAll(/[^ -~]/g, '.');
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
  return content !== undefined && (packing !== 'ascii' || !PARTIAL_TRACK.test(text));
}

const PARTIAL_TRACK = /^[^%;+]{0,16}\?.|\?[^?]{2,}$/;
