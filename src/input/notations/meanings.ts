import {bytesFromHex, bytesFromLatin1, isHex, isLatin1} from '../../platform/bytes.js';
import {listText} from './byte-list.js';
import {type Meaning, type Notation, payloadsOf} from './notation.js';
import {NOTATIONS} from './table.js';

/**
 * Every way without a doubt to read a text that is one payload from end to end: as it is, in lines,
 * with escapes, as a list of bytes, in base64. Hex digits alone are hex.
 */
export function meanings(text: string): Meaning[] {
  const trimmed = text.trim();
  const compact = trimmed.replaceAll(/\s/g, '');
  if (isHex(compact)) {
    // Hex digits are the payload, in either case, or are the characters of one.
    const others = payloadsOf(bytesFromHex(compact) ?? new Uint8Array());
    const own = {notation: 'hex digits', payloads: [trimmed, ...others]};
    // Numbers of one or three digits, and bits, between blanks are not pairs of hex digits.
    const areNumbers = /(?:^|\s)(?:\d(?:\d\d)?|[01]{8})(?:\s|$)/.test(trimmed);
    return areNumbers ? [own, ...decoded(trimmed)] : [own];
  }
  const undone = NOTATIONS.flatMap((notation) => undoneMeanings(notation, text, trimmed));
  return [{notation: 'text', payloads: [trimmed]}, ...undone, ...decoded(trimmed)];
}

function undoneMeanings({name, undo, isEscape}: Notation, text: string, trimmed: string) {
  const plain = undo?.(text) ?? text;
  if (plain === text || plain === trimmed) return [];
  if (!isEscape) return [{notation: name, payloads: [plain]}];
  const payloads = isLatin1(plain) ? payloadsOf(bytesFromLatin1(plain)) : [plain];
  return [{notation: name, payloads: [...payloads, plain]}, ...decoded(plain.trim())];
}

/** The bytes that a text writes; a list of bytes is not base64 as well. */
function decoded(text: string): Meaning[] {
  const list = listText(text);
  const all = NOTATIONS.flatMap(({name, decode}) =>
    (decode?.(text, list) ?? []).flatMap((bytes) =>
      bytes ? [{notation: name, payloads: payloadsOf(bytes)}] : [],
    ),
  );
  const lists = all.filter(({notation}) => !notation.startsWith('base64'));
  return lists.length > 0 ? lists : all;
}
