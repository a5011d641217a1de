import {bytesFromHex, bytesFromLatin1, isHex, isLatin1, upperHexOf} from '../../platform/bytes.js';
import type {Finding} from '../finding.js';
import type {Steps} from '../steps.js';
import {textSubjects} from './ciphertext-in-text.js';
import type {Subject, Target} from './interpretation.js';
import type {ReadOptions} from './read-form.js';
import {lengthFieldSlices, tagSlices} from './slices.js';
import type {Form} from './text-encodings.js';

/** Finds the ciphertexts in a text without using any reader. */
export function* bareSubjects(
  given: Form,
  options: ReadOptions,
  isRead: boolean,
): Steps<Subject[]> {
  const bytes = bareBytes(given.text);
  const spaced: Finding[] = /\S\s+\S/.test(given.text) ? [{label: 'white-space'}] : [];
  const form = {...given, findings: [...given.findings, ...spaced]};
  if (!bytes) return isRead ? [] : textSubjects(form);
  if (bytes.length < 8) return [];
  const {name} = options;
  const whole = sliceSubjects(form, name, bytes);
  const tags = tagSlices(bytes);
  const cut = tags.length > 0 ? tags : yield* lengthFieldSlices(bytes);
  const findings: Finding[] = [
    ...form.findings,
    {label: options.isCiphertext && tags.length > 0 ? 'whole-frame' : 'wrong-slice', detail: CUT},
  ];
  return [
    ...whole,
    ...(cut.length > 0
      ? [{kind: 'pieces' as const, form: 'cut at its length fields', targets: cut, findings}]
      : []),
  ];
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
function sliceSubjects(form: Form, name: string, bytes: Uint8Array): Subject[] {
  const rest = bytes.length % 8;
  const isOdd =
    form.text.replaceAll(/\s/g, '').length % 2 === 1 && isHex(form.text.replaceAll(/\s/g, ''));
  const odd: Finding[] = isOdd ? [{label: 'odd-hex'}] : [];
  const one = (detail: string | undefined, target: Target): Subject => ({
    kind: 'bare',
    form: 'bare ciphertext',
    targets: [target],
    findings: [
      ...form.findings,
      ...odd,
      ...(detail === undefined ? [] : [{label: 'wrong-slice', detail} as const]),
    ],
  });
  if (rest === 0) {
    const subjects = [one(undefined, {name, ciphertext: bytes}), ...withoutFill(bytes, name, one)];
    return isOdd ? [...subjects, ...oddSubjects(form, name)] : subjects;
  }
  const subjects = [
    one(`${rest} bytes at its end do not belong to it.`, {
      name,
      ciphertext: bytes.subarray(0, bytes.length - rest),
      uncut: bytes,
    }),
    one(`${rest} bytes before it do not belong to it.`, {name, ciphertext: bytes.subarray(rest)}),
  ];
  if (bytes.length > 17 && (bytes.length - 10) % 8 === 0) {
    const before = bytes.subarray(0, bytes.length - 10);
    const ksn = upperHexOf(bytes.subarray(bytes.length - 10));
    subjects.unshift(one('The KSN follows it.', {name, ciphertext: before, uncut: bytes, ksn}));
    subjects.unshift(
      one('The KSN precedes it.', {
        name,
        ciphertext: bytes.subarray(10),
        ksn: upperHexOf(bytes.subarray(0, 10)),
      }),
    );
  }
  return [...subjects, ...(isOdd ? oddSubjects(form, name) : [])];
}

/** A field of fixed length is padded after its ciphertext (MagTek: 112 bytes for a track). */
function withoutFill(
  bytes: Uint8Array,
  name: string,
  one: (detail: string, target: Target) => Subject,
): Subject[] {
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
function oddSubjects(form: Form, name: string): Subject[] {
  const digits = form.text.replaceAll(/\s/g, '');
  const make = (hex: string, detail: string): Subject[] => {
    const ciphertext = bytesFromHex(hex) ?? new Uint8Array();
    if (ciphertext.length === 0 || ciphertext.length % 8 !== 0) return [];
    const findings = [...form.findings, {label: 'odd-hex', detail} as const];
    return [{kind: 'bare', form: 'bare ciphertext', targets: [{name, ciphertext}], findings}];
  };
  return [
    ...[...'0123456789ABCDEF'].flatMap((d) => make(d + digits, 'The first digit was lost.')),
    ...[...'0123456789ABCDEF'].flatMap((d) => make(digits + d, 'The last digit was lost.')),
    ...make(digits.slice(1), 'An extra digit precedes it.'),
    ...make(digits.slice(0, -1), 'An extra digit follows it.'),
  ];
}
