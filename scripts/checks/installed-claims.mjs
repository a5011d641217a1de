// What the pages and the help of an installed package name, and is not there: targets of links, files,
// paths of the interface, flags, exports.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

/** Files of the repository, of which pages for users say that they are there. */
const IN_REPOSITORY = new Set(['docs/architecture.md']);
/** Flags of every program, and of npm, Node, curl and the benchmarks. */
const FOREIGN = new Set([
  'help',
  'version',
  'save-dev',
  'global',
  'omit',
  'inspect',
  'data-binary',
  'openemv',
  'libdukpt',
]);
/** Those of the package, and those of its code; tests are named as evidence, and are in the repository. */
const FOLDERS = 'bin|deploy|dist|docs|samples|scripts|src';

/** The faults of the package installed in `folder`, each with its page. */
export async function faultsOfClaims(folder) {
  const read = (file) => readFileSync(path.join(folder, file), 'utf8');
  const pages = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => file.split(path.sep).join('/'));
  const {commands} = JSON.parse(read('oclif.manifest.json'));
  const flags = new Set(
    Object.values(commands).flatMap((command) =>
      Object.entries(command.flags).flatMap(([name, {allowNo}]) =>
        allowNo ? [name, `no-${name}`] : [name],
      ),
    ),
  );
  const served = Object.keys(JSON.parse(read('dist/api/openapi.json')).paths);
  const exported = new Set(
    Object.keys(await import(pathToFileURL(path.join(folder, 'dist/index.js')))),
  );
  const texts = [
    ...pages.map((page) => [page, read(page)]),
    [
      'help',
      JSON.stringify(
        Object.values(commands).map(({description, flags: own}) => [description, own]),
      ),
    ],
  ];
  return texts.flatMap(([page, text]) => {
    const missing = [
      ...linksOf(page, text).filter((target) => !existsSync(path.join(folder, target))),
      ...filesOf(text).filter((file) => !existsSync(path.join(folder, file))),
      ...endpointsOf(text).filter((one) => !served.some((path) => path.endsWith(one))),
      ...flagsOf(text).filter((name) => !flags.has(name) && !FOREIGN.has(name)),
      ...(page === 'docs/library.md'
        ? functionsOf(text).filter((name) => !exported.has(name))
        : []),
    ];
    return [...new Set(missing)].map((what) => `${page}: ${what}`);
  });
}

function matches(text, form) {
  return [...text.matchAll(form)].map(([, found]) => found);
}

/** The targets of the links within the package, from its root. */
function linksOf(page, text) {
  return matches(text, /\]\((?!#|[a-z]+:)([^)\s#]+)/g).map((target) =>
    path.posix.join(path.posix.dirname(page), target),
  );
}

function filesOf(text) {
  const files = matches(text, new RegExp(`\`((?:${FOLDERS})/[\\w./-]*\\w)`, 'g'));
  return files.filter((file) => !IN_REPOSITORY.has(file));
}

function endpointsOf(text) {
  return matches(text, /(\/api\/v1\/[a-z]+\/[a-z]+)\b/g);
}

/** Flags in the running text and in the commands of paylens. */
function flagsOf(text) {
  const prose = text.replaceAll(/^```(?!console)[\s\S]*?^```$/gm, '');
  const lines = prose
    .split('\n')
    .filter((line) => !/^\$ |curl|^ {4}-/.test(line) || /paylens/.test(line));
  return matches(lines.join('\n'), /(?<![\w-])--([a-z][a-z-]*[a-z])/g);
}

/** Functions in the first column of the tables. */
function functionsOf(text) {
  return matches(text, /^\| `(?:new )?(\w+)\(/gm);
}
