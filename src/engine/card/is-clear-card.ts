/** A card number where track 1, track 2, or a bare PAN has it, with or without sentinels. */
const CLEAR_CARD = /^\s*(?:%?[A-Z]\d[\d ]{11,22}\^|;?\d{12,19}(?:=|\s*$))/;

/** True for text that is a clear track or PAN: card data that must not be sent so (2110). */
export function isClearCard(text: string): boolean {
  return CLEAR_CARD.test(text);
}
