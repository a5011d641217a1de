import {PaylensError} from '../../../contract/paylens-error.js';
import {bytesFromLatin1, concatBytes, latin1Of, upperHexOf} from '../../../platform/bytes.js';
import {type CardContent, trackContent, withEvidence} from '../../card/card-content.js';
import {Evidence, notCardData, REQUIRED_BITS} from '../../card/evidence.js';
import {isClearTrack} from '../../card/is-clear-card.js';
import {
  addMaskedPans,
  assertMaskedPans,
  type MaskedPan,
  maskedTrack,
} from '../../card/masked-pans.js';
import {placesOf} from '../../card/one-card.js';
import {readTrack, type TrackOptions} from '../../card/track.js';
import {hasCheckDigit} from '../../card/track-data.js';
import {entryOf} from '../../forms/entry-of.js';
import {hexValue} from '../../forms/payload-bytes.js';
import type {EncryptedField, Reading} from '../../reading.js';
import {type GtkObject, type Head, headLayouts, hideOpenDigits} from './heads.js';
import {ABECS_METHODS, type Method} from './layout.js';
import type {Objects, ObjectValues} from './objects.js';

const ENCRYPTED_OBJECTS = [
  {name: 'PP_TRACK1', ksn: 'PP_TRK1KSN', holds: 1},
  {name: 'PP_TRACK2', ksn: 'PP_TRK2KSN', holds: 2},
  {name: 'PP_TRACK3', ksn: 'PP_TRK3KSN', holds: 3},
  {name: 'PP_ENCPAN', ksn: 'PP_ENCPANKSN', holds: 'pan'},
] as const;
const TRUNCATED_TRACKS = ['PP_TRK1INC', 'PP_TRK2INC'] as const;

/**
 * Reads the response to GTK (docs/terminals/abecs.md#gtk).
 *
 * Throws 2100 if it has no track and no card number, 2102 if one is not whole blocks after its
 * digits in cleartext.
 */
export function readGtk(objects: Objects): Reading {
  const {form, values} = objects;
  const sent = ENCRYPTED_OBJECTS.flatMap((object) => {
    const digits = values.get(object.name);
    if (digits === undefined) return [];
    const bytes = hexValue(digits, object.name, 'its value is not hex');
    // V8 makes a hidden class for each object that a spread adds to.
    return [Object.assign({}, object, {bytes})];
  });
  const masked = TRUNCATED_TRACKS.flatMap((name) => maskedTrack(name, values.get(name) ?? ''));
  if (sent.length === 0) throw withoutObjects(masked);
  const refusal = gtkRefusal(values, sent);
  const expiry = truncatedExpiry(values);
  return {
    form: `GTK, ${form}`,
    masked,
    ...(expiry === undefined ? {} : {clear: {expiry}}),
    ...(values.has('PP_ENCPAN') ? {mode: 'emv'} : {}),
    candidates: refusal ? [[]] : gtkCandidates(sent, objects, masked),
    agree: (_, each) => {
      for (const content of each) assertMaskedPans('card number', masked, content, new Evidence());
      assertProven(each);
    },
    ...(refusal ? {refusal} : {}),
  };
}

function gtkRefusal(values: ObjectValues, sent: readonly GtkObject[]): PaylensError | undefined {
  const method = values.get('SPE_MTHDDAT');
  if (values.has('PP_ENCKRAND') || /^9\d$/.test(method ?? ''))
    return new PaylensError(2111, 'a random key under the RSA key of the caller (PP_ENCKRAND)');
  const clear = sent.find((one) => isClearObject(one, method));
  if (clear) return new PaylensError(2110, `${clear.name} contains cleartext card data`);
  if (method === undefined || entryOf(ABECS_METHODS, method)) return undefined;
  return new PaylensError(2111, `SPE_MTHDDAT: expected ${Object.keys(ABECS_METHODS).join(', ')}`);
}

/** Without SPE_MTHDDAT, PIN pads send the tracks in cleartext. */
function isClearObject({holds, bytes}: GtkObject, method: string | undefined): boolean {
  if (holds === 1) return isClearTrack(latin1Of(bytes.subarray(0, 40)));
  const digits = upperHexOf(bytes);
  if (holds !== 'pan') return /^\d{12,19}D[\dD]+F*$/.test(digits);
  const isPan = method === undefined && /^\d{12,19}F*$/.test(digits);
  return isPan && hasCheckDigit(digits.replaceAll('F', ''));
}

function withoutObjects(copies: readonly MaskedPan[]): PaylensError {
  const isClear = copies.some(({pan}) => !pan.includes('*'));
  return isClear
    ? new PaylensError(2110, 'a card number in cleartext, and nothing encrypted')
    : new PaylensError(2100, 'expected PP_TRACK1, PP_TRACK2, PP_TRACK3 or PP_ENCPAN');
}

/** The expiry in a truncated track; those of both must be equal. Throws 2100. */
function truncatedExpiry(values: ObjectValues): string | undefined {
  const [first, other = first] = TRUNCATED_TRACKS.flatMap((name) => {
    const [, expiry] = /^(?:[^=^]*\^[^^]*\^|[^=^]*=)(\d{4})/.exec(values.get(name) ?? '') ?? [];
    return expiry === undefined ? [] : [expiry];
  });
  if (first === other) return first;
  throw new PaylensError(2100, 'PP_TRK1INC and PP_TRK2INC show two expiry dates');
}

/** Tried without SPE_MTHDDAT, most likely first. */
const USUAL_METHODS = ['51', '50', '30'] as const;

function gtkCandidates(
  sent: readonly GtkObject[],
  {values, offsetOf, ends}: Objects,
  copies: readonly MaskedPan[],
): EncryptedField[][] {
  const stated = values.get('SPE_MTHDDAT');
  const codes = stated === undefined ? USUAL_METHODS : [stated];
  const layouts = headLayouts(sent, values.get('SPE_OPNDIG'));
  const all = new Set(ENCRYPTED_OBJECTS.flatMap(({ksn}) => values.get(ksn) ?? []));
  // If an object has none of its own: that of the whole response, else the only one.
  const usualKsn = values.get('PP_KSN') ?? (all.size === 1 ? [...all][0] : undefined);
  const fieldsOf = ({setting, singleDes}: Method, heads: readonly Head[]) =>
    heads.map((head, i): EncryptedField => {
      const object = sent[i] as GtkObject;
      return {
        name: object.name,
        offset: offsetOf(object.name),
        ciphertext: object.bytes.subarray(head.length),
        ksn: values.get(object.ksn) ?? usualKsn,
        iv: setting.mode === 'cbc' ? values.get('SPE_IVCBC') : undefined,
        setting,
        workingModes: [setting.mode],
        singleDes: stated === undefined || singleDes,
        open: (plain) => openObject({ends, ...object}, head, plain, copies),
      };
    });
  return codes
    .flatMap((code) => entryOf(ABECS_METHODS, code) ?? [])
    .flatMap((method) => layouts.map((heads) => fieldsOf(method, heads)));
}

/** Bits of evidence of a digit: in text, and packed. */
const TEXT_DIGIT_BITS = 4.6;
const PACKED_DIGIT_BITS = 0.67;

function openObject(
  {name, holds, bytes, ends}: GtkObject & Pick<TrackOptions, 'ends'>,
  {length, digits, lacksLetter = false}: Head,
  plain: Uint8Array,
  copies: readonly MaskedPan[],
): CardContent {
  const evidence = new Evidence();
  const whole = concatBytes(bytes.subarray(0, length), plain);
  const content =
    holds === 'pan'
      ? openEncryptedPan(whole, evidence)
      : openObjectTrack(holds, whole, lacksLetter, {evidence, ends});
  const hidden = copies.map((copy) => hideOpenDigits(copy, digits));
  addMaskedPans(name, hidden, content, evidence);
  const known = digits * (holds === 1 ? TEXT_DIGIT_BITS : PACKED_DIGIT_BITS);
  if (known > 0) evidence.add('other', `${digits} digits in cleartext`, -known);
  return withEvidence(content, evidence);
}

function openObjectTrack(
  number: 1 | 2 | 3,
  plain: Uint8Array,
  lacksLetter: boolean,
  options: TrackOptions,
): CardContent {
  const text = lacksLetter ? concatBytes(bytesFromLatin1('%'), plain) : plain;
  const fill = number === 1 ? 'zero' : 'ff';
  const longest = number === 1 ? MAX_TRACK_1 : undefined;
  const track = readTrack(number, text, {fills: [fill], withoutLrc: true, longest, ...options});
  return trackContent(number, lacksLetter ? {...track, bytes: track.bytes.subarray(1)} : track);
}

/** A published track 1 has 77 characters between its sentinels, which are not sent. */
const MAX_TRACK_1 = 77;

function openEncryptedPan(plain: Uint8Array, evidence: Evidence): CardContent {
  const [, pan = '', fill = ''] = /^(\d{12,19})(F*)$/.exec(upperHexOf(plain)) ?? [];
  if (pan === '' || fill.length > 19)
    throw notCardData('PP_ENCPAN', 'not a card number, filled with F');
  const bits = pan.length * PACKED_DIGIT_BITS + fill.length * 4;
  evidence.add('grammar', 'digits of the card number', bits);
  return {pan};
}

const MAX_HEAD_DIGITS = 8;

/** Throws 2601 unless all fields together prove the key: the card number in two of them counts. */
function assertProven(each: readonly CardContent[]): void {
  const pans = each.flatMap((content) => placesOf(content).flatMap(({pan}) => pan ?? []));
  const hasOpenDigits = each.some(({facts = []}) => facts.some(({bits}) => bits < 0));
  if (hasOpenDigits) assertOneNumber(pans);
  const repeated = pans.filter((pan, i) => pans.indexOf(pan) < i);
  const bits = [
    ...each.map((content) => content.bits ?? 0),
    ...repeated.map((pan) => (pan.length - MAX_HEAD_DIGITS) * Math.log2(10)),
  ];
  if (bits.reduce((sum, one) => sum + one, 0) >= REQUIRED_BITS) return;
  const hint = 'Another track, or a truncated copy such as PP_TRK2INC, would prove it.';
  const detail = 'not enough evidence to distinguish card data from random bytes';
  throw new PaylensError(2601, detail, {hint});
}

/** Digits in cleartext may be changed in transit: another track or Luhn must agree. Throws 2601. */
function assertOneNumber(pans: readonly string[]): void {
  const [pan = '', ...others] = pans;
  const isSame = others.every((other) => other === pan);
  if (isSame && (others.length > 0 || hasCheckDigit(pan))) return;
  throw notCardData('card number', 'its digits in cleartext do not agree with the others');
}
