import {ofLast, QUICKLY_FOUND} from '../../forms/of-last.js';

/**
 * Describes a track of ABECS within another text: a block in place of the card number, before the
 * name, or before expiry and service code (docs/terminals/abecs.md#pan). A number with a few digits
 * masked by F, which looks the same as one block in a thousand, does not count.
 */
export const panBlockIn = ofLast(
  (payload: string): string | undefined =>
    hasPanBlock(payload, MASKED_DIGITS) ? 'a track with an encrypted card number' : undefined,
  QUICKLY_FOUND,
);

/**
 * Whether a text contains a track of ABECS; not one whose number is masked by four F or more, or as
 * `masked` says. Takes as long as the text is long.
 */
export function hasPanBlock(payload: string, masked = /^\d*F{4,}\d*$/i): boolean {
  for (const separator of TRACK_SEPARATORS)
    for (let at = payload.indexOf(separator); at >= 0; at = payload.indexOf(separator, at + 1))
      if (isPanBlockAt(payload, at, masked)) return true;
  return false;
}

/** Between the number, the name and the expiry of a track. */
const TRACK_SEPARATORS = ['=', '^'] as const;
const PAN_BLOCK_DIGITS = 16;
/** A format letter and the digits that stay in clear, and one character in front of them. */
const LEAD_CHARACTERS = 9;
/** A name, expiry and the separator between them. */
const REST_CHARACTERS = 31;

/** Whether 16 hex digits in front of a separator are encrypted, and what follows is of a track. */
function isPanBlockAt(text: string, at: number, masked: RegExp): boolean {
  const block = text.slice(Math.max(at - PAN_BLOCK_DIGITS, 0), at);
  if (!ENCRYPTED_DIGITS.test(block) || masked.test(block)) return false;
  const rest = text.slice(at + 1, at + 1 + REST_CHARACTERS);
  if (text[at] === '=') return /^\d{7}/.test(rest);
  const start = at - PAN_BLOCK_DIGITS;
  const lead = text.slice(Math.max(start - LEAD_CHARACTERS, 0), start);
  return /(?<![\dA-Z])[A-Z][\d ]{0,7}$/i.test(lead) && /^[^^?]{0,26}\^\d{4}/.test(rest);
}

/** 16 hex digits with a letter. */
const ENCRYPTED_DIGITS = /^(?=\d*[A-F])[\dA-F]{16}$/i;
/** A number of which a few digits are masked by F, as one block in a thousand looks as well. */
const MASKED_DIGITS = /^\d*F+\d*$/i;
