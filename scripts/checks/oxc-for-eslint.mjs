// A parser for ESLint that needs no TypeScript: @typescript-eslint/parser uses the JavaScript API of
// TypeScript, which TypeScript 7 has not. It gives what rules about expressions need, no tokens.
import {parseSync, visitorKeys} from 'oxc-parser';

export const meta = {name: 'oxc-for-eslint'};

/** As ESLint calls a parser. */
export function parseForESLint(text, {filePath}) {
  const {program, errors} = parseSync(filePath, text, {range: true});
  if (errors.length > 0) throw new SyntaxError(errors[0].message);
  locate(program, lineStarts(text));
  return {ast: Object.assign(program, {tokens: [], comments: []}), visitorKeys};
}

function lineStarts(text) {
  return [0, ...Array.from(text.matchAll(/\n/g), ({index}) => index + 1)];
}

/** Gives every node its lines and columns. */
function locate(node, starts) {
  node.loc = {start: placeOf(node.start, starts), end: placeOf(node.end, starts)};
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (child) locate(child, starts);
  }
}

function placeOf(offset, starts) {
  let line = 0;
  for (let step = 2 ** 20; step >= 1; step /= 2) if (starts[line + step] <= offset) line += step;
  return {line: line + 1, column: offset - starts[line]};
}
