import {type JsonObject, parseJsonObject} from '../../../contract/parse-json.js';
import {PaylensError} from '../../../contract/paylens-error.js';
import type {Part, Trace} from '../../trace.js';

/** The description of a member, from its terminal's table, with its text or number. */
export type Describe = (name: string, value?: string) => Pick<Part, 'meaning' | 'sensitivity'>;

/** Reads a payload that is one JSON object. Throws 2100 when it is not, or is unsafe. */
export function parseJsonPayload(payload: string): JsonObject {
  try {
    return parseJsonObject(payload);
  } catch (error) {
    const why = error instanceof PaylensError ? error.detail : 'no JSON';
    throw new PaylensError(2100, `JSON form: ${why}`);
  }
}

/** A string, a bracket, a colon or comma, or a number or literal. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Records every member of a valid JSON text, from its name to the end of its value. */
export function noteJson(text: string, trace: Trace, describe: Describe): void {
  if (!trace.recording) return;
  let depth = 0;
  let member: {name: string; start: number} | undefined;
  let last: {token: string; index: number} | undefined;
  for (const {0: token, index} of text.matchAll(TOKEN)) {
    if (token === ':' && last) {
      member = {name: unquote(last.token), start: last.index};
    } else if (token === '{' || token === '[') {
      if (member) trace.note(partOf(text, member, index + 1, depth, describe));
      member = undefined;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
    } else if (token !== ',' && member) {
      trace.note(partOf(text, member, index + token.length, depth, describe, token));
      member = undefined;
    }
    last = {token, index};
  }
}

function partOf(
  text: string,
  {name, start}: {name: string; start: number},
  end: number,
  depth: number,
  describe: Describe,
  value?: string,
): Part {
  return {
    offset: start,
    length: end - start,
    depth: depth - 1,
    name,
    value: value === undefined ? text.slice(end - 1, end) : unquote(value),
    ...describe(name, value === undefined ? undefined : unquote(value)),
  };
}

function unquote(token: string): string {
  return token.startsWith('"') ? String(JSON.parse(token)) : token;
}
