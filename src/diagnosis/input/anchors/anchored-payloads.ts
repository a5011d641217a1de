import {isHex, upperHexOf} from '../../../platform/bytes.js';
import type {Finding} from '../../finding.js';
import {inSteps, type Steps} from '../../steps.js';
import {bareBytes, bareSubjects} from '../bare-ciphertext.js';
import {isToldByLength, type Subject} from '../interpretation.js';
import {isIntact, type ReadOptions, readForm, type Understood} from '../read-form.js';
import {tagSlices} from '../slices.js';
import {type Form, textFormSteps} from '../text-encodings.js';
import {type ByteAnchor, byteAnchors} from './byte-anchors.js';
import {textAnchors} from './text-anchors.js';

/** Longer texts are not log lines. */
const LONGEST_TEXT = 16_384;

/**
 * Finds payloads anywhere in a form that a reader accepts completely. `isFrame`: the form begins
 * with a frame, so a payload in its bytes must begin there as well.
 */
export function* anchoredSubjects(
  form: Form,
  options: ReadOptions,
  isFrame: boolean,
): Steps<Understood> {
  const {text} = form;
  const bytes = bareBytes(text);
  const isText = !isHex(text) || /\S\s\S/.test(text);
  const texts = isText && text.length <= LONGEST_TEXT ? textAnchors(text) : [];
  const found: Understood[] = [];
  for (const one of texts) found.push(yield* readAnchor({...form, text: one}, options));
  const places = yield* byteAnchors(bytes ?? new Uint8Array());
  const anchors = places.filter(({from}) => !isFrame || from === 0);
  const inBytes = bytes ? yield* subjectsAt(anchors, form, bytes, options) : [];
  // Lines of nothing but hex are fragments of one another, unless one is longer than all others
  // together.
  const runs = texts.filter((one) => !bytes || (isHex(one) && one.length > bytes.length));
  const inRuns = yield* inSteps(runs, (one) => runSubjects({...form, text: one}, options));
  return {
    subjects: [...found.flatMap(({subjects}) => subjects), ...inBytes, ...inRuns],
    refusals: found.flatMap(({refusals}) => refusals),
  };
}

function* readAnchor(anchor: Form, options: ReadOptions): Steps<Understood> {
  for (const form of yield* textFormSteps(anchor.text)) {
    const named = {...form, findings: [...anchor.findings, AROUND, ...form.findings]};
    const {subjects, refusals} = yield* readForm(named, options);
    const clear = refusals.filter(({error}) => error.code === 2110 || error.code === 2111);
    const taken = subjects.filter(isTaken);
    if (taken.length + clear.length > 0) return {subjects: taken, refusals: clear};
    const bytes = bareBytes(form.text);
    const anchors = bytes ? yield* byteAnchors(bytes) : [];
    const inside = bytes ? yield* subjectsAt(anchors, named, bytes, options) : [];
    if (inside.length > 0) return {subjects: inside, refusals: []};
  }
  return {subjects: [], refusals: []};
}

const AROUND: Finding = {label: 'text-around'};

function* runSubjects({text, findings}: Form, options: ReadOptions): Steps<Subject[]> {
  const run = {text, findings: [...findings, AROUND]};
  return bareBytes(text) ? yield* bareSubjects(run, options, false) : [];
}

function* subjectsAt(
  anchors: readonly ByteAnchor[],
  form: Form,
  bytes: Uint8Array,
  options: ReadOptions,
): Steps<Subject[]> {
  const read = new Map<string, Subject[]>();
  const lists: Subject[] = [];
  for (const {from, to} of anchors) {
    const part = bytes.subarray(from, to);
    const detail = `The payload is bytes ${from} to ${to - 1} of ${bytes.length}.`;
    const findings = [...form.findings, {label: 'bytes-around', detail} as const];
    const {subjects} = yield* readForm({text: upperHexOf(part), findings}, options);
    for (const subject of subjects.filter(isTaken)) {
      const type = `${subject.reader?.type}`;
      read.set(type, [...(read.get(type) ?? []), subject]);
    }
    const targets = tagSlices(part);
    if (targets.length > 0) lists.push({kind: 'pieces', form: IN_BYTES, targets, findings});
  }
  const best = [...read.values()].flatMap((subjects) => subjects.slice(0, MOST_READ));
  return [...best, ...lists.slice(0, MOST_LISTS)];
}

const IN_BYTES = 'TLV list inside other bytes';
/** Results per reader, longest first. */
const MOST_READ = 3;
const MOST_LISTS = 3;

function isTaken(subject: Subject): boolean {
  return subject.targets.length > 0 && isIntact(subject) && !isToldByLength(subject);
}
