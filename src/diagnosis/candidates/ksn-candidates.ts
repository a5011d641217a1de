import {type Ksn, ksnAt, parseKsn} from '../../engine/dukpt/ksn.js';
import {counterFault, countersNear} from '../../engine/dukpt/ksn-counter.js';
import {attempt} from '../../input/attempt.js';
import {HEX_DIGITS} from '../../input/bare-ciphertext.js';
import {ksnDigits} from '../../input/written-ksn.js';
import {upperHexOf} from '../../platform/bytes.js';
import type {Label} from '../labels.js';

/** A KSN to be tried. */
export interface KsnCandidate {
  readonly ksn: Ksn;
  /** The change to a KSN that made decryption work, by what explains it. */
  readonly change?: Label | undefined;
  /** As given or found, in upper case without spaces. */
  readonly from: string;
  /** `given`: by the user; `message`: elsewhere in the payload. */
  readonly source: 'given' | 'message';
  /** For a nearby counter: distance in transactions. */
  readonly distance?: number;
  /** For a wrong, missing or extra digit: its position, in a sentence. */
  readonly place?: string | undefined;
}

type Source = KsnCandidate['source'];

/** Digits that may have been meant, and what was changed. */
type Form = readonly [hex: string, change?: Label];

/**
 * The KSNs that a text most likely means: as it is, or with the leading FF bytes that terminals
 * omit.
 */
export function plainForms(text: string, source: Source): KsnCandidate[] {
  const from = ksnDigits(text);
  if (from.length === 20 || from.length === 24) return ksnCandidates([[from]], from, source);
  if (from.length === 16 || from.length === 18) {
    return ksnCandidates([[from.padStart(20, 'F'), 'ksn-padded']], from, source);
  }
  return [];
}

/** Most complete KSNs of one text or message for which keys are derived. */
const MAX_WHOLE_KSNS = 8;

/** The KSNs that the texts are without any change. */
export function wholeKsns(texts: readonly string[]): Ksn[] {
  const all = texts.flatMap((text) => plainForms(text, 'given'));
  return all.map(({ksn}) => ksn).slice(0, MAX_WHOLE_KSNS);
}

/** All other KSNs that may have been meant: padding, filler, counter in decimal, lost digits. */
export function otherForms(text: string, source: Source): KsnCandidate[] {
  const from = ksnDigits(text);
  const forms: Form[] = [];
  const {length} = from;
  const add = (change: Label, ...all: string[]) => {
    forms.push(...all.map((hex): Form => [hex, change]));
  };
  if (length === 16 || length === 18) {
    add('ksn-padded', from.padStart(20, '0'), from.padEnd(20, 'F'), from.padEnd(20, '0'));
    add('ksn-padded', `${from}00000000`.slice(0, 24));
  }
  const lost = (before: string, behind: string) => {
    const all = [...[...before].map((one) => one + from), ...[...behind].map((one) => from + one)];
    add('ksn-digit-missing', ...all.map((hex) => hex.padStart(20, 'F')));
  };
  if (length === 17 || length === 19) lost('0F', HEX_DIGITS);
  if (length === 19) lost(HEX_DIGITS, '');
  if (length === 20) forms.push(...fillerForms(from));
  if (length === 21 || length === 22) add('ksn-embedded', from.slice(-20), from.slice(0, 20));
  if (length === 23) lost('', HEX_DIGITS);
  if (length === 24) add('ksn-embedded', from.slice(4), from.slice(0, 20));
  // Every run of 20 digits, aligned to a byte.
  for (let at = 0; length > 24 && at <= Math.min(78, length - 20); at += 2)
    add('ksn-embedded', from.slice(at, at + 20));
  if (length === 14) add('ksn-padded', `${from}000000`, `FFFF${from}00`);
  if (length >= 10 && length < 16) add('ksn-padded', from.padStart(20, 'F'));
  const all = [...forms, ...forms.flatMap(([hex, change]) => decimalForms(hex, change))];
  const known = plainForms(text, source).map(({ksn}) => ksn.hex);
  const own = known.flatMap((hex) => decimalForms(hex));
  const slots = known.flatMap(slotForms);
  const reversed = known.map((hex): Form => [hex.match(/../g)!.reverse().join(''), 'ksn-reversed']);
  return ksnCandidates([...own, ...all, ...slots, ...reversed], from, source).filter(
    ({ksn}) => !known.includes(ksn.hex),
  );
}

/** KSNs of published examples, for cases without a KSN. */
export function publishedKsns(): KsnCandidate[] {
  return PUBLISHED_DEVICES.flatMap((device) =>
    Array.from({length: 32}, (_, i) => {
      const hex = device + upperHexOf(Uint8Array.of(i + 1)).padStart(20 - device.length, '0');
      return ksnCandidates([[hex, 'ksn-missing']], hex, 'message');
    }).flat(),
  );
}

/** ANSI X9.24-1, ID TECH's manuals, BBPOS, Verifone's online PIN. */
const PUBLISHED_DEVICES = [
  'FFFF9876543210E0',
  '6299490119000000',
  'FFFF987654321100',
  'F876543210040B80',
];

/**
 * KSNs of the same device, up to `reach` transactions before and after; a KSN of another slot stays
 * in its slot.
 */
export function neighbours(candidate: KsnCandidate, reach: number): KsnCandidate[] {
  const {ksn, from, source} = candidate;
  const change = candidate.change === 'ksn-swapped' ? candidate.change : 'ksn-neighbour';
  return countersNear(ksn.counter, ksn.scheme, reach).flatMap((counter) => {
    const read = ksnAt(ksn, counter);
    return read ? [{ksn: read, change, from, source, distance: counter - ksn.counter}] : [];
  });
}

/** The first KSNs of a device whose initial KSN was given, with a counter of 0 or all F. */
export function firstReads({ksn, from, source}: KsnCandidate, reach: number): KsnCandidate[] {
  const fault = counterFault(ksn.counter, ksn.scheme);
  // People set it to F as well as to 0; no terminal sends either.
  if (fault !== 'zero' && !(fault === 'bits' && /F{4}$/.test(ksn.hex))) return [];
  return Array.from({length: reach}, (_, i) => i + 1).flatMap((counter) => {
    const read = ksnAt(ksn, counter);
    return read ? [{ksn: read, change: 'ksn-initial', from, source}] : [];
  });
}

/** `0000` written for `FFFF` and vice versa; padding at the end instead of the beginning. */
function fillerForms(hex: string): Form[] {
  const forms: Form[] = [];
  const [, filler = '', rest = ''] = /^(F{2,4}|0{2,4})(.*)$/.exec(hex) ?? [];
  if (filler !== '') {
    const other = filler[0] === 'F' ? '0' : 'F';
    forms.push([rest.padStart(20, other), 'ksn-filler']);
    forms.push([hex.slice(4).padStart(20, other), 'ksn-filler']);
  }
  if (/(?:FFFF|0000)$/.test(hex)) {
    forms.push([hex.slice(0, 16).padStart(20, 'F'), 'ksn-filler']);
    forms.push([hex.slice(0, 16).padStart(20, '0'), 'ksn-filler']);
  }
  if (/(?:FF|00)$/.test(hex)) forms.push([`FF${hex.slice(0, 18)}`, 'ksn-filler']);
  return forms;
}

/** The counter's digits read as a decimal number, if possible. */
function decimalForms(hex: string, change?: Label): Form[] {
  if (hex.length !== 20 || (change && change !== 'ksn-padded')) return [];
  const found: Form[] = [];
  for (const digits of [5, 4, 3, 2]) {
    const tail = hex.slice(-digits);
    if (!/^\d+$/.test(tail) || Number(tail) < 10) continue;
    const value = Number(tail).toString(16).toUpperCase().padStart(digits, '0');
    found.push([hex.slice(0, -digits) + value, 'ksn-decimal-counter']);
  }
  const counter = Number.parseInt(hex.slice(-5), 16);
  const shown = String(counter).padStart(5, '0');
  if (shown.length <= 5) found.push([hex.slice(0, 15) + shown, 'ksn-decimal-counter']);
  return found;
}

/**
 * One device may use several KSNs: they differ in digit 4 for WisePad, in 6 for WisePad 2, in 1 for
 * ID TECH.
 */
function slotForms(hex: string): Form[] {
  const replace = (at: number, digits: string) =>
    [...digits.replace(hex.charAt(at), '')].map(
      (digit): Form => [hex.slice(0, at) + digit + hex.slice(at + 1), 'ksn-swapped'],
    );
  if (/^028[2-4]/.test(hex)) return replace(3, '234');
  if (/^88888[89AB]/.test(hex)) return replace(5, '89AB');
  if (/^[ABC]FFF/.test(hex)) return replace(0, 'ABC');
  return [];
}

/** The valid KSNs among `forms`, without duplicates. */
export function ksnCandidates(
  forms: readonly Form[],
  from: string,
  source: Source,
): KsnCandidate[] {
  const found = new Map<string, KsnCandidate>();
  for (const [hex, change] of forms) {
    const isWhole = hex.length === 20 || hex.length === 24;
    const ksn = isWhole ? attempt(() => parseKsn(hex, {anyCounter: true})) : undefined;
    if (ksn && !found.has(ksn.hex)) found.set(ksn.hex, {ksn, change, from, source});
  }
  return [...found.values()];
}
