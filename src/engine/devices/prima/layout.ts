/**
 * Payment cards; the reader's other card types are not known (docs/formats/prima.md#the-record).
 */
export const PAYMENT_CARD = 0x00;

/** The KSN ends the record. */
export const KSN_BYTES = 10;
