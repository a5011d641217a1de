// Reads the declarations in dist as a user of the package sees them: what every entry point exports,
// and the types that this refers to.
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {parseSync} from 'rolldown/utils';

const files = new Map();

/**
 * The exports of a declaration file, by name: each with its declarations as text without comments,
 * whether a comment tells what it is, and the types that it refers to, as exports of other files.
 */
export function exportsOf(file) {
  const {statements} = parsed(file);
  const found = new Map();
  for (const statement of statements) {
    if (statement.type === 'ExportAllDeclaration') {
      for (const [name, each] of exportsOf(sourceOf(file, statement))) found.set(name, each);
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      for (const {exported, local} of statement.specifiers) {
        const from = statement.source ? sourceOf(file, statement) : file;
        found.set(exported.name, declared(from, local.name));
      }
    }
  }
  for (const [name, places] of parsed(file).exported)
    found.set(name, described(file, name, places));
  return found;
}

function declared(file, name) {
  const {all, imported} = parsed(file);
  if (all.has(name)) return described(file, name, all.get(name));
  const origin = imported.get(name);
  if (origin) return declared(origin.file, origin.name);
  const exported = exportsOf(file).get(name);
  if (exported) return exported;
  throw new Error(`${file}: nothing declares ${name}`);
}

function described(file, name, places) {
  const {text, comments} = parsed(file);
  const code = places.map(({start, end}) => withoutComments(text, comments, start, end)).join('\n');
  return {
    ...{id: `${file}#${name}`, name, code},
    isDocumented: places.some(({start}) =>
      comments.some(
        ({end, value}) => value.startsWith('*') && text.slice(end, start).trim() === '',
      ),
    ),
    references: () =>
      [...new Set(code.match(/\b[A-Z]\w*\b/g))]
        .filter(
          (one) => one !== name && (parsed(file).all.has(one) || parsed(file).imported.has(one)),
        )
        .map((one) => declared(file, one)),
  };
}

/** Spaces are of no account. */
function withoutComments(text, comments, start, end) {
  let code = '';
  let at = start;
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue;
    code += text.slice(at, comment.start);
    at = comment.end;
  }
  return (code + text.slice(at, end)).replaceAll(/\s+/g, ' ').trim();
}

function parsed(file) {
  if (!files.has(file)) files.set(file, parse(file));
  return files.get(file);
}

function parse(file) {
  const text = readFileSync(file, 'utf8');
  const {program, comments, errors} = parseSync(file, text, {lang: 'dts'});
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const all = new Map();
  const exported = new Map();
  const imported = new Map();
  for (const statement of program.body) {
    const isExport = statement.type === 'ExportNamedDeclaration';
    for (const name of namesOf(isExport ? statement.declaration : statement)) {
      all.set(name, [...(all.get(name) ?? []), statement]);
      if (isExport) exported.set(name, all.get(name));
    }
    if (statement.type !== 'ImportDeclaration') continue;
    for (const {local, imported: origin} of statement.specifiers) {
      if (origin) imported.set(local.name, {file: sourceOf(file, statement), name: origin.name});
    }
  }
  return {text, comments, statements: program.body, all, exported, imported};
}

function namesOf(declaration) {
  if (!declaration) return [];
  if (declaration.declarations) return declaration.declarations.map(({id}) => id.name);
  return declaration.id?.name ? [declaration.id.name] : [];
}

function sourceOf(file, {source}) {
  const target = path.join(path.dirname(file), source.value.replace(/\.js$/, '.d.ts'));
  if (existsSync(target)) return target;
  throw new Error(`${file}: ${source.value} is not in the package`);
}
