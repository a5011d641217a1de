import {bytesFromHex, hexByte} from '../../../platform/bytes.js';
import {entryOf} from '../../forms/entry-of.js';
import {ofLast} from '../../forms/of-last.js';
import {compactHex, hexIfBinary} from '../../forms/payload-bytes.js';
import type {TlvObject} from '../../tlv/ber.js';
import {EMV_TAGS} from '../../tlv/tags.js';
import {declaredMember, memberName} from './dictionary.js';
import {DSPREAD, WISEPAD} from './layout.js';
import {FORMAT_IDS, type MakerHint, makerOfMembers, makerOfTags} from './makers.js';

/** The maker of a payload of which the end may be missing; undefined if the rest shows none. */
export const makerOfTruncated = ofLast((payload: string): MakerHint | undefined => {
  const compact = compactHex(hexIfBinary(payload));
  if (compact === undefined) return makerOfNames(payload);
  const bytes = bytesFromHex(compact.slice(0, compact.length & ~1)) ?? new Uint8Array();
  // A length may precede the list; it no longer matches.
  for (let start = 0; start <= 4; start++) {
    const objects = wholeObjects(bytes.subarray(start));
    // The KSN of the message, of the PIN, or of the batch.
    if (objects.some(({tag, value}) => /^C[013]$/.test(tag) && value.length === 10))
      return makerOfTags(objects);
  }
  return undefined;
});

/** A list of more objects is no message of a reader. */
const MAX_OBJECTS = 500;

/** The objects of a list before its end or its first unknown tag; one that is cut has no value. */
function wholeObjects(bytes: Uint8Array): TlvObject[] {
  const objects: TlvObject[] = [];
  let at = 0;
  while (at < bytes.length && objects.length < MAX_OBJECTS) {
    const tag = tagAt(bytes, at);
    if (tag === undefined) break;
    const lead = at + tag.length / 2;
    const first = bytes[lead] ?? 0;
    const count = first > 0x80 ? Math.min(first & 0x7f, 3) : 0;
    const counted = bytes.subarray(lead + 1, lead + 1 + count);
    const length = count === 0 ? first : counted.reduce((sum, byte) => 256 * sum + byte, 0);
    const from = lead + 1 + count;
    const value = bytes.subarray(from, from + length);
    if (value.length < length) break;
    objects.push({tag, value, offset: at, headerLength: from - at, lengthField: ''});
    at = from + length;
  }
  return objects;
}

/** A tag of these readers, or one of EMV. */
function tagAt(bytes: Uint8Array, at: number): string | undefined {
  const digits = [...bytes.subarray(at, at + 3)].map(hexByte).join('');
  return [digits, digits.slice(0, 4), digits.slice(0, 2)].find(
    (tag) => entryOf(WISEPAD.names, tag) ?? entryOf(DSPREAD.names, tag) ?? entryOf(EMV_TAGS, tag),
  );
}

const MEMBER_NAME = /([A-Za-z][A-Za-z\d ]{1,24})"?\s*[:=_]/g;
const FORMAT_ID = /format ?id"?\s*[:=_]\s*"?([\dA-F]{2})(?![\dA-F])/i;
const CIPHERTEXT = /enc(?:rypted)? ?(?:tracks?|pan)|track ?ksn/i;

/** Needs a format ID of these readers, or ciphertext and a member of only one maker. */
function makerOfNames(text: string): MakerHint | undefined {
  const formatId = FORMAT_ID.exec(text)?.[1]?.toUpperCase();
  const isKnown = Object.values(FORMAT_IDS).some((ids) => ids.includes(formatId ?? ''));
  if (!isKnown && !CIPHERTEXT.test(text)) return undefined;
  const names = [...text.matchAll(MEMBER_NAME)].map(([, name = '']) => name);
  const makers = new Set(names.flatMap((name) => declaredMember(name)?.maker ?? []));
  if (!isKnown && makers.size === 0) return undefined;
  const hasKsn = names.some((name) => memberName(name) === 'ksn');
  return makerOfMembers({makers, formatId, hasKsn});
}
