import {PaylensError} from '../../contract/paylens-error.js';
import {bytesFromHex, upperHexOf} from '../../platform/bytes.js';
import {type EmvWord, emvWords} from '../tlv/emv-words.js';
import {tagName} from '../tlv/tags.js';

/** What of a part counts: `95 terminal verification results (TVR)`, and hex. */
interface WordlessPart {
  readonly name: string;
  readonly value: string;
}

/**
 * The EMV values among parts in words, by their index; undefined for the others, and for what is
 * encrypted or masked. The AID that is among them chooses where the scheme does.
 */
export function partWords(
  parts: readonly WordlessPart[],
): readonly (readonly EmvWord[] | undefined)[] {
  const values = parts.map(({name, value}) => ({tag: tagOf(name), value: bytesFromHex(value)}));
  const aid = aidAmong(values);
  return values.map(({tag, value}) => value && emvWords(tag, value, aid));
}

/** Parts as they are, with their `words` where they are EMV values that have some. */
export function withWords<P extends WordlessPart>(parts: readonly P[]): readonly WordedPart<P>[] {
  if (!Array.isArray(parts) || !parts.every(isPart))
    throw new PaylensError(2005, 'parts: expected an array of objects with name and value');
  const all = partWords(parts);
  return parts.map((part, i) => (all[i] ? Object.assign({}, part, {words: all[i]}) : part));
}

function isPart(part: Partial<WordlessPart> | null | undefined): boolean {
  return typeof part?.name === 'string' && typeof part.value === 'string';
}

/** A part and what its bits and codes say. */
export type WordedPart<P> = P & {readonly words?: readonly EmvWord[]};

/** The AID among EMV values, in upper-case hex. */
export function aidAmong(
  values: readonly {readonly tag: string; readonly value: Uint8Array | undefined}[],
): string | undefined {
  const aid = values.find(({tag}) => AID_TAGS.has(tag))?.value;
  return aid && upperHexOf(aid);
}

const AID_TAGS: ReadonlySet<string> = new Set(['4F', '84', '9F06']);

/** The tag of a part that has no other name than EMV gives it; empty for other parts. */
function tagOf(name: string): string {
  const [tag = ''] = name.split(' ', 1);
  return name === tag || name === `${tag} ${tagName(tag)}` ? tag : '';
}
