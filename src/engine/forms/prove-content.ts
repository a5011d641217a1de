import {type CardContent, withEvidence} from '../card/card-content.js';
import {Evidence} from '../card/evidence.js';
import {assertMaskedPans, type MaskedPan} from '../card/masked-pans.js';

/**
 * The content that `read` finds in a plaintext, with the evidence for it: its form, and the visible
 * digits of the masked copies. `missing` names what would prove it if that is too little.
 *
 * Throws 2601 if a copy shows another card, or all evidence together could be chance.
 */
export function proveContent(
  field: string,
  read: (evidence: Evidence) => CardContent,
  copies: readonly MaskedPan[],
  missing: string,
): CardContent {
  const evidence = new Evidence();
  const content = read(evidence);
  assertMaskedPans(field, copies, content, evidence);
  evidence.assertEnough(field, missing);
  return withEvidence(content, evidence);
}
