import type {Trace} from '../../trace.js';
import {MEMBERS} from './layout.js';

/** A string, a bracket, a colon or comma, or a number or literal. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Notes every member of a valid JSON text, from its name to the end of its value. */
export function noteJson(text: string, trace: Trace): void {
  let depth = 0;
  let member: {name: string; start: number} | undefined;
  let last: {token: string; index: number} | undefined;
  for (const {0: token, index} of text.matchAll(TOKEN)) {
    if (token === ':' && last) {
      member = {name: unquote(last.token), start: last.index};
    } else if (token === '{' || token === '[') {
      if (member) note(trace, text, member, index + 1, depth);
      member = undefined;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
    } else if (token !== ',' && member) {
      note(trace, text, member, index + token.length, depth, token);
      member = undefined;
    }
    last = {token, index};
  }
}

function note(
  trace: Trace,
  text: string,
  {name, start}: {name: string; start: number},
  end: number,
  depth: number,
  value?: string,
): void {
  const meaning = MEMBERS[name.toLowerCase()];
  trace.note({
    offset: start,
    length: end - start,
    depth: depth - 1,
    name,
    value: value === undefined ? text.slice(end - 1, end) : unquote(value),
    ...(meaning === undefined ? {} : {meaning}),
  });
}

function unquote(token: string): string {
  return token.startsWith('"') ? String(JSON.parse(token)) : token;
}
