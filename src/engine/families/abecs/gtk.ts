import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {type CardContent, trackContent} from '../../card/card-content.js';
import {Evidence, notCardData, REQUIRED_BITS} from '../../card/evidence.js';
import {isClearTrack} from '../../card/is-clear-card.js';
import {
  addMaskedPans,
  assertMaskedPans,
  type MaskedPan,
  maskedTrack,
} from '../../card/masked-pans.js';
import {placesOf} from '../../card/one-card.js';
import {readTrack} from '../../card/track.js';
import {hasCheckDigit} from '../../card/track-data.js';
import {entryOf} from '../../forms/entry-of.js';
import type {EncryptedField, Reading} from '../../reading.js';
import {type Head, headLayouts, hiding, NO_HEAD, type Place, type SentObject} from './heads.js';
import {ABECS_METHODS, type Method, type ObjectName} from './layout.js';
import {type Objects, objectBytes} from './objects.js';

const PLACES: readonly Place[] = [
  {name: 'PP_TRACK1', ksn: 'PP_TRK1KSN', holds: 1},
  {name: 'PP_TRACK2', ksn: 'PP_TRK2KSN', holds: 2},
  {name: 'PP_TRACK3', ksn: 'PP_TRK3KSN', holds: 3},
  {name: 'PP_ENCPAN', ksn: 'PP_ENCPANKSN', holds: 'pan'},
];

/**
 * Reads the response to GTK (docs/terminals/abecs.md#gtk).
 *
 * Throws 2100 if it has no track and no card number, 2102 if one is not whole blocks after its
 * digits in clear.
 */
export function readGtk(objects: Objects): Reading {
  const {form, values} = objects;
  const sent = PLACES.flatMap((place): SentObject[] => {
    const digits = values.get(place.name);
    return digits === undefined ? [] : [{...place, bytes: objectBytes(place.name, digits)}];
  });
  const masked = truncatedCopies(values);
  if (sent.length === 0) throw withoutObjects(masked);
  const refusal = gtkRefusal(values, sent);
  const own = {objects, copies: masked};
  const expiry = expiryIn(values);
  return {
    form: `GTK, ${form}`,
    masked,
    ...(expiry === undefined ? {} : {clear: {expiry}}),
    ...(values.has('PP_ENCPAN') ? {mode: 'emv'} : {}),
    candidates: refusal ? [[]] : gtkCandidates(sent, own),
    agree: (_, each) => {
      for (const content of each) assertMaskedPans('card number', masked, content, new Evidence());
      assertProven(each);
    },
    ...(refusal ? {refusal} : {}),
  };
}

type ObjectValues = Objects['values'];

function gtkRefusal(values: ObjectValues, sent: readonly SentObject[]): PaylensError | undefined {
  const given = values.get('SPE_MTHDDAT');
  if (values.has('PP_ENCKRAND') || /^9\d$/.test(given ?? ''))
    return new PaylensError(2111, 'a random key under the RSA key of the caller (PP_ENCKRAND)');
  const clear = sent.find((one) => isClearObject(one, given));
  if (clear) return new PaylensError(2110, `${clear.name} contains cleartext card data`);
  if (given !== undefined && !entryOf(ABECS_METHODS, given))
    return new PaylensError(2111, `SPE_MTHDDAT: expected ${Object.keys(ABECS_METHODS).join(', ')}`);
  return undefined;
}

/** Without SPE_MTHDDAT, PIN pads send the tracks in clear. */
function isClearObject({holds, bytes}: SentObject, method: string | undefined): boolean {
  if (holds === 1) return isClearTrack(latin1Of(bytes.subarray(0, 40)));
  const digits = upperHexOf(bytes);
  if (holds !== 'pan') return /^\d{12,19}D[\dD]+F*$/.test(digits);
  return (
    method === undefined &&
    /^\d{12,19}F*$/.test(digits) &&
    hasCheckDigit(digits.replaceAll('F', ''))
  );
}

function withoutObjects(copies: readonly MaskedPan[]): PaylensError {
  const isClear = copies.some(({pan}) => !pan.includes('*'));
  return isClear
    ? new PaylensError(2110, 'a card number in cleartext, and nothing encrypted')
    : new PaylensError(2100, 'expected PP_TRACK1, PP_TRACK2, PP_TRACK3 or PP_ENCPAN');
}

const COPIES = ['PP_TRK1INC', 'PP_TRK2INC'] as const;

function truncatedCopies(values: ObjectValues): MaskedPan[] {
  return COPIES.flatMap((name) => maskedTrack(name, values.get(name) ?? ''));
}

/** The expiry in a truncated track; those of both must be equal. */
function expiryIn(values: ObjectValues): string | undefined {
  const [first, other] = COPIES.flatMap((name) => {
    const [, expiry] = /^(?:[^=^]*\^[^^]*\^|[^=^]*=)(\d{4})/.exec(values.get(name) ?? '') ?? [];
    return expiry === undefined ? [] : [expiry];
  });
  if (first !== undefined && other !== undefined && first !== other)
    throw new PaylensError(2100, 'PP_TRK1INC and PP_TRK2INC show two expiry dates');
  return first;
}

interface GtkContext {
  readonly objects: Objects;
  readonly copies: readonly MaskedPan[];
}

/** Tried without SPE_MTHDDAT, most likely first. */
const USUAL = ['51', '50', '30'] as const;

function gtkCandidates(sent: readonly SentObject[], own: GtkContext): EncryptedField[][] {
  const {values} = own.objects;
  const given = values.get('SPE_MTHDDAT');
  const methods = (given === undefined ? USUAL : [given]).flatMap(
    (code) => ABECS_METHODS[code] ?? [],
  );
  const layouts = headLayouts(sent, values.get('SPE_OPNDIG'));
  return methods.flatMap((method) =>
    layouts.map((heads) => sent.map((one, i) => gtkField(one, heads[i] ?? NO_HEAD, method, own))),
  );
}

function gtkField(
  one: SentObject,
  head: Head,
  {setting, singleDes}: Method,
  own: GtkContext,
): EncryptedField {
  const {values, offsetOf} = own.objects;
  const iv = setting.mode === 'cbc' ? values.get('SPE_IVCBC') : undefined;
  const isGiven = values.has('SPE_MTHDDAT');
  return {
    name: one.name,
    offset: offsetOf(one.name),
    ciphertext: one.bytes.subarray(head.length),
    ksn: objectKsn(one, values),
    iv,
    setting,
    workingModes: [setting.mode],
    singleDes: isGiven ? singleDes === true : true,
    open: (plain) => openObject(one, head, plain, own.copies),
  };
}

/** Its own, else the one of the whole response. */
function objectKsn({ksn}: SentObject, values: ObjectValues): string | undefined {
  const all = ['PP_KSN', ...PLACES.map((place) => place.ksn)].flatMap(
    (name) => values.get(name as ObjectName) ?? [],
  );
  const only = new Set(all).size === 1 ? all[0] : undefined;
  return values.get(ksn) ?? values.get('PP_KSN') ?? only;
}

/** Bits that the digits in clear would add to the evidence, in text and packed. */
const TEXT_DIGIT_BITS = 4.6;
const PACKED_DIGIT_BITS = 0.67;

function openObject(
  {name, holds, bytes}: SentObject,
  head: Head,
  plain: Uint8Array,
  copies: readonly MaskedPan[],
): CardContent {
  const evidence = new Evidence();
  const whole = concatBytes(bytes.subarray(0, head.length), plain);
  const content =
    holds === 'pan'
      ? openEncryptedPan(whole, evidence)
      : openObjectTrack(holds, whole, head, evidence);
  const hidden = copies.map((copy) => hiding(copy, head.digits));
  addMaskedPans(name, hidden, content, evidence);
  const known = head.digits * (holds === 1 ? TEXT_DIGIT_BITS : PACKED_DIGIT_BITS);
  if (known > 0) evidence.add('other', `${head.digits} digits in cleartext`, -known);
  return {...content, facts: evidence.facts, bits: evidence.bits};
}

function openObjectTrack(
  number: 1 | 2 | 3,
  plain: Uint8Array,
  head: Head,
  evidence: Evidence,
): CardContent {
  if (number !== 1)
    return trackContent(
      number,
      readTrack(number, plain, {evidence, fills: ['ff'], withoutLrc: true}),
    );
  const text = head.lacksLetter ? concatBytes(bytesFromLatin1('%'), plain) : plain;
  const track = readTrack(1, text, {evidence, fills: ['zero'], withoutLrc: true});
  return trackContent(1, head.lacksLetter ? {...track, bytes: track.bytes.subarray(1)} : track);
}

function openEncryptedPan(plain: Uint8Array, evidence: Evidence): CardContent {
  const [, pan = '', fill = ''] = /^(\d{12,19})(F*)$/.exec(upperHexOf(plain)) ?? [];
  if (pan === '' || fill.length > 19)
    throw notCardData('PP_ENCPAN', 'no card number, filled with F');
  evidence.add(
    'grammar',
    'digits of the card number',
    pan.length * PACKED_DIGIT_BITS + fill.length * 4,
  );
  return {pan};
}

/** Throws 2601 unless all fields together prove the key: the card number in two of them counts. */
function assertProven(each: readonly CardContent[]): void {
  const pans = each.flatMap((content) => placesOf(content).flatMap(({pan}) => pan ?? []));
  if (each.some(hasOpenDigits)) assertOneNumber(pans);
  const repeated = pans.filter((pan, i) => pans.indexOf(pan) < i);
  const agreement = repeated.reduce(
    (sum, pan) => sum + (pan.length - MAX_HEAD_DIGITS) * Math.log2(10),
    0,
  );
  const bits = each.reduce((sum, content) => sum + (content.bits ?? 0), agreement);
  if (bits >= REQUIRED_BITS) return;
  throw new PaylensError(2601, 'not enough evidence to distinguish card data from random bytes', {
    hint: 'Another track, or a truncated copy such as PP_TRK2INC, would prove it.',
  });
}

const MAX_HEAD_DIGITS = 8;

function hasOpenDigits({facts = []}: CardContent): boolean {
  return facts.some(({bits}) => bits < 0);
}

/** Digits in clear may be changed on the way: another track or Luhn must agree. Throws 2601. */
function assertOneNumber(pans: readonly string[]): void {
  const [pan = '', ...others] = pans;
  const isSame = others.every((other) => other === pan);
  if (isSame && (others.length > 0 || hasCheckDigit(pan))) return;
  throw notCardData('card number', 'its digits in cleartext do not agree with the others');
}
