// Lets the modules of oclif load each other where they use each other, not at their beginning: a
// command needs few of them. Without these plugins `decrypt` takes 8 % more CPU time to start.
import {RolldownMagicString} from 'rolldown';
import {parseSync, Visitor} from 'rolldown/utils';

/** Packages for help texts, plugins without a manifest, and a spinner: they are not joined. */
const RARE = /^(?:cli-spinners|ejs|lilconfig|minimatch|tinyglobby)$/;
/** Marks the module that stands for such a package. */
const STAND_IN = '\0rare:';

/** The plugin of rolldown that makes the modules of oclif load each other late. */
export const lazyRequires = {
  name: 'lazy-requires',
  transform: {
    filter: {id: /node_modules[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/},
    handler: (code) => ({code: inlineRequires(code)}),
  },
};

/** The plugin of rolldown that leaves rare packages to oclif's own dependencies, wherever they are. */
export const rarePackages = {
  name: 'rare-packages',
  resolveId: {filter: {id: RARE}, handler: (name) => STAND_IN + name},
  load: {
    filter: {id: new RegExp(`^${STAND_IN}`)},
    handler: (id) => `
      import {createRequire} from 'node:module';
      const oclif = createRequire(import.meta.url).resolve('@oclif/core');
      const found = createRequire(oclif)(${JSON.stringify(id.slice(STAND_IN.length))});
      export {found as 'module.exports'};`,
  },
};

/** The text of a CommonJS module with every `require` at the places where its module is used. */
export function inlineRequires(code) {
  const {program} = parseSync('module.cjs', code);
  const text = new RolldownMagicString(code);
  const required = new Map();
  for (const statement of program.body) {
    const found = requirement(statement);
    if (!found) continue;
    required.set(found.name, `(${code.slice(found.value.start, found.value.end)})`);
    text.remove(statement.start, statement.end);
  }
  visitUses(program, ({name, start, end}) => {
    if (required.has(name)) text.overwrite(start, end, required.get(name));
  });
  return text;
}

/**
 * What the TypeScript compiler writes for an import: a name, unique in its file, and the `require` that
 * it stands for.
 */
function requirement({type, declarations}) {
  if (type !== 'VariableDeclaration' || declarations.length !== 1) return undefined;
  const [{id, init}] = declarations;
  const call = init?.callee?.name === '__importDefault' ? init.arguments[0] : init;
  const isImport = /_\d+$/.test(id.name ?? '') && call?.callee?.name === 'require';
  return isImport ? {name: id.name, value: init} : undefined;
}

/** Calls `visit` with every identifier but those that statements of the module itself declare. */
function visitUses(program, visit) {
  const declared = new Set(
    program.body.flatMap(({declarations = []}) => declarations.map(({id}) => id.start)),
  );
  const visitor = new Visitor({
    Identifier(node) {
      if (!declared.has(node.start)) visit(node);
    },
  });
  visitor.visit(program);
}
