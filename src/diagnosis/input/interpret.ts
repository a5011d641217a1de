import type {TerminalSet} from '../../engine/devices/terminal-set.js';
import {isHex} from '../../platform/bytes.js';
import {finish, inSteps, type Steps} from '../steps.js';
import {anchoredSubjects} from './anchors/anchored-payloads.js';
import {bareSubjects} from './bare-ciphertext.js';
import {isToldByLength, type Subject} from './interpretation.js';
import {isIntact, type ReadOptions, readAs, readForm, type Understood} from './read-form.js';
import {type Form, textFormSteps} from './text-encodings.js';

/**
 * Every interpretation of a text: by each reader on each form of it, then, if none accepts all of
 * it, on payloads inside it; then as bare ciphertext.
 */
export function understand(given: string, options: ReadOptions): Understood {
  return finish(understandSteps(given, options));
}

/** The same in steps. */
export function* understandSteps(given: string, options: ReadOptions): Steps<Understood> {
  const forms = yield* textFormSteps(given);
  const direct: Understood[] = [];
  for (const form of forms) direct.push(yield* readForm(form, options));
  const bare = yield* inSteps([...forms.entries()], ([i, form]) =>
    bareSubjects(form, options, direct[i]!.subjects.some(hasTargets)),
  );
  const whole = direct.flatMap(({subjects}) => subjects).filter(hasTargets);
  const damaged = whole.filter((one) => !isIntact(one));
  // Data inside a damaged frame may decrypt as well, but is not what was sent.
  const inside: Understood[] = [];
  for (const form of whole.some(isWhole) ? [] : forms)
    inside.push(yield* anchoredSubjects(form, options, damaged.length > 0));
  const found = [...whole.filter(isIntact), ...inside.flatMap(({subjects}) => subjects)];
  const readers = [...found.filter(hasCleanKsns), ...found.filter((one) => !hasCleanKsns(one))];
  const order = isBareFirst(given, readers) ? [...bare, ...readers] : [...readers, ...bare];
  return {
    subjects: [...order, ...damaged].filter(hasTargets),
    refusals: [...direct, ...inside].flatMap(({refusals}) => refusals),
  };
}

/**
 * True if a reader accepts the text from its first character to the last. Names alone prove little: a
 * line of a log has a `data` as well, whose value is the payload. With a KSN they are taken for whole.
 */
function isWhole(subject: Subject): boolean {
  if (!isIntact(subject) || isToldByLength(subject) || !hasCleanKsns(subject)) return false;
  return subject.toldBy !== 'members' || subject.targets.some(({ksn}) => ksn !== undefined);
}

/** False if what follows a payload, such as the end of a JSON object, was read into its KSN. */
function hasCleanKsns({targets}: Subject): boolean {
  return targets.every(({ksn = ''}) => !/["'`<>[\](){}]/.test(ksn));
}

function hasTargets({targets}: Subject): boolean {
  return targets.length > 0;
}

/** Readings of frames that lost or gained characters, after repair. */
export function repairedSubjects(given: string, terminals: TerminalSet): Subject[] {
  return terminals.all.flatMap((reader) =>
    (reader.framing?.repairs?.(given) ?? []).flatMap(({text, change, detail}) => {
      const form: Form = {text, findings: [{label: REPAIR_LABELS[change], detail}]};
      return readAs(reader, form, {name: 'payload'}).subjects.filter(isIntact);
    }),
  );
}

const REPAIR_LABELS = {lost: 'frame-lost-character', added: 'frame-added-character'} as const;

/** Bare hex is tried as ciphertext first if the readers that accept it go only by its length. */
function isBareFirst(given: string, subjects: readonly Subject[]): boolean {
  if (!isHex(given.replaceAll(/\s/g, ''))) return false;
  return subjects.every(isToldByLength);
}
