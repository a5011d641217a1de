/**
 * Payment cards; the reader's other card types are not known (docs/formats/prima.md#the-record).
 */
export const PAYMENT_CARD = 0x00;

/** The KSN ends the record. */
export const KSN_BYTES = 10;

/**
 * Card type, track flags and three lengths of clear tracks, then the sentinel of the first masked
 * track, which may be text between double quotes (docs/formats/prima.md#the-record).
 */
export const PRIMA_BEGINNING =
  /^00[0-3].(?:[1-4].[0-2].[0-6].(?:25|22(?=25))|00[0-2].[0-6].(?:3B|22(?=3B)))/;
