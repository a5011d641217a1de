// Reads the sources below a root with the compiler that API Extractor brings: ours, the native one,
// has no API for tools.
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const ts = createRequire(require.resolve('@microsoft/api-extractor'))('typescript');

/** The files below a folder of the root, by their paths from the root, in order. */
export function filesBelow(root, folder) {
  return readdirSync(path.join(root, folder), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

/** A file of TypeScript: its text, its tokens, its top-level names and its functions. */
export function readSource(root, file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const definitions = tree.statements.flatMap(definitionsIn);
  const functions = [];
  let tokens = 0;
  visit(tree);
  return {file, text, tokens, definitions, functions};

  function visit(node) {
    if (isFunction(node) && node.body) {
      const [line, end] = [lineAt(node.getStart(tree)), lineAt(node.getEnd())];
      functions.push({name: functionName(node), line, lines: end - line + 1});
    }
    const children = node.getChildren(tree).filter(({kind}) => !ts.isJSDoc({kind}));
    if (children.length === 0 && node.kind !== ts.SyntaxKind.EndOfFileToken) {
      tokens += node.getWidth(tree) > 0 ? 1 : 0;
    }
    children.forEach(visit);
  }
}

export function lineCount(text) {
  return text.split('\n').length - 1;
}

/**
 * `layer: name: files`, for each name that two files of a layer define. The platform is written for Node
 * and for all other runtimes, so that each name must be in both: each is a layer of its own.
 */
export function namesTwiceInALayer(sources) {
  const files = new Map();
  for (const {file, definitions} of sources) {
    const layer = file.match(/^src\/(?:platform\/)?[^/]+/)[0];
    for (const name of new Set(definitions.map((one) => one.name))) {
      const key = `${layer}: ${name}`;
      files.set(key, [...(files.get(key) ?? []), file]);
    }
  }
  return [...files]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name}: ${found.join(' ')}`)
    .sort();
}

/** `file:line: name` of the functions above 35 lines, in page 60. */
export function longFunctions(sources) {
  return sources.flatMap(({file, functions}) =>
    functions
      .filter(({lines}) => lines > (file.startsWith('src/page/') ? 60 : 35))
      .map(({name, line, lines}) => `${file}:${line}: ${name} has ${lines} lines`),
  );
}

/** The names that a statement defines, each once: with overloads a function is one definition. */
function definitionsIn(statement) {
  const isExported = statement.modifiers?.some(({kind}) => kind === ts.SyntaxKind.ExportKeyword);
  const hasComment = (statement.jsDoc ?? []).length > 0;
  const nodes = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : isDefinition(statement)
      ? [statement]
      : [];
  return nodes
    .filter(({name}) => name && ts.isIdentifier(name))
    .map(({name}) => ({name: name.text, isExported: isExported === true, hasComment}));
}

function isDefinition(statement) {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement)
  );
}

function isFunction(node) {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node)
  );
}

function functionName(node) {
  const named = node.name ?? node.parent.name;
  return named && 'text' in named ? named.text : ts.SyntaxKind[node.kind];
}
