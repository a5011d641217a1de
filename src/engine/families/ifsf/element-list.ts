import {latin1Of} from '../../../platform/bytes.js';
import {type CardContent, withEvidence} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import {type Fill, isFill} from '../../cipher/padding.js';
import {bareCardContent, readBareTracks} from '../../forms/bare-card.js';
import {ELEMENT_HEADER_BYTES, elementAt} from './elements.js';

/** The elements of one plaintext, by tag. */
type ElementValues = ReadonlyMap<number, Uint8Array>;

/**
 * Reads the plaintext of DE-127: elements of a card, each once, and padding
 * (docs/terminals/ifsf.md#de-127). Throws 2601 if it is anything else.
 */
export function openElements(plain: Uint8Array): CardContent {
  const evidence = new Evidence();
  const {values, end} = readList(plain);
  const tracks = readBareTracks((number) => {
    const tag = [...values.keys()].find((key) => elementAt(key)?.track === number);
    return tag === undefined ? undefined : values.get(tag);
  }, evidence);
  const pan = elementDigits(values, 2, /^\d{12,19}$/, evidence);
  const expiry = elementDigits(values, 14, /^(?:\d{4}|\d{6})$/, evidence)?.slice(0, 4);
  evidence.add('walk', 'elements up to the padding', values.size * HEADER_BITS);
  if (end < plain.length)
    evidence.add('padding', 'padding after the elements', Math.min(plain.length - end, 8) * 8 - 4);
  evidence.assertEnough('DE-127', 'A card number or a track');
  const bytes = plain.slice(0, end);
  const names = {pan: 'DE-2', expiry: 'DE-14'};
  const card = bareCardContent({bytes, tracks, pan, expiry, names});
  return withEvidence({tlv: [{bytes, objects: []}], ...card}, evidence);
}

/** One of five tags, and a length of two bytes that fits it. */
const HEADER_BITS = 18;

/** The elements, and where the padding begins. */
function readList(plain: Uint8Array): {values: ElementValues; end: number} {
  const values = new Map<number, Uint8Array>();
  let at = 0;
  while (at < plain.length && !isPadding(plain, at)) {
    const [tag = 0, high = 0, low = 0] = plain.subarray(at, at + ELEMENT_HEADER_BYTES);
    const [min, max] = elementAt(tag)?.inside ?? [1, 0];
    const length = (high << 8) | low;
    const from = at + ELEMENT_HEADER_BYTES;
    if (length < min || length > max || from + length > plain.length)
      throw notCardData('DE-127', `byte ${at} of the plaintext: expected an element of a card`);
    if (values.has(tag)) throw notCardData('DE-127', `element ${tag} is there twice`);
    at = from + length;
    values.set(tag, plain.subarray(from, at));
  }
  return {values, end: at};
}

const MAX_PADDING_BYTES: Readonly<Partial<Record<Fill, number>>> = {zero: 15, iso7816: 24};

/** Zeros, or ISO/IEC 9797-1 method 2, once seen with a further block of zeros. */
function isPadding(plain: Uint8Array, at: number): boolean {
  const length = plain.length - at;
  return (['zero', 'iso7816'] as const).some(
    (fill) => length <= (MAX_PADDING_BYTES[fill] ?? 0) && isFill(plain, at, [fill]),
  );
}

function elementDigits(
  values: ElementValues,
  tag: number,
  form: RegExp,
  evidence: Evidence,
): string | undefined {
  const value = values.get(tag);
  if (!value) return undefined;
  const digits = latin1Of(value);
  if (!form.test(digits)) throw notCardData('DE-127', `element ${tag}: expected digits`);
  evidence.add('grammar', `digits of element ${tag}`, digits.length * TEXT_DIGIT_EVIDENCE);
  return digits;
}

/** 10 of 256 values. */
const TEXT_DIGIT_EVIDENCE = 4.6;
