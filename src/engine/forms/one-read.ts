import {PaylensError} from '../../contract/paylens-error.js';
import {isSameBytes} from '../../platform/bytes.js';
import type {TlvObject} from '../tlv/ber.js';

/** The error (2100) for a payload with more than one read; `why` names both places. */
export function severalReads(why: string): PaylensError {
  return new PaylensError(2100, why, {hint: 'Send each card read as a separate payload.'});
}

/**
 * Clear tags that a response uses in addition to the plaintext: name, expiry, service code, entry mode.
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
