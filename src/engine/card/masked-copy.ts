import {contradictedCopy, type Evidence} from './evidence.js';

/**
 * Compares a plaintext with the masked copy that the terminal sent beside it, position by position,
 * skipping hidden characters. It detects a wrong key without further data
 * (docs/terminals/common.md#masked-copies).
 *
 * Throws 2601 if a visible character differs.
 */
export function assertCopyAgrees(
  field: string,
  masked: string,
  text: string,
  evidence: Evidence,
): void {
  if (masked.length !== text.length) {
    throw contradictedCopy(field, 'the masked copy has a different length', masked);
  }
  let visible = 0;
  for (let i = 0; i < text.length; i++) {
    const code = masked.charCodeAt(i);
    if (code === STAR) continue;
    if (code === text.charCodeAt(i)) visible++;
    else if (!hides(code, masked, text))
      throw contradictedCopy(field, 'the masked copy shows a different card', masked);
  }
  evidence.add('masked-copy', `${field} agrees with its masked copy`, visible * 3);
}

const STAR = 0x2a;

/** True for any other character that hides digits somewhere: which one does is configurable. */
function hides(code: number, masked: string, text: string): boolean {
  if (isDigit(code)) return false;
  for (let i = 0; i < text.length; i++) {
    if (masked.charCodeAt(i) === code && isDigit(text.charCodeAt(i))) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
