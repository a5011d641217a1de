/** Names at the beginning of a line, in quotes, or behind `&`. */
const MAGNEPRINT_NAMES =
  /(?:^|["\n&])\s{0,8}(?:MagnePrint(?:Data|Status)?|ENCMP|MPStatus|IdentificationInformation)["\s]{0,8}[:=]/i;

/** True for text with a member for the MagnePrint, which readers of MagTek alone send. */
export function namesMagnePrint(text: string): boolean {
  return MAGNEPRINT_NAMES.test(text);
}
