import {isHex, upperHexOf} from '../../platform/bytes.js';
import {bareBytes, bareInterpretations} from '../bare-ciphertext.js';
import type {InputFinding} from '../finding.js';
import {
  type Interpretation,
  isIntact,
  isReading,
  isRecognisedByLength,
  type Target,
} from '../interpretation.js';
import {looseTexts} from '../notations/loose-places.js';
import type {Place} from '../notations/notation.js';
import {type Form, textFormSteps} from '../notations/text-forms.js';
import {NOT_READ, type ReadOptions, readForm, type Understood} from '../read-form.js';
import {tagSlices} from '../slices.js';
import {inSteps, type Steps} from '../steps.js';
import {byteAnchors} from './byte-anchors.js';

/** Longer texts are not log lines. */
const MAX_LOG_LINE_CHARS = 16_384;

/** A search of all forms of a text. */
interface Search extends ReadOptions {
  /** The forms begin with a frame, so a payload in their bytes must begin there as well. */
  readonly isFrame: boolean;
  /** Texts that were read, of which other forms may contain copies. */
  readonly read: Set<string>;
}

/** Finds payloads anywhere in a form that a reader accepts completely. */
export function* anchoredInterpretations(form: Form, options: Search): Steps<Understood> {
  const {text} = form;
  const bytes = bareBytes(text);
  yield;
  const isText = !isHex(text) || /\S\s\S/.test(text);
  const texts = isText && text.length <= MAX_LOG_LINE_CHARS ? looseTexts(text) : [];
  const found: Understood[] = [];
  for (const one of texts) found.push(yield* readAnchor({...form, text: one}, options));
  const places = yield* byteAnchors(bytes ?? new Uint8Array());
  const anchors = places.filter(({from}) => !options.isFrame || from === 0);
  const inBytes = bytes ? yield* interpretationsAt(anchors, form, bytes, options) : [];
  // Lines of nothing but hex are fragments of one another, unless one is longer than all others
  // together.
  const runs = texts.filter((one) => !bytes || (isHex(one) && one.length > bytes.length));
  const inRuns = yield* inSteps(runs, (one) => runInterpretations({...form, text: one}, options));
  return {
    interpretations: [
      ...found.flatMap(({interpretations}) => interpretations),
      ...inBytes,
      ...inRuns,
    ],
    refusals: found.flatMap(({refusals}) => refusals),
  };
}

function* readAnchor(anchor: Form, options: Search): Steps<Understood> {
  if (options.read.has(anchor.text)) return NOT_READ;
  for (const form of yield* textFormSteps(anchor.text)) {
    if (options.read.has(form.text)) continue;
    options.read.add(form.text);
    const named = {...form, findings: [...anchor.findings, TEXT_AROUND, ...form.findings]};
    const {interpretations, refusals} = yield* readForm(named, options);
    const clear = refusals.filter(({error}) => error.code === 2110 || error.code === 2111);
    const taken = interpretations.filter(isTaken);
    if (taken.length + clear.length > 0) return {interpretations: taken, refusals: clear};
    const bytes = bareBytes(form.text);
    const anchors = bytes ? yield* byteAnchors(bytes) : [];
    const inside = bytes ? yield* interpretationsAt(anchors, named, bytes, options) : [];
    if (inside.length > 0) return {interpretations: inside, refusals: []};
  }
  return NOT_READ;
}

const TEXT_AROUND: InputFinding = {label: 'text-around'};

function* runInterpretations(
  {text, findings}: Form,
  options: ReadOptions,
): Steps<Interpretation[]> {
  const run = {text, findings: [...findings, TEXT_AROUND]};
  if (!bareBytes(text)) return [];
  const bare = yield* bareInterpretations(run, options, false);
  const {interpretations} = yield* readForm(run, options);
  const whole = interpretations.filter((one) => one.targets.length > 0 && isIntact(one));
  return [...bare, ...whole.filter(isRecognisedByLength)];
}

function* interpretationsAt(
  anchors: readonly Place[],
  form: Form,
  bytes: Uint8Array,
  options: ReadOptions,
): Steps<Interpretation[]> {
  const read = new Map<string, Interpretation[]>();
  const lists: Interpretation[] = [];
  // What the whole bytes have as a list is not inside other bytes.
  const known = new Set(tagSlices(bytes).map(ciphertextOf));
  for (const {from, to} of anchors) {
    const part = bytes.subarray(from, to);
    const detail = `The payload is bytes ${from} to ${to - 1} of ${bytes.length}.`;
    const findings = [...form.findings, {label: 'bytes-around', detail} as const];
    const {interpretations} = yield* readForm({text: upperHexOf(part), findings}, options);
    for (const interpretation of interpretations.filter(isTaken)) {
      const type = `${interpretation.reader?.type}`;
      read.set(type, [...(read.get(type) ?? []), interpretation]);
    }
    const targets = tagSlices(part);
    if (!targets.every((target) => known.has(ciphertextOf(target))))
      lists.push({kind: 'pieces', form: IN_BYTES, targets, findings});
  }
  const best = [...read.values()].flatMap((interpretations) =>
    interpretations.slice(0, MAX_RESULTS_PER_READER),
  );
  return [...best, ...lists.slice(0, MAX_TLV_LISTS)];
}

function ciphertextOf({ciphertext}: Target): string {
  return upperHexOf(ciphertext);
}

const IN_BYTES = 'TLV list inside other bytes';
/** Results per reader, longest first. */
const MAX_RESULTS_PER_READER = 3;
const MAX_TLV_LISTS = 3;

function isTaken(interpretation: Interpretation): boolean {
  return interpretation.targets.length > 0 && isReading(interpretation);
}
