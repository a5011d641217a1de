import {ofLast} from './of-last.js';
import {compactHex} from './payload-bytes.js';

/** Objects of the ABECS protocol: id and length of 2 bytes each (docs/terminals/abecs.md#gtk). */
const OWN_ID = /^(?:00|8[01]|9[01])/;
/** A track or the card number, encrypted. */
const CARD_ID = /^804[456A]/;
const GTK_HEAD = /^47544B303030(?:3\d){3}/i;

/**
 * True for objects in hex that end where the payload ends: bare ciphertext, which other terminals
 * know by its length alone, is hardly ever such a list.
 */
export const isObjectList = ofLast((payload: string): boolean => {
  const digits = compactHex(payload);
  if (digits === undefined) return false;
  let hasCard = false;
  let at = GTK_HEAD.exec(digits)?.[0].length ?? 0;
  while (at + 8 <= digits.length) {
    const id = digits.slice(at, at + 4);
    if (!OWN_ID.test(id)) return false;
    hasCard ||= CARD_ID.test(id.toUpperCase());
    at += 8 + 2 * Number.parseInt(digits.slice(at + 4, at + 8), 16);
  }
  return hasCard && at === digits.length;
});
