import type {Label} from './labels.js';

/** A label with what it is about in this case. */
export interface Finding {
  readonly label: Label;
  /** One sentence about this case: what was found, where. Never a key or a card number. */
  readonly detail?: string;
}
