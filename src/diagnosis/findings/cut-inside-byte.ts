import {PaylensError} from '../../contract/paylens-error.js';
import {TERMINALS} from '../../engine/devices/registry.js';
import {Trace} from '../../engine/trace.js';
import type {Refusal} from '../input/read-form.js';

const ODD = /^odd number of hex digits/;
/** What only frames have: STX or ViVO in front, or the stars of a masked copy inside. */
const FRAME_LIKE = /^(?:02|5669564F)|(?:2A){4}/i;

/**
 * The refusal of hex with an odd number of digits becomes that of its whole bytes, when these are a
 * frame that lacks more than the one digit. Any other refusal stays.
 */
export function ofWholeBytes(refusal: Refusal): Refusal {
  const digits = refusal.text.replaceAll(/\s/g, '');
  if (!ODD.test(refusal.error.detail) || !FRAME_LIKE.test(digits)) return refusal;
  const error = truncation(refusal, digits.slice(0, -1));
  return error && truncation(refusal, `${digits}0`) ? {...refusal, error} : refusal;
}

/** The 2102 that the reader of a refusal gives to `text`, if it does. */
function truncation({deviceType}: Refusal, text: string): PaylensError | undefined {
  if (deviceType === 'magtek') return undefined;
  try {
    TERMINALS[deviceType].read(text, new Trace({recording: false}));
  } catch (error) {
    return error instanceof PaylensError && error.code === 2102 ? error : undefined;
  }
  return undefined;
}
