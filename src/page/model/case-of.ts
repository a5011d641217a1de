import {parseJsonObject} from '../../contract/parse-json.js';
import {isBinary} from '../../engine/decode-input.js';
import type {TerminalType} from '../../engine/families/registry.js';
import {isCase} from '../../input/case.js';
import {isReadByDiagnosis} from '../../input/interpret.js';
import {mayBePaste} from '../../input/paste/judge.js';
import {readPaste} from '../../input/paste/read-paste.js';
import type {RequestFields} from './read-input.js';

/** The settings for the text to diagnose. */
export interface DiagnosisSettings extends RequestFields {
  readonly terminal: TerminalType | undefined;
  readonly keys: readonly string[];
}

/** The case that a text and the settings give together, in JSON. Throws 2004, and 2100 as `readPaste`. */
export function caseOf(text: string, {terminal, ksn, iv, keys}: DiagnosisSettings): string {
  const own = isCase(text) ? {...parseJsonObject(text)} : {payload: bareOf(text, terminal)};
  const {keys: given = [], ...rest} = own as {keys?: readonly unknown[]};
  const added = keys.map((hex) => ({kind: 'unknown', hex}));
  return JSON.stringify({
    ...rest,
    ...(terminal === undefined ? {} : {deviceType: terminal}),
    ...(ksn === undefined ? {} : {ksn}),
    ...(iv === undefined ? {} : {iv}),
    keys: [...given, ...added],
  });
}

/** Undoes only the pastes that the diagnosis does not undo and name itself. */
function bareOf(text: string, terminal: TerminalType | undefined): string {
  const payload = isBinary(text) ? text : text.replace(/\r?\n$/, '');
  const paste = mayBePaste(payload, terminal) ? readPaste(payload, terminal) : undefined;
  if (!paste) return payload;
  return isReadByDiagnosis(payload, {deviceType: terminal}) ? payload : paste.payload;
}
