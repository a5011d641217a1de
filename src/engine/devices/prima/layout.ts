/** Payment cards; the reader's other card types are not known (formats, prima.md). */
export const PAYMENT_CARD = 0x00;

/** Track status as the reader sends it: tracks 1 and 2 decoded, both sampled. */
export const TRACK_FLAGS = 0x1b;

/** Card type, track status and three lengths stand in front of the masked tracks. */
export const KSN_BYTES = 10;
