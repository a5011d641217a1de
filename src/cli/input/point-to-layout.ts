import {PaylensError} from '../../contract/paylens-error.js';
import {typedTexts} from '../../input/keyboard/typed-text.js';

/**
 * The error of a payload that went through another keyboard layout than its reader typed for, with a
 * hint that says so; any other error as it is.
 */
export function pointToLayout(error: unknown, payload: unknown): unknown {
  if (!(error instanceof PaylensError) || typeof payload !== 'string') return error;
  const layouts = isOfPayload(error) ? typedTexts(payload).flatMap((one) => one.layouts) : [];
  if (layouts.length === 0) return error;
  const hint = `The payload was typed with a keyboard layout other than US (${layouts.join(' or ')}): \`paylens diagnose\` can undo that.`;
  return new PaylensError(error.code, error.detail, {hint});
}

/** Whether an error is about the payload itself, not about a key, a flag or a file. */
function isOfPayload({code}: PaylensError): boolean {
  return code >= 2000 && code < 3000;
}
