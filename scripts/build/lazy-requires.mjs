// Makes oclif's modules load each other at first use instead of at start-up: a command needs few of
// them. Without these plugins `decrypt` takes 8 % more CPU time to start.
import {RolldownMagicString} from 'rolldown';
import {parseSync, Visitor} from 'rolldown/utils';

/** The rolldown plugin that makes oclif's modules load each other at first use. */
export const lazyRequires = {
  name: 'lazy-requires',
  transform: {
    filter: {id: /node_modules[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/},
    handler: (code) => ({code: inlineRequires(code)}),
  },
};

/** A rolldown plugin that puts a made module in the place of others. */
function replacing(name, id, code, isFor = () => true) {
  const mark = `\0${name}:`;
  return {
    name,
    resolveId: {filter: {id}, handler: (given, by) => (isFor(by ?? '') ? mark + given : null)},
    load: {filter: {id: new RegExp(`^${mark}`)}, handler: (made) => code(made.slice(mark.length))},
  };
}

/** What takes long in oclif at every start, and what does the same for us. */
const QUICKER = [
  // The first comparison by locale makes V8 read the list of all locales.
  ['config/plugin.js', 'a.id.localeCompare(b.id)', '(a.id < b.id ? -1 : 1)'],
  // `run` and the command would each load again what `start` has loaded.
  ['config/config.js', 'if (isConfig(opts)) {', 'if (isConfig(opts)) { return opts;'],
  // That Windows is below Linux is of no use to us.
  ['util/os.js', "(await import('wsl-utils')).isWsl ? 'wsl' : ", ''],
];

/** The rolldown plugin that replaces it. */
export const quickerStart = {
  name: 'quicker-start',
  transform: {
    filter: {id: QUICKER.map(([file]) => new RegExp(`@oclif/core/lib/${file}$`))},
    handler(code, id) {
      const [, slow, quick] = QUICKER.find(([file]) => id.endsWith(file));
      if (!code.includes(slow)) this.error(`${slow} is not in ${id}`);
      return {code: new RolldownMagicString(code).replace(slow, quick)};
    },
  },
};

/** Leaves out the log of oclif: DEBUG is never set. */
export const silentDebug = replacing(
  'silent-debug',
  /^debug$/,
  () => `
    const silent = () => () => {};
    export {silent as 'module.exports'};`,
  (importer) => /@oclif/.test(importer),
);

/** For packages: an import of `node:process` makes every stream and list of it. */
export const globalProcess = replacing(
  'global-process',
  /^node:process$/,
  () => 'export default process;',
);

/** Leaves out what oclif needs for plugins without a manifest, and for a spinner. */
export const rarePackages = replacing(
  'rare-packages',
  /^(?:cli-spinners|lilconfig|minimatch|tinyglobby)$/,
  (name) => `
    throw new Error('${name} is not part of paylens');
    export {};`,
);

/**
 * Leaves out what age-encryption has for other recipients than a keyfile's, and for runtimes without
 * X25519: it takes 45 of the 60 ms of its import.
 */
export const unusedParts = replacing(
  'unused-parts',
  /^@noble\/(?:post-quantum\/hybrid|curves\/(?:nist|ed25519)|hashes\/scrypt)\.js$/,
  () => `
    export const MLKEM768P256 = 0, MLKEM768X25519 = 0, p256 = 0, scrypt = 0;
    export const x25519 = {GuBytes: Uint8Array.from({length: 32}, (_, i) => i === 0 ? 9 : 0)};`,
  (importer) => /age-encryption/.test(importer),
);

/** Leaves out what fastify has for schemas, its log and its injected requests: the service uses none. */
export const unusedSchemas = replacing(
  'unused-schemas',
  /^(?:@fastify\/(?:ajv-compiler|fast-json-stringify-compiler)|light-my-request|pino)$/,
  (name) => `
    const absent = () => () => {
      throw new Error('${name} is not part of paylens');
    };
    absent.symbols = {serializersSym: Symbol('serializers')};
    export {absent as 'module.exports'};`,
);

/** Of the router: no route of ours is an expression, and its own constants are safe. */
export const safeExpressions = replacing(
  'safe-expressions',
  /^safe-regex2$/,
  () => `
    const isSafe = () => true;
    export {isSafe as 'module.exports'};`,
);

/**
 * Leaves out what fastify has for plugins and proxies, and prom-client for summaries and traces: the
 * service uses none.
 */
export const unusedByService = replacing(
  'unused-by-service',
  /^(?:semver|@fastify\/proxy-addr|tdigest|@opentelemetry\/api)$/,
  (name) => `
    const fail = () => {
      throw new Error('${name} is not part of paylens');
    };
    const absent = new Proxy(function () {}, {get: () => absent, apply: fail, construct: fail});
    export {absent as 'module.exports'};`,
  (importer) => /[\\/](?:fastify|prom-client)[\\/]/.test(importer),
);

/**
 * Escapes the few characters of a chunk that are above U+00FF, all of them in literals: for one of them
 * V8 would keep the whole source with two bytes a character.
 */
export const oneByteSources = {
  name: 'one-byte-sources',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const {code = ''} = chunk;
      const wide = code.match(WIDE)?.length ?? 0;
      // Many of them are a table, which escapes would make twice as long.
      if (wide > 0 && wide < code.length / 100) chunk.code = code.replaceAll(WIDE, escaped);
    }
  },
};

const WIDE = /[^\0-\xFF]/g;

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The text of a CommonJS module, with every `require` moved to the places that use it. */
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

/** An import as compiled by TypeScript: a name, unique in its file, and its `require`. */
function requirement({type, declarations}) {
  if (type !== 'VariableDeclaration' || declarations.length !== 1) return undefined;
  const [{id, init}] = declarations;
  const call = init?.callee?.name === '__importDefault' ? init.arguments[0] : init;
  const isImport = /_\d+$/.test(id.name ?? '') && call?.callee?.name === 'require';
  return isImport ? {name: id.name, value: init} : undefined;
}

/** Calls `visit` with every identifier except those declared by the module's own statements. */
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
