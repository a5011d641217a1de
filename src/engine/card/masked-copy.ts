import {type Evidence, notCardData} from './evidence.js';

/**
 * Compares a plaintext with the masked copy that the terminal sent beside it, position by position;
 * mask characters are skipped. The free wrong-key test (formats, common.md section 6).
 *
 * Throws 2601 when a visible character differs.
 */
export function demandAgreement(
  field: string,
  masked: string,
  text: string,
  evidence: Evidence,
  maskCharacters = '*',
): void {
  if (masked.length !== text.length) {
    throw notCardData(field, 'the masked copy has another length');
  }
  // Nearly every copy is masked with one character: comparing codes is faster than searching.
  const mask = maskCharacters.length === 1 ? maskCharacters.charCodeAt(0) : undefined;
  let visible = 0;
  for (let i = 0; i < text.length; i++) {
    const code = masked.charCodeAt(i);
    if (code === mask) continue;
    if (mask === undefined && maskCharacters.includes(masked.charAt(i))) continue;
    if (code !== text.charCodeAt(i)) throw notCardData(field, 'the masked copy shows another card');
    visible++;
  }
  evidence.add(`${field} agrees with its masked copy`, visible * 3);
}

/**
 * Compares a decrypted PAN with its masked copy; filler `F` behind the digits is no digit of it.
 *
 * Throws 2601 when a visible digit or the number of digits differs.
 */
export function demandMaskedPan(
  field: string,
  masked: string,
  pan: string,
  evidence: Evidence,
): void {
  const shown = withoutFiller(masked, pan.length);
  demandAgreement(field, shown, pan, evidence, MASK_CHARACTERS);
}

/** True when a masked copy could be that of `pan`. */
export function agreesWithMask(masked: string, pan: string): boolean {
  const shown = withoutFiller(masked, pan.length);
  return (
    shown.length === pan.length &&
    [...shown].every((digit, i) => MASK_CHARACTERS.includes(digit) || digit === pan[i])
  );
}

/**
 * Compares a card number with a copy whose hidden digits are `0`, which a real 0 cannot be told from:
 * only the ends that terminals always show count. Throws 2601 when they differ.
 */
export function demandVisibleEnds(
  field: string,
  masked: string,
  pan: string,
  evidence: Evidence,
  {head, tail}: {head: number; tail: number},
): void {
  const agrees =
    masked.length === pan.length &&
    masked.slice(0, head) === pan.slice(0, head) &&
    masked.slice(-tail) === pan.slice(-tail);
  if (!agrees) throw notCardData(field, 'the masked copy shows another card');
  evidence.add(`${field} agrees with its masked copy`, (head + tail) * 3);
}

const MASK_CHARACTERS = '*XxFf';

function withoutFiller(masked: string, digits: number): string {
  return /^f+$/i.test(masked.slice(digits)) ? masked.slice(0, digits) : masked;
}
