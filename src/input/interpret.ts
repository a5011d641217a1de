import {KNOWN_TERMINALS} from '../engine/families/registry.js';
import type {TerminalSet} from '../engine/families/terminal-set.js';
import {MAX_PAYLOAD_CHARACTERS} from '../engine/read-payload.js';
import {typesNamed} from '../engine/recognise.js';
import {isHex} from '../platform/bytes.js';
import {anchoredInterpretations} from './anchors/anchored-payloads.js';
import {bareInterpretations} from './bare-ciphertext.js';
import {MAX_DIAGNOSED_CHARS} from './case.js';
import {type Interpretation, isIntact, isReading, isRecognisedByLength} from './interpretation.js';
import {type Form, textFormSteps} from './notations/text-forms.js';
import {type ReadOptions, readAs, readForm, type Senders, type Understood} from './read-form.js';
import {finish, inSteps, type Steps} from './steps.js';

/**
 * Every interpretation of a text: by each reader on each form of it, then, if none accepts all of
 * it, on payloads inside it; then as bare ciphertext.
 */
export function* understandSteps(given: string, options: ReadOptions): Steps<Understood> {
  const forms = yield* textFormSteps(given);
  const direct: Understood[] = [];
  for (const form of forms) direct.push(yield* readForm(form, options));
  const readAsGiven = direct.flatMap(({interpretations}) => interpretations).filter(isIntact);
  if (options.deviceType !== undefined && readAsGiven.every(isRecognisedByLength))
    for (const [i, form] of forms.entries()) {
      const others = yield* asOtherTypes(form, options);
      const {interpretations, refusals} = direct[i]!;
      direct[i] = {interpretations: [...interpretations, ...others], refusals};
    }
  const bare = yield* inSteps([...forms.entries()], ([i, form]) =>
    bareInterpretations(form, options, direct[i]!.interpretations.some(hasTargets)),
  );
  const whole = direct.flatMap(({interpretations}) => interpretations).filter(hasTargets);
  const damaged = whole.filter((one) => !isIntact(one));
  // Data inside a damaged frame may decrypt as well, but is not what was sent.
  const inside: Understood[] = [];
  const search = {...options, isFrame: damaged.length > 0, read: new Set<string>()};
  for (const form of whole.some(isReadWhole) ? [] : forms)
    inside.push(yield* anchoredInterpretations(form, search));
  const found = [
    ...whole.filter(isIntact),
    ...inside.flatMap(({interpretations}) => interpretations),
  ];
  const readers = [...found.filter(hasCleanKsns), ...found.filter((one) => !hasCleanKsns(one))];
  yield;
  // Bare hex is tried as ciphertext first if the readers that accept it go only by its length.
  const isBareFirst = isHex(given.replaceAll(/\s/g, '')) && readers.every(isRecognisedByLength);
  const order = isBareFirst ? [...bare, ...readers] : [...readers, ...bare];
  return {
    interpretations: [...order, ...damaged].filter(hasTargets),
    refusals: [...direct, ...inside].flatMap(({refusals}) => refusals),
  };
}

/** Readings by the terminals that were not named. */
function* asOtherTypes(
  form: Form,
  {deviceType, terminals = KNOWN_TERMINALS, ...options}: ReadOptions,
): Steps<Interpretation[]> {
  const {interpretations} = yield* readForm(form, {...options, terminals});
  return interpretations.filter(isIntact).map((one) => {
    const types = typesNamed(one.reader?.type ?? '', terminals);
    return {...one, findings: [ofOtherType(types, deviceType), ...one.findings]};
  });
}

/** That a payload is of one of these types, not of the one that was given. */
export function ofOtherType(types: readonly string[], given: string | undefined) {
  return {label: 'wrong-type', detail: `It is of ${types.join(' or ')}, not ${given}.`} as const;
}

/**
 * True if a reader accepts the text from its first character to the last. Names alone prove little: a
 * line of a log has a `data` as well, whose value is the payload. With a KSN they are taken for whole.
 */
function isReadWhole(interpretation: Interpretation): boolean {
  const {recognisedBy, targets} = interpretation;
  if (!isReading(interpretation) || !hasCleanKsns(interpretation)) return false;
  return recognisedBy !== 'members' || targets.some(({ksn}) => ksn !== undefined);
}

/** False if text after a payload, such as the end of a JSON object, was read as part of its KSN. */
function hasCleanKsns({targets}: Interpretation): boolean {
  return targets.every(({ksn = ''}) => !/["'`<>[\](){}]/.test(ksn));
}

function hasTargets({targets}: Interpretation): boolean {
  return targets.length > 0;
}

/** Whether the diagnosis reads a text itself, and names what was done to it, so that no paste is undone. */
export function isReadByDiagnosis(text: string, senders: Senders): boolean {
  if (text.length > MAX_DIAGNOSED_CHARS) return false;
  const {interpretations} = finish(understandSteps(text, {...senders, name: 'payload'}));
  return interpretations.some((one) => one.kind === 'reading' && isIntact(one));
}

/** Readings of frames that lost or gained characters, after repair. */
export function repairedInterpretations(given: string, terminals: TerminalSet): Interpretation[] {
  if (given.length > MAX_PAYLOAD_CHARACTERS) return [];
  return terminals.all.flatMap((reader) =>
    (reader.framing?.repairs?.(given) ?? []).flatMap(({text, change, detail}) => {
      const form: Form = {text, findings: [{label: REPAIR_LABELS[change], detail}]};
      return readAs(reader, form, {name: 'payload'}).interpretations.filter(isIntact);
    }),
  );
}

const REPAIR_LABELS = {lost: 'frame-lost-character', added: 'frame-added-character'} as const;
