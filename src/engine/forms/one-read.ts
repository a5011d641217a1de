import {PaylensError} from '../../contract/paylens-error.js';
import {isSameBytes} from '../../platform/bytes.js';
import type {TlvObject} from '../tlv/ber.js';

/** The error (2100) for a payload with more than one read; `why` names both places. */
export function severalReads(why: string): PaylensError {
  return new PaylensError(2100, why, {hint: 'Send each card read as a separate payload.'});
}

/**
 * Clear tags beside the ciphertext that a response uses: name, expiry, service code, entry mode.
 */
export const CLEAR_TAGS: ReadonlySet<string> = new Set(['5F20', '5F24', '5F30', '9F39']);

/**
 * Checks tags that one read has only once: two values mean two reads, and neither can be preferred.
 * The same value may be repeated, and empty objects do not count. Throws 2100.
 */
export function assertTagsOnce(all: readonly TlvObject[], tags: ReadonlySet<string>): void {
  const known = new Map<string, TlvObject>();
  for (const object of all) {
    if (!tags.has(object.tag) || object.value.length === 0) continue;
    const first = known.get(object.tag);
    if (first) assertOneValue([first, object]);
    else known.set(object.tag, object);
  }
}

/** Throws 2100 if two of these objects have different values. */
export function assertOneValue(objects: readonly TlvObject[]): void {
  const [first, ...others] = objects.filter(({value}) => value.length > 0);
  const other = first && others.find(({value}) => !isSameBytes(value, first.value));
  if (!other) return;
  const {tag, offset} = first;
  throw severalReads(`tag ${tag} at ${offset} and at ${other.offset}: two values, one expected`);
}

/** The object of a tag that has a value. Throws 2100 if there are two with different values. */
export function onlyObject(all: readonly TlvObject[], tag: string): TlvObject | undefined {
  const objects = all.filter((object) => object.tag === tag && object.value.length > 0);
  assertOneValue(objects);
  return objects[0];
}

/** Members of the dictionary of BBPOS and DSpread that hold ciphertext: another read. Throws 2100. */
export function assertOwnMember(name: string, value: unknown): void {
  if (value === '' || value === null || !/^enc(?:rypted)? ?(?:track|pan)/i.test(name)) return;
  throw severalReads(`member ${name} belongs to a dictionary of another terminal`);
}

/**
 * Whether a track of ABECS stands in a text: a block instead of its card number, in front of the
 * name or of expiry and service code (docs/terminals/abecs.md#pan); not a number masked by four F or
 * more, or as `masked` says. Takes as long as the text is long.
 */
export function hasPanBlock(payload: string, masked = /^\d*F{4,}\d*$/i): boolean {
  for (const {index} of payload.matchAll(TRACK_SEPARATOR))
    if (isPanBlockAt(payload, index, masked)) return true;
  return false;
}

/** Every separator of a track behind a hex digit. */
const TRACK_SEPARATOR = /(?<=[\dA-F])[=^]/gi;
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

/** Throws 2100 if a track of ABECS stands in the text of another terminal. */
export function assertNoPanBlock(payload: string): void {
  if (hasPanBlock(payload, MASKED_DIGITS))
    throw severalReads('a track with an encrypted card number beside it');
}
