// Determines which parts of a file a test executes: a mutant need only be run with tests that
// execute its part.
import {parseAst} from 'rolldown/parseAst';

/**
 * `code` with a mark (`__ran[id] = 1`) in every function, block and branch, numbered from `first`,
 * and the range of each mark: `{id, start, end}`, outer ranges before inner ones.
 */
export function withProbes(code, first) {
  const parts = [];
  const inserted = [];
  const mark = ({start, end}, body) => {
    const id = first + parts.length;
    parts.push({id, start, end});
    if (body.type === 'BlockStatement')
      return inserted.push({at: body.start + 1, text: `__ran[${id}]=1;`});
    inserted.push({at: body.start, text: `(__ran[${id}]=1,`}, {at: body.end, text: ')'});
  };
  visit(parseAst(code, {lang: 'ts'}), undefined, mark);
  return {code: insert(code, inserted), parts};
}

function visit(node, parent, mark) {
  if (isFunction(node) && node.body) mark(node, node.body);
  else if (node.type === 'BlockStatement' && !isFunction(parent)) mark(node, node);
  else if (node.type === 'ConditionalExpression') {
    for (const branch of [node.consequent, node.alternate]) mark(branch, branch);
  }
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string') visit(child, node, mark);
  }
}

function isFunction({type}) {
  return /^(?:Arrow)?Function(?:Expression|Declaration)?$/.test(type);
}

function insert(code, inserted) {
  let text = '';
  let done = 0;
  for (const {at, text: more} of inserted.sort((a, b) => a.at - b.at)) {
    text += code.slice(done, at) + more;
    done = at;
  }
  return text + code.slice(done);
}
