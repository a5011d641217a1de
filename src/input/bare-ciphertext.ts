import {MAX_PAYLOAD_CHARACTERS} from '../engine/read-payload.js';
import {bytesFromHex, bytesFromLatin1, isHex, isLatin1, upperHexOf} from '../platform/bytes.js';
import {interpretationsInText} from './ciphertext-in-text.js';
import type {InputFinding} from './finding.js';
import type {Interpretation, Target} from './interpretation.js';
import type {Form} from './notations/text-forms.js';
import type {ReadOptions} from './read-form.js';
import {lengthFieldSlices, tagSlices} from './slices.js';
import type {Steps} from './steps.js';

/** Finds the ciphertexts in a text without using any reader. */
export function* bareInterpretations(
  given: Form,
  options: ReadOptions,
  isRead: boolean,
): Steps<Interpretation[]> {
  const bytes = bareBytes(given.text);
  yield;
  if (!bytes) return isRead ? [] : interpretationsInText(given);
  const spaced: InputFinding[] = /\S\s+\S/.test(given.text) ? [{label: 'white-space'}] : [];
  const form = {...given, findings: [...given.findings, ...spaced]};
  if (bytes.length < 8) return [];
  const {name} = options;
  const whole = sliceInterpretations(form, name, bytes);
  const tags = tagSlices(bytes);
  const cut = tags.length > 0 ? tags : yield* lengthFieldSlices(bytes);
  if (cut.length === 0) return whole;
  const label = options.isCiphertext && tags.length > 0 ? 'whole-frame' : 'wrong-slice';
  const findings: InputFinding[] = [...form.findings, {label, detail: CUT}];
  return [...whole, {kind: 'pieces', form: 'cut at its length fields', targets: cut, findings}];
}

const CUT = 'The ciphertext is a field inside the data, found by its length field.';

/** The bytes of a text in hex, without an extra digit, or of a binary dump. */
export function bareBytes(text: string): Uint8Array | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (isHex(compact)) {
    return bytesFromHex(compact) ?? bytesFromHex(compact.slice(0, -1));
  }
  const isBinary = isLatin1(text) && /[^\t\n\r\x20-\x7e]/.test(text);
  return isBinary ? bytesFromLatin1(text) : undefined;
}

/** The bytes as they are; if they are not whole blocks, without possible extra bytes. */
function sliceInterpretations(form: Form, name: string, bytes: Uint8Array): Interpretation[] {
  const digits = form.text.replaceAll(/\s/g, '');
  const isOdd = digits.length % 2 === 1 && digits.length < MAX_PAYLOAD_CHARACTERS && isHex(digits);
  const odd: InputFinding[] = isOdd ? [{label: 'odd-hex'}] : [];
  const findings = [...form.findings, ...odd];
  const one = (detail: string | undefined, target: Target): Interpretation =>
    bareCiphertext(
      target,
      detail === undefined ? findings : [...findings, {label: 'wrong-slice', detail}],
    );
  const slices =
    bytes.length % 8 === 0
      ? [one(undefined, {name, ciphertext: bytes}), ...withoutFill(bytes, name, one)]
      : blocksOf(bytes, name).map(([detail, target]) => one(detail, target));
  return [...slices, ...(isOdd ? oddInterpretations(form, name) : [])];
}

/** One ciphertext as an interpretation. */
export function bareCiphertext(target: Target, findings: readonly InputFinding[]): Interpretation {
  return {kind: 'bare', form: 'bare ciphertext', targets: [target], findings};
}

/** The whole blocks of bytes, before or after what does not belong to them, such as a KSN. */
function blocksOf(bytes: Uint8Array, name: string): [detail: string, target: Target][] {
  const {length} = bytes;
  const rest = length % 8;
  const [last, first] = [length - KSN_BYTES, KSN_BYTES];
  const before = {name, ciphertext: bytes.subarray(0, last), uncut: bytes};
  const after = {name, ciphertext: bytes.subarray(first)};
  const withKsn: [string, Target][] = [
    ['The KSN precedes it.', {...after, ksn: upperHexOf(bytes.subarray(0, first))}],
    ['The KSN follows it.', {...before, ksn: upperHexOf(bytes.subarray(last))}],
  ];
  const whole = {name, ciphertext: bytes.subarray(0, length - rest), uncut: bytes};
  return [
    ...(length > 17 && last % 8 === 0 ? withKsn : []),
    [`${rest} bytes at its end do not belong to it.`, whole],
    [`${rest} bytes before it do not belong to it.`, {name, ciphertext: bytes.subarray(rest)}],
  ];
}

/** Length of a KSN of TDES DUKPT. */
const KSN_BYTES = 10;

/** A field of fixed length is padded after its ciphertext (MagTek: 112 bytes for a track). */
function withoutFill(
  bytes: Uint8Array,
  name: string,
  one: (detail: string, target: Target) => Interpretation,
): Interpretation[] {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0 || bytes[end - 1] === 0xff)) end--;
  const whole = Math.ceil(end / 8) * 8;
  if (whole === 0 || whole === bytes.length) return [];
  const detail = `${bytes.length - whole} bytes of padding at its end do not belong to it.`;
  return [one(detail, {name, ciphertext: bytes.subarray(0, whole)})];
}

/**
 * An odd number of digits: the first digit, a 0, was lost, or there is an extra one at the
 * beginning.
 */
function oddInterpretations(form: Form, name: string): Interpretation[] {
  const digits = form.text.replaceAll(/\s/g, '');
  const make = (hex: string, detail: string): Interpretation[] => {
    const ciphertext = hex.length % 16 === 0 ? bytesFromHex(hex) : undefined;
    if (!ciphertext || ciphertext.length === 0) return [];
    return [bareCiphertext({name, ciphertext}, [...form.findings, {label: 'odd-hex', detail}])];
  };
  return [
    ...[...HEX_DIGITS].flatMap((digit) => make(digit + digits, 'The first digit was lost.')),
    ...[...HEX_DIGITS].flatMap((digit) => make(digits + digit, 'The last digit was lost.')),
    ...make(digits.slice(1), 'An extra digit precedes it.'),
    ...make(digits.slice(0, -1), 'An extra digit follows it.'),
  ];
}

/** Every hex digit, in upper case. */
export const HEX_DIGITS = '0123456789ABCDEF';
