import type {CardContent} from '../../engine/card/card-content.js';
import {assertOneCardIn, readCardList} from '../../engine/card/card-tlv.js';
import {Evidence} from '../../engine/card/evidence.js';
import type {TrackNumber} from '../../engine/card/lrc.js';
import {readTrack} from '../../engine/card/track.js';
import {hasCheckDigit, isPan, parseTrack1, parseTrack2} from '../../engine/card/track-data.js';
import {leadLength} from '../../engine/card/track-lead.js';
import {
  parseTrack2Equivalent,
  readFilledDigits,
  readFilledTrack2Equivalent,
} from '../../engine/card/track2-equivalent.js';
import {ALL_FILLS, isFill} from '../../engine/cipher/padding.js';
import {flatten} from '../../engine/tlv/ber.js';
import {attempt, rejectionOf} from '../../input/attempt.js';
import {latin1Of, upperHexOf} from '../../platform/bytes.js';
import {canBeginAt, canBeginTlvAt} from './block-filter.js';
import {better, type Opening, type Packing} from './opened-plaintext.js';

/**
 * Reads a complete plaintext as card data in every packing that terminals use: tracks in ASCII,
 * 4-bit and 6-bit, TLV, packed digits. Undefined if it is none of these.
 */
export function openCard(plain: Uint8Array): Opening | undefined {
  const lead = leadLength(plain);
  if (lead > 0) {
    const behind = openCard(plain.subarray(lead));
    return behind && {...behind, bits: behind.bits - LEAD_BITS};
  }
  if (!canBeginAt(plain)) return undefined;
  const first = plain[0] ?? 0;
  let best: Opening | undefined;
  for (const number of tracksThatBegin(first)) best = better(best, openTrack(number, plain));
  if (canBeginTlvAt(plain)) best = better(best, openTlv(plain));
  if (first >> 4 < 10) best = better(best, openDigits(plain));
  return best;
}

/** Cost of the choice where a track begins. */
const LEAD_BITS = 3;

/** The PANs in every way to read a plaintext. */
export function pansIn(openings: readonly Pick<Opening, 'content'>[]): string[] {
  return openings.flatMap(({content}) => (content ? pansOf(content) : []));
}

/** The PANs in decrypted content. */
export function pansOf(content: CardContent): string[] {
  const {track1, track2, track2equivalent, keyed, pan} = content;
  const found = [
    track2 && parseTrack2(track2.text)?.pan,
    track2equivalent && parseTrack2Equivalent(track2equivalent.text)?.pan,
    track1 && parseTrack1(track1.text)?.pan,
    keyed?.pan,
    pan,
  ];
  return [...new Set(found.filter((number) => number !== undefined))];
}

const PERCENT = 0x25;
const SEMICOLON = 0x3b;
const PLUS = 0x2b;

function tracksThatBegin(first: number): readonly TrackNumber[] {
  if (first === PERCENT || (first >= 0x41 && first <= 0x5a)) return first === 0x5a ? [1] : [1, 3];
  if (first === 0x16) return [1];
  if (first === SEMICOLON) return [2, 3];
  if (first === PLUS) return [3];
  if (first >> 4 === 0xb) return [2, 3];
  return (first >= 0x30 && first <= 0x39) || first >> 4 < 10 ? [2] : [];
}

function openTrack(number: TrackNumber, plain: Uint8Array): Opening | undefined {
  const evidence = new Evidence();
  const track = attempt(() => readTrack(number, plain, {evidence, ends: 'nowhere'}));
  if (!track) return undefined;
  const {text, bytes} = track;
  const head = latin1Of(plain.subarray(0, 2));
  // Digits without sentinel and separator are text, but not a track.
  if (!/[=^]/.test(text) && head[0] !== text[0] && number !== 3) return undefined;
  const isAscii = text.startsWith(head) || text.startsWith(head, 1);
  const packing = isAscii ? 'ascii' : plain[0] === 0x16 ? '6bit' : '4bit';
  const content = {[`track${number}`]: track};
  return openingWith(packing, text, content, evidence, fillOf(plain, bytes.length));
}

function openTlv(plain: Uint8Array): Opening | undefined {
  const evidence = new Evidence();
  const content = attempt(() => readCardList('plaintext', plain, evidence));
  const list = content?.tlv?.[0];
  if (!content || !list) return undefined;
  const contradiction = rejectionOf(() => assertOneCardIn('plaintext', content))?.detail;
  evidence.add('walk', 'TLV walks to its end', 3);
  const text = flatten(list.objects)
    .filter(({children}) => children === undefined)
    .map(({tag, value}) => `${tag}=${upperHexOf(value)}`)
    .join(' ');
  const opening = openingWith('tlv', text, content, evidence, fillOf(plain, list.bytes.length));
  if (contradiction === undefined) return opening;
  // The evidence that was counted because tags agreed does not count.
  const facts = opening.facts.filter(({kind}) => kind !== 'agreement');
  const agreed = opening.facts.find(({kind}) => kind === 'agreement')?.bits ?? 0;
  return {...opening, facts, bits: opening.bits - agreed, contradiction};
}

/** A track 2 equivalent without its tag, or a card number, in packed digits. */
function openDigits(plain: Uint8Array): Opening | undefined {
  const evidence = new Evidence();
  const equivalent = readFilledTrack2Equivalent(plain, evidence);
  if (equivalent && parseTrack2Equivalent(equivalent.text)) {
    const {text, bytes} = equivalent;
    const content = {track2equivalent: equivalent};
    return openingWith('bcd', text, content, evidence, fillOf(plain, bytes.length));
  }
  const {text: pan = ''} = readFilledDigits(plain) ?? {};
  if (!isPan(pan)) return undefined;
  const own = new Evidence();
  own.add('grammar', 'PAN of digits', pan.length * 0.67);
  const rest = 2 * plain.length - pan.length;
  if (rest > 0) own.add('padding', 'padding after the PAN', Math.min(rest, 16) * 4 - 2);
  return openingWith('bcd', pan, {pan}, own, fillOf(plain, Math.ceil(pan.length / 2)));
}

function openingWith(
  packing: Packing,
  text: string,
  content: CardContent,
  evidence: Evidence,
  fill: string | undefined,
): Opening {
  const numbers = pansOf(content);
  if (numbers.length > 0 && numbers.every(hasCheckDigit))
    evidence.add('other', 'Luhn check of the PAN', 3.3);
  const {bits, facts} = evidence;
  return {packing, bits, facts, text, content, fill};
}

/** The name of the padding after `end`; undefined if there is none. */
export function fillOf(plain: Uint8Array, end: number): string | undefined {
  if (end >= plain.length) return undefined;
  return ALL_FILLS.find((fill) => isFill(plain, end, [fill]));
}
