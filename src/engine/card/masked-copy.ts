import {type Evidence, notCardData} from './evidence.js';

/**
 * Compares a plaintext with the masked copy that the terminal sent beside it, position by position,
 * skipping mask characters. It detects a wrong key without further data
 * (docs/formats/common.md#masked-copies).
 *
 * Throws 2601 if a visible character differs.
 */
export function demandAgreement(
  field: string,
  masked: string,
  text: string,
  evidence: Evidence,
  maskCharacters = '*',
): void {
  if (masked.length !== text.length) {
    throw notCardData(field, 'the masked copy has a different length');
  }
  // Nearly all copies use one mask character: with a search a frame takes 4 % longer from payload
  // to JSON.
  const mask = maskCharacters.length === 1 ? maskCharacters.charCodeAt(0) : undefined;
  let visible = 0;
  for (let i = 0; i < text.length; i++) {
    const code = masked.charCodeAt(i);
    if (code === mask) continue;
    if (mask === undefined && maskCharacters.includes(masked.charAt(i))) continue;
    if (code !== text.charCodeAt(i))
      throw notCardData(field, 'the masked copy shows a different card');
    visible++;
  }
  evidence.add('masked-copy', `${field} agrees with its masked copy`, visible * 3);
}
