import {parseJsonObject} from '../../contract/parse-json.js';
import {isCase} from '../../diagnosis/input/case.js';
import {understand} from '../../diagnosis/input/interpret.js';
import {isIntact} from '../../diagnosis/input/read-form.js';
import {isBinary} from '../../engine/decode-input.js';
import type {TerminalType} from '../../engine/devices/registry.js';
import {mayBePaste} from '../../engine/paste/may-be-paste.js';
import {readPaste} from '../../engine/paste/read-paste.js';
import type {Beside} from './read-input.js';

/** What is known beside the text to diagnose. */
export interface Known {
  readonly terminal: TerminalType | undefined;
  readonly beside: Beside;
  readonly keys: readonly string[];
}

/** The case that a text and the settings give together, in JSON. Throws 2004, and 2100 as `readPaste`. */
export function caseOf(text: string, {terminal, beside, keys}: Known): string {
  const own = isCase(text) ? {...parseJsonObject(text)} : {payload: bareOf(text, terminal)};
  const {keys: given = [], ...rest} = own as {keys?: readonly unknown[]};
  const added = keys.map((hex) => ({kind: 'unknown', hex}));
  return JSON.stringify({
    ...rest,
    ...(terminal === undefined ? {} : {deviceType: terminal}),
    ...(beside.ksn === undefined ? {} : {ksn: beside.ksn}),
    ...(beside.iv === undefined ? {} : {iv: beside.iv}),
    keys: [...given, ...added],
  });
}

/** What the diagnosis undoes itself, it names: only other pastes are undone before. */
function bareOf(text: string, terminal: TerminalType | undefined): string {
  const payload = isBinary(text) ? text : text.replace(/\r?\n$/, '');
  const paste = mayBePaste(payload, terminal) ? readPaste(payload, terminal) : undefined;
  if (!paste) return payload;
  const {subjects} = understand(payload, {name: 'payload', deviceType: terminal});
  const isRead = subjects.some((subject) => subject.kind === 'reading' && isIntact(subject));
  return isRead ? payload : paste.payload;
}
