import type {InputFinding} from '../finding.js';
import type {Steps} from '../steps.js';
import {listText} from './byte-list.js';
import {type Notation, payloadsOf} from './notation.js';
import {NOTATIONS} from './table.js';

/** A text as it may have been intended, and the changes that were undone. */
export interface Form {
  readonly text: string;
  readonly findings: readonly InputFinding[];
}

const MAX_FORMS = 24;
const MAX_FINDINGS = 3;
/** Labels of notations that programs apply twice. */
const MAY_REPEAT: ReadonlySet<string> = new Set(['base64', 'hex-of-hex']);
/** A payload of 8 Ki characters, each escaped in up to 8. What is longer is a log, not one value. */
const MAX_TEXT_CHARS = 65_536;

/**
 * The possible originals of `given`, with any notation undone, one after the other, and any damage of
 * copying, logging or typing. As given first; a text that is too long for one payload only as given. One notation a step.
 */
export function* textFormSteps(given: string): Steps<Form[]> {
  const asGiven: Form = {text: given, findings: []};
  if (given.length > MAX_TEXT_CHARS) return [asGiven];
  const found = new Map([[given, asGiven]]);
  for (const form of found.values()) {
    if (found.size >= MAX_FORMS || form.findings.length > MAX_FINDINGS) break;
    for (const next of yield* nextForms(form)) {
      if (next.text !== '' && !found.has(next.text)) found.set(next.text, next);
    }
  }
  return [...found.values()];
}

function* nextForms({text, findings}: Form): Steps<Form[]> {
  const done = new Set(findings.map(({label}) => label));
  const forms: Form[] = [];
  for (const notation of NOTATIONS) {
    yield;
    const {label} = notation.finding;
    if (done.has(label) && !MAY_REPEAT.has(label)) continue;
    for (const {text: next, finding} of guesses(notation, text)) {
      if (next !== text) forms.push({text: next, findings: [...findings, finding]});
    }
  }
  return forms;
}

function guesses(notation: Notation, text: string): {text: string; finding: InputFinding}[] {
  const {finding, guess = exactly(notation)} = notation;
  const found = guess(text) ?? [];
  if (typeof found === 'string') return [{text: found, finding}];
  return found.map(({text: next, detail}) => ({text: next, finding: {...finding, detail}}));
}

/** The guess of a notation that has no looser one. */
function exactly({undo, decode}: Notation): (text: string) => string | undefined {
  if (undo) return undo;
  return (text) => {
    const bytes = decode?.(text, listText(text)).find((one) => one !== undefined);
    return bytes && payloadsOf(bytes)[0];
  };
}
