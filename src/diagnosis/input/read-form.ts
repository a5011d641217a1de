import {PaylensError} from '../../contract/paylens-error.js';
import {isMagtek, readMagtek} from '../../engine/devices/magtek/reader.js';
import {TERMINAL_TYPES, TERMINALS, type TerminalType} from '../../engine/devices/registry.js';
import type {Reading} from '../../engine/reading.js';
import {Trace} from '../../engine/trace.js';
import {attempt} from '../attempt.js';
import type {Finding} from '../finding.js';
import {isToldByLength, type Subject} from './interpretation.js';
import type {Form} from './text-encodings.js';

/** What a reader said of a payload that it does not take. */
export interface Refusal {
  readonly deviceType: TerminalType | 'magtek';
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

export interface ReadOptions {
  readonly deviceType?: TerminalType | undefined;
  /** The text was given as bare ciphertext: a frame in it is a mistake. */
  readonly isCiphertext?: boolean;
  readonly name: string;
}

/** What every reader that may know a form makes of it, or the one that was named. */
export function readForm(form: Form, options: ReadOptions): Understood {
  const {deviceType} = options;
  const types = deviceType ? [deviceType] : TERMINAL_TYPES.filter((type) => tries(type, form.text));
  const outcomes = types.map((type) => readAs(type, form, options));
  const magtek = isMagtek(form.text) ? readAsMagtek(form) : [];
  return {
    subjects: [...outcomes.flatMap(({subjects}) => subjects), ...magtek],
    refusals: outcomes.flatMap(({refusals}) => refusals),
  };
}

/** A form in which nothing is damaged is more likely meant than one in which something is. */
export function isIntact({findings}: Subject): boolean {
  return findings.every(({label}) => label !== 'frame-damaged');
}

function tries(type: TerminalType, payload: string): boolean {
  const {recognises} = TERMINALS[type];
  return typeof recognises === 'boolean' ? recognises : recognises(payload);
}

/** What one reader makes of a form. */
export function readAs(type: TerminalType, form: Form, options: ReadOptions): Understood {
  const trace = new Trace();
  try {
    const reading = TERMINALS[type].read(form.text, trace);
    const damage = trace.damage();
    if (isRepair(form) && isToldByLength(reading)) return {subjects: [], refusals: []};
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

function refusal(deviceType: TerminalType, error: PaylensError, form: Form): Refusal {
  return {deviceType, error, findings: form.findings, text: form.text};
}

/** The text was made a frame by what was put in front of it or behind: it is no bare ciphertext. */
function isRepair({findings}: Form): boolean {
  return findings.some(({label}) => label === 'frame-lost-character');
}

function frameFindings(
  damage: PaylensError | undefined,
  trace: Trace,
  options: ReadOptions,
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
  deviceType: TerminalType | 'magtek',
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
