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
  let visible = 0;
  for (let i = 0; i < text.length; i++) {
    const shown = masked.charAt(i);
    if (maskCharacters.includes(shown)) continue;
    if (shown !== text.charAt(i)) throw notCardData(field, 'the masked copy shows another card');
    visible++;
  }
  evidence.add(`${field} agrees with its masked copy`, visible * 3);
}
