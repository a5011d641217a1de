import {defined} from '../contract/defined.js';
import {PaylensError, rethrowTerminalFault} from '../contract/paylens-error.js';
import {KNOWN_TERMINALS} from '../engine/families/registry.js';
import {type PayloadForm, tries} from '../engine/families/terminal.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {MAX_PAYLOAD_CHARACTERS, readAlone} from '../engine/read-payload.js';
import type {Reading} from '../engine/reading.js';
import {Trace} from '../engine/trace.js';
import {isHex} from '../platform/bytes.js';
import type {InputFinding} from './finding.js';
import {type Interpretation, isRecognisedByLength} from './interpretation.js';
import type {Form} from './notations/text-forms.js';
import {inSteps, type Steps} from './steps.js';

/** The error of a reader that rejects a payload. */
export interface Refusal {
  readonly reader: PayloadForm;
  readonly error: PaylensError;
  readonly findings: readonly InputFinding[];
  /** Input of the reader. */
  readonly text: string;
}

/** All interpretations of a text. */
export interface Understood {
  readonly interpretations: readonly Interpretation[];
  readonly refusals: readonly Refusal[];
}

/** Who may have sent a text. */
export interface Senders {
  readonly deviceType?: string | undefined;
  /** Default: the terminals of paylens. */
  readonly terminals?: TerminalSet | undefined;
}

export interface ReadOptions extends Senders {
  /** The text was given as bare ciphertext: a frame in it is a mistake. */
  readonly isCiphertext?: boolean;
  readonly name: string;
}

/**
 * The results of every reader that may recognise a text, or of the one that was named, one a step;
 * none of a text that is longer than a payload may be.
 */
export function* readForm(form: Form, options: ReadOptions): Steps<Understood> {
  const {deviceType, terminals = KNOWN_TERMINALS} = options;
  if (form.text.length > MAX_PAYLOAD_CHARACTERS) return NOT_READ;
  const readers =
    deviceType === undefined
      ? terminals.preferred(
          yield* inSteps(terminals.all, (one) => (tries(one, form.text) ? [one] : [])),
          form.text,
        )
      : terminals.all.filter(({type}) => type === deviceType);
  const outcomes = yield* inSteps(readers, (reader) => [readAs(reader, form, options)]);
  const bare = isHex(form.text) ? terminals.all.filter(({readsBare}) => readsBare) : [];
  const unnamed = bare.filter((reader) => !readers.includes(reader) && deviceType === undefined);
  const others = yield* inSteps(unnamed, (reader) => [readAs(reader, form, options)]);
  return {
    // The refusals of the others say nothing: the hex may be anything.
    interpretations: [...outcomes, ...others].flatMap(({interpretations}) => interpretations),
    refusals: outcomes.flatMap(({refusals}) => refusals),
  };
}

/** Of a text that means nothing. */
export const NOT_READ: Understood = {interpretations: [], refusals: []};

/** Result of one reader. */
export function readAs(reader: PayloadForm, form: Form, options: ReadOptions): Understood {
  const trace = new Trace({recording: false, checking: true});
  try {
    const reading = readAlone(reader, form.text, trace, options.terminals ?? KNOWN_TERMINALS);
    const damage = trace.damage();
    // Characters were only added at its start or end: it is not bare ciphertext.
    const isRepair = form.findings.some(({label}) => label === 'frame-lost-character');
    if (isRepair && isRecognisedByLength(reading)) return NOT_READ;
    const refused = damage ?? reading.refusal;
    const refusals = refused ? [readerRefusal(reader, refused, form)] : [];
    const findings = [...form.findings, ...frameFindings(damage, trace, options, reading)];
    return {interpretations: interpretationsOf(reading, reader, form.text, findings), refusals};
  } catch (error) {
    rethrowTerminalFault(error);
    if (!(error instanceof PaylensError)) return NOT_READ;
    return {interpretations: [], refusals: [readerRefusal(reader, trace.damage() ?? error, form)]};
  }
}

function readerRefusal(reader: PayloadForm, error: PaylensError, form: Form): Refusal {
  return {reader, error, findings: form.findings, text: form.text};
}

function frameFindings(
  damage: PaylensError | undefined,
  trace: Trace,
  options: ReadOptions,
  reading: Reading,
): InputFinding[] {
  const findings: InputFinding[] = [];
  if (damage) findings.push({label: 'frame-damaged', detail: damage.detail});
  else if (trace.checks.length > 0 && trace.checks.every(({ok}) => ok))
    findings.push({label: 'frame-intact'});
  if (options.isCiphertext && !isRecognisedByLength(reading)) {
    findings.push({label: 'whole-frame', detail: reading.form});
  }
  return findings;
}

function interpretationsOf(
  reading: Reading,
  reader: PayloadForm,
  payload: string,
  findings: readonly InputFinding[],
): Interpretation[] {
  const {form, recognisedBy, agree, oneBlock} = reading;
  return reading.candidates.map((targets) => ({
    ...{kind: 'reading', form, reader, recognisedBy, targets, findings, payload},
    ...defined({agree, oneBlock}),
  }));
}
