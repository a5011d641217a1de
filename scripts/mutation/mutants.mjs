// Generates every small change of a source file that its tests should detect: an operator replaced,
// a limit moved by one, a condition fixed, a call removed. Texts for people are not changed.
import {parseAst} from 'rolldown/parseAst';

const BINARY = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
};
const LOGICAL = {'&&': ['||'], '||': ['&&'], '??': ['&&']};
const ASSIGNMENT = {
  '+=': ['-='],
  '-=': ['+='],
  '^=': ['|='],
  '|=': ['&='],
  '&=': ['|='],
  '<<=': ['>>='],
};
const METHODS = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  find: 'findLast',
};
/** Calls that may be removed from a chain: `x.trim()` becomes `x`. */
const DROPPED = new Set([
  'trim',
  'trimStart',
  'trimEnd',
  'toUpperCase',
  'toLowerCase',
  'filter',
  'sort',
  'slice',
  'subarray',
  'toReversed',
  'padStart',
]);

/**
 * The mutants of one file, in text order: `{file, start, end, from, to}`. The text from `start` to
 * `end` (UTF-16 code units) is replaced by `to`.
 */
export function mutantsOf(file, code) {
  const found = [];
  const tables = [];
  const add = (node, to) => {
    const from = code.slice(node.start, node.end);
    if (isIn(tables, node) && /^['"]/.test(from)) return;
    if (from !== to) found.push({file, start: node.start, end: node.end, from, to});
  };
  walk(parseAst(code, {lang: 'ts'}), undefined, (node, parent) => {
    if (isNameTable(node, code)) tables.push(node.init);
    VISITORS[node.type]?.(node, add, code, parent);
  });
  return found.sort((a, b) => a.start - b.start || a.end - b.end || (a.to < b.to ? -1 : 1));
}

/** True for a table of names and meanings, which are texts for people. */
function isNameTable(node, code) {
  const {typeAnnotation: type} = node.type === 'VariableDeclarator' ? node.id : {};
  return type && /^: Readonly<Record<\w+, string>>$/.test(code.slice(type.start, type.end));
}

function isIn(ranges, {start, end}) {
  return ranges.some((range) => range.start <= start && end <= range.end);
}

const VISITORS = {
  BinaryExpression: (node, add, code) => exchange(node, BINARY, add, code),
  LogicalExpression: (node, add, code) => exchange(node, LOGICAL, add, code),
  AssignmentExpression: (node, add, code) => exchange(node, ASSIGNMENT, add, code),
  UpdateExpression: (node, add, code) => {
    const text = code.slice(node.start, node.end);
    add(node, text.includes('++') ? text.replace('++', '--') : text.replace('--', '++'));
  },
  UnaryExpression: (node, add, code) => {
    if (['!', '-', '~'].includes(node.operator))
      add(node, code.slice(node.argument.start, node.argument.end));
  },
  IfStatement: (node, add) => condition(node.test, add),
  ConditionalExpression: (node, add) => condition(node.test, add),
  WhileStatement: (node, add) => add(node.test, 'false'),
  ForStatement: (node, add) => node.test && add(node.test, 'false'),
  ExpressionStatement: (node, add) => {
    if (['CallExpression', 'AwaitExpression'].includes(node.expression.type)) add(node, ';');
  },
  ReturnStatement: (node, add) => {
    if (node.argument && !['Literal', 'Identifier'].includes(node.argument.type))
      add(node.argument, 'undefined');
  },
  ArrayExpression: (node, add) => node.elements.length > 0 && add(node, '[]'),
  CallExpression: call,
  Literal: literal,
};

function exchange(node, table, add, code) {
  const start = node.left.end;
  const between = code.slice(start, node.right.start);
  const at = between.indexOf(node.operator);
  for (const to of table[node.operator] ?? []) {
    add({start: start + at, end: start + at + node.operator.length}, to);
  }
}

function condition(test, add) {
  add(test, 'true');
  add(test, 'false');
}

function call(node, add, code) {
  const {callee} = node;
  if (callee.type !== 'MemberExpression' || callee.computed) return;
  const {name} = callee.property;
  if (Object.hasOwn(METHODS, name)) add(callee.property, METHODS[name]);
  if (DROPPED.has(name) && !callee.optional)
    add(node, code.slice(callee.object.start, callee.object.end));
}

function literal(node, add, _code, parent) {
  if (typeof node.value === 'boolean') add(node, String(!node.value));
  else if (typeof node.value === 'number')
    add(node, node.value === 0 ? '1' : String(node.value + 1));
  else if (node.regex) for (const to of regexes(node.regex)) add(node, to);
  else if (typeof node.value === 'string' && isDecision(node, parent)) add(node, "'\\u0001'");
}

/**
 * True for a text of one word, which the program compares or passes on; sentences are for people.
 */
function isDecision({value}, parent) {
  if (value === '' || /\s/.test(value)) return false;
  return ![
    'ImportDeclaration',
    'ExportNamedDeclaration',
    'ImportExpression',
    'TemplateLiteral',
  ].includes(parent?.type);
}

function regexes({pattern, flags}) {
  const made = [];
  if (pattern.startsWith('^')) made.push(`/${pattern.slice(1) || '(?:)'}/${flags}`);
  if (pattern.endsWith('$') && !pattern.endsWith('\\$'))
    made.push(`/${pattern.slice(0, -1) || '(?:)'}/${flags}`);
  if (flags.includes('i')) made.push(`/${pattern}/${flags.replace('i', '')}`);
  return made;
}

/**
 * Calls `visit` for every node that is executed; types, imports and error messages are left out.
 */
function walk(node, parent, visit) {
  if (
    node.type?.startsWith('TS') &&
    !['TSNonNullExpression', 'TSAsExpression', 'TSSatisfiesExpression'].includes(node.type)
  )
    return;
  if (node.type === 'ImportDeclaration') return;
  visit(node, parent);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent' || isMessage(node, name)) continue;
    const children = Array.isArray(value) ? value : [value];
    children.forEach((child, index) => {
      if (typeof child?.type !== 'string') return;
      if (node.type === 'NewExpression' && name === 'arguments' && index > 0 && isError(node))
        return;
      walk(child, node, visit);
    });
  }
}

function isMessage(node, name) {
  if (node.type === 'Property' || node.type === 'MemberExpression')
    return name === 'key' || (name === 'property' && !node.computed);
  return (
    name === 'typeAnnotation' ||
    name === 'typeArguments' ||
    name === 'typeParameters' ||
    name === 'returnType'
  );
}

function isError({callee}) {
  return callee.type === 'Identifier' && callee.name.endsWith('Error');
}
