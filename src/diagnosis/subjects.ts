import {DEVICE_TYPES, type DeviceType} from '../contract/device-types.js';
import {PaylensError} from '../contract/paylens-error.js';
import {bytesFromHex, bytesFromLatin1, isHex, isLatin1, upperHexOf} from '../engine/bytes.js';
import {DEVICES} from '../engine/devices/index.js';
import {isMagtek, readMagtek} from '../engine/devices/magtek/reader.js';
import type {Reading} from '../engine/reading.js';
import {Trace} from '../engine/trace.js';
import type {Finding} from './finding.js';
import {type Form, textForms} from './forms.js';
import {attempt} from './open-card.js';
import {repairedFrames} from './repair-frame.js';
import {lengthFieldSlices, tagSlices} from './slices.js';
import type {Subject, Target} from './subject.js';
import {textSubjects} from './text-subjects.js';

/** What a reader said of a payload that it does not take. */
export interface Refusal {
  readonly deviceType: DeviceType | 'magtek';
  readonly error: PaylensError;
  readonly findings: readonly Finding[];
  /** What the reader was given. */
  readonly text: string;
}

/** Everything that a text can be. */
export interface Understood {
  readonly subjects: readonly Subject[];
  readonly refusals: readonly Refusal[];
}

interface Options {
  readonly deviceType?: DeviceType | undefined;
  /** The text was given as bare ciphertext: a frame in it is a mistake. */
  readonly isCiphertext?: boolean;
  readonly name: string;
}

/** Every way to understand a text: each reader on each form of it, then as bare ciphertext. */
export function understand(given: string, options: Options): Understood {
  const subjects: Subject[] = [];
  const refusals: Refusal[] = [];
  const bare: Subject[] = [];
  for (const form of textForms(given)) {
    const types = options.deviceType ? [options.deviceType] : DEVICE_TYPES;
    let isRead = false;
    for (const type of types) {
      if (!options.deviceType && !tries(type, form.text)) continue;
      const outcome = readAs(type, form, options);
      subjects.push(...outcome.subjects);
      refusals.push(...outcome.refusals);
      isRead ||= outcome.subjects.some(({targets}) => targets.length > 0);
    }
    if (isMagtek(form.text)) subjects.push(...readAsMagtek(form));
    bare.push(...bareSubjects(form, options, isRead));
  }
  const order = isBareFirst(given, subjects) ? [...bare, ...subjects] : [...subjects, ...bare];
  const usable = order.filter(({targets}) => targets.length > 0);
  return {
    subjects: [...usable.filter(isIntact), ...usable.filter((one) => !isIntact(one))],
    refusals,
  };
}

/** A form in which nothing is damaged is more likely meant than one in which something is. */
function isIntact({findings}: Subject): boolean {
  return findings.every(({label}) => label !== 'frame-damaged');
}

/** The readings of ID TECH frames that lost or gained characters. */
export function repairedSubjects(given: string): Subject[] {
  return repairedFrames(given).flatMap(({text, label, detail}) => {
    const form: Form = {text, findings: [{label, detail}]};
    return readAs('idtech', form, {name: 'payload'}).subjects.filter(isIntact);
  });
}

/** Bare hex is taken as ciphertext first: the readers that would accept it go by its length alone. */
function isBareFirst(given: string, subjects: readonly Subject[]): boolean {
  if (!isHex(given.replaceAll(/\s/g, ''))) return false;
  return subjects.every(({form}) => LIKE_TRACKS.test(form));
}

function tries(type: DeviceType, payload: string): boolean {
  const {recognises} = DEVICES[type];
  return typeof recognises === 'boolean' ? recognises : recognises(payload);
}

function readAs(type: DeviceType, form: Form, options: Options): Understood {
  const trace = new Trace();
  try {
    const reading = DEVICES[type].read(form.text, trace);
    const damage = trace.damage();
    if (isRepair(form) && LIKE_TRACKS.test(reading.form)) return {subjects: [], refusals: []};
    const refused = damage ?? reading.refusal;
    const refusals = refused ? [refusal(type, refused, form)] : [];
    const findings = [...form.findings, ...frameFindings(damage, trace, options, reading)];
    const subjects = subjectsOf(reading, type, form.text, findings);
    return {subjects, refusals};
  } catch (error) {
    if (!(error instanceof PaylensError)) return {subjects: [], refusals: []};
    return {subjects: [], refusals: [refusal(type, trace.damage() ?? error, form)]};
  }
}

function refusal(deviceType: DeviceType, error: PaylensError, form: Form): Refusal {
  return {deviceType, error, findings: form.findings, text: form.text};
}

/** Bare ciphertext, told by its length alone. */
const LIKE_TRACKS = /^encrypted tracks/;

/** The text was made a frame by what was put in front of it or behind: it is no bare ciphertext. */
function isRepair({findings}: Form): boolean {
  return findings.some(({label}) => label === 'frame-lost-character');
}

function frameFindings(
  damage: PaylensError | undefined,
  trace: Trace,
  options: Options,
  {form}: Reading,
): Finding[] {
  const findings: Finding[] = [];
  if (damage) findings.push({label: 'frame-damaged', detail: damage.detail});
  else if (trace.checks.length > 0) findings.push({label: 'frame-intact'});
  const isFrame = !/^(?:encrypted tracks|hex)/i.test(form);
  if (options.isCiphertext && isFrame) findings.push({label: 'whole-frame', detail: form});
  return findings;
}

function subjectsOf(
  reading: Reading,
  deviceType: DeviceType | 'magtek',
  payload: string,
  findings: readonly Finding[],
): Subject[] {
  return reading.candidates.map((fields) => ({
    form: reading.form,
    deviceType,
    targets: fields.map(({name, ciphertext, ksn, iv, setting, open}) => ({
      name,
      ciphertext,
      ksn,
      iv,
      setting,
      open,
    })),
    findings,
    payload,
    ...(reading.agree ? {agree: reading.agree} : {}),
  }));
}

function readAsMagtek(form: Form): Subject[] {
  const reading = attempt(() => readMagtek(form.text, new Trace({recording: false})));
  return reading ? subjectsOf(reading, 'magtek', form.text, form.findings) : [];
}

/** The ciphertexts that a text holds when no reader is asked. */
function bareSubjects(given: Form, options: Options, isRead: boolean): Subject[] {
  const bytes = bareBytes(given.text);
  const spaced: Finding[] = /\S\s+\S/.test(given.text) ? [{label: 'white-space'}] : [];
  const form = {...given, findings: [...given.findings, ...spaced]};
  if (!bytes) return isRead ? [] : textSubjects(form);
  if (bytes.length < 8) return [];
  const {name} = options;
  const whole = sliceSubjects(form, name, bytes);
  const tags = tagSlices(bytes);
  const cut = tags.length > 0 ? tags : lengthFieldSlices(bytes);
  const findings: Finding[] = [
    ...form.findings,
    {label: options.isCiphertext && tags.length > 0 ? 'whole-frame' : 'wrong-slice', detail: CUT},
  ];
  return [
    ...whole,
    ...(cut.length > 0
      ? [{form: 'cut at its length fields', targets: cut, findings, isCut: true}]
      : []),
  ];
}

const CUT = 'The ciphertext is a field inside, found by its length field.';

function bareBytes(text: string): Uint8Array | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (isHex(compact)) {
    return bytesFromHex(compact) ?? bytesFromHex(compact.slice(0, -1));
  }
  const isBinary = isLatin1(text) && /[^\t\n\r\x20-\x7e]/.test(text);
  return isBinary ? bytesFromLatin1(text) : undefined;
}

/** The bytes as they are; where they are no whole blocks, without what may be too much. */
function sliceSubjects(form: Form, name: string, bytes: Uint8Array): Subject[] {
  const rest = bytes.length % 8;
  const isOdd =
    form.text.replaceAll(/\s/g, '').length % 2 === 1 && isHex(form.text.replaceAll(/\s/g, ''));
  const odd: Finding[] = isOdd ? [{label: 'odd-hex'}] : [];
  const one = (detail: string | undefined, target: Target): Subject => ({
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
    one(`${rest} bytes at its end are no part of it.`, {
      name,
      ciphertext: bytes.subarray(0, bytes.length - rest),
    }),
    one(`${rest} bytes in front are no part of it.`, {name, ciphertext: bytes.subarray(rest)}),
  ];
  if (bytes.length > 17 && (bytes.length - 10) % 8 === 0) {
    const before = bytes.subarray(0, bytes.length - 10);
    const ksn = upperHexOf(bytes.subarray(bytes.length - 10));
    subjects.unshift(one('The KSN stands behind it.', {name, ciphertext: before, ksn}));
    subjects.unshift(
      one('The KSN stands in front of it.', {
        name,
        ciphertext: bytes.subarray(10),
        ksn: upperHexOf(bytes.subarray(0, 10)),
      }),
    );
  }
  return [...subjects, ...(isOdd ? oddSubjects(form, name) : [])];
}

/** A field of fixed length is filled up behind its ciphertext (MagTek: 112 bytes of a track). */
function withoutFill(
  bytes: Uint8Array,
  name: string,
  one: (detail: string, target: Target) => Subject,
): Subject[] {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0 || bytes[end - 1] === 0xff)) end--;
  const whole = Math.ceil(end / 8) * 8;
  if (whole === 0 || whole === bytes.length) return [];
  const detail = `${bytes.length - whole} bytes of fill at its end are no part of it.`;
  return [one(detail, {name, ciphertext: bytes.subarray(0, whole)})];
}

/** An odd number of digits: the first digit, a 0, was lost, or one is too much in front. */
function oddSubjects(form: Form, name: string): Subject[] {
  const digits = form.text.replaceAll(/\s/g, '');
  const make = (hex: string, detail: string): Subject[] => {
    const ciphertext = bytesFromHex(hex) ?? new Uint8Array();
    if (ciphertext.length === 0 || ciphertext.length % 8 !== 0) return [];
    const findings = [...form.findings, {label: 'odd-hex', detail} as const];
    return [{form: 'bare ciphertext', targets: [{name, ciphertext}], findings}];
  };
  return [
    ...[...'0123456789ABCDEF'].flatMap((d) => make(d + digits, 'The first digit was lost.')),
    ...[...'0123456789ABCDEF'].flatMap((d) => make(digits + d, 'The last digit was lost.')),
    ...make(digits.slice(1), 'A digit stands in front that is no part of it.'),
    ...make(digits.slice(0, -1), 'A digit stands behind that is no part of it.'),
  ];
}
