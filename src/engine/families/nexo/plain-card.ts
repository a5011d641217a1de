import {defined} from '../../../contract/defined.js';
import type {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, isLatin1} from '../../../platform/bytes.js';
import type {CardContent} from '../../card/card-content.js';
import {Evidence, notCardData} from '../../card/evidence.js';
import type {TrackNumber} from '../../card/lrc.js';
import {isPan} from '../../card/track-data.js';
import {assertPadded} from '../../card/whole.js';
import {ALL_FILLS, type Fill, isFill} from '../../cipher/padding.js';
import {bareCardContent, readBareTracks} from '../../forms/bare-card.js';
import {allOf, childOf, type Node, onlyText, readJsonTree, readXmlTree} from './document.js';
import type {Name} from './layout.js';

const FIELD = 'card data';
const UTF8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

/**
 * Reads the plaintext of an envelope: one element of XML or object of JSON with the card, and its
 * padding (docs/terminals/nexo.md#plaintext). Throws 2601 if it is anything else.
 */
export function openCard(plain: Uint8Array, fills: readonly Fill[] = ALL_FILLS): CardContent {
  const end = endOf(plain, fills);
  const card = documentOf(plain.subarray(0, end));
  const evidence = new Evidence();
  evidence.add('walk', 'the document is well-formed to its end', 48);
  assertPadded(FIELD, {filled: plain.length - end, fills}, evidence);
  const pan = onlyText(card, 'pan', nexoContradiction)?.replaceAll(' ', '');
  if (pan !== undefined && !isPan(pan)) throw notCardData(FIELD, 'PAN: expected 12 to 19 digits');
  const tracks = readBareTracks((number) => nexoTrackBytes(card, number), evidence);
  const expiry = cardExpiry(card);
  if (pan !== undefined) evidence.add('grammar', 'PAN of digits', pan.length * 4);
  evidence.assertEnough(FIELD, 'A card number');
  const bytes = plain.slice(0, end);
  const text = (name: Name) => onlyText(card, name, nexoContradiction);
  return {
    facts: evidence.facts,
    bits: evidence.bits,
    ...bareCardContent({bytes, tracks, pan, expiry, names: {pan: 'PAN', expiry: 'expiry date'}}),
    ...defined({serviceCode: text('serviceCode'), name: text('holder'), cvv: text('securityCode')}),
  };
}

function nexoContradiction(why: string): PaylensError {
  return notCardData(FIELD, why);
}

const CLOSING = [0x3e, 0x7d];

/** After the last `>` or `}`, if what follows is padding. */
function endOf(plain: Uint8Array, fills: readonly Fill[]): number {
  const first = plain.find((byte) => byte > 0x20 && byte < 0x80);
  if (first !== 0x3c && first !== 0x7b) throw notCardData(FIELD, 'expected XML or JSON');
  const last = Math.max(...CLOSING.map((byte) => plain.lastIndexOf(byte))) + 1;
  if (last > 0 && isFill(plain, last, fills)) return last;
  throw notCardData(FIELD, `byte ${last} is neither XML, JSON nor padding`);
}

function documentOf(bytes: Uint8Array): Node {
  try {
    const text = UTF8.decode(bytes).trim();
    return text.startsWith('<') ? readXmlTree(text) : readJsonTree(text);
  } catch {
    throw notCardData(FIELD, 'expected well-formed XML or JSON');
  }
}

/** Of a numbered element, or of an element with the number inside; without a number it is track 2. */
function nexoTrackBytes(card: Node, number: TrackNumber): Uint8Array | undefined {
  const numbered = allOf(card, 'track').filter(
    (track) => Number(childOf(track, 'trackNumber')?.text || 2) === number,
  );
  const values = [
    ...allOf(card, `track${number}`),
    ...numbered.flatMap((track) => allOf(track, 'trackValue')),
  ].map(({text}) => text);
  const [value, ...others] = new Set(values.filter((text) => text !== ''));
  if (value === undefined) return undefined;
  if (others.length > 0 || !isLatin1(value))
    throw notCardData(FIELD, `track ${number}: expected one value`);
  return bytesFromLatin1(value);
}

/** YYMM; of a date with a century, hyphens or a day (docs/terminals/nexo.md#plaintext). */
function cardExpiry(card: Node): string | undefined {
  const [node] = allOf(card, 'expiry');
  if (!node) return undefined;
  const text =
    node.children.length > 0 ? monthAndYear(node) : onlyText(card, 'expiry', nexoContradiction);
  if (text === undefined) return undefined;
  const found = EXPIRY_FORMS.map((form) => form.exec(text)?.[1]).find(Boolean);
  if (found !== undefined) return found.replace('-', '');
  throw notCardData(FIELD, 'expiry: expected a year and a month');
}

/** With hyphens, with a day, with a century; then YYMM with or without a day. */
const EXPIRY_FORMS = [
  /^\d\d(\d\d-\d\d)(?:-\d\d)?$/,
  /^\d\d(\d{4})\d\d$/,
  /^\d\d(?!0[1-9]|1[0-2])(\d\d(?:0[1-9]|1[0-2]))$/,
  /^(\d{4})(?:\d\d)?$/,
];

function monthAndYear({children}: Node): string {
  const part = (name: string) => children.find((child) => child.name === name)?.text ?? '';
  return part('year').slice(-2) + part('month').padStart(2, '0');
}
