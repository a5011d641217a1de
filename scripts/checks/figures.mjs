// Prints what the house is measured by: files, lines, bytes and tokens of src, comments, names and
// functions, and the lines of tests, scripts and pages. Another root may be given as argument.
// `--names`, `--functions` and `--rules` list the names that a layer has twice, the long functions, and
// what breaks a rule on names.
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {faultsByRule} from './name-rules.mjs';
import {filesBelow, lineCount, longFunctions, namesTwiceInALayer, readSource} from './sources.mjs';

const MAX_LINE_CHARS = 110;
/** The rows of a table of options. */
const OPTION_ROWS = /(?<=^\| option \| values \| meaning \|\n\|[-| ]+\|\n)(?:\|.*\n)+/gm;

const [given] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const root = path.resolve(given ?? fileURLToPath(new URL('../..', import.meta.url)));
const sources = filesBelow(root, 'src')
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readSource(root, file));

if (process.argv.includes('--names')) console.log(namesTwiceInALayer(sources).join('\n'));
else if (process.argv.includes('--functions')) console.log(longFunctions(sources).join('\n'));
else if (process.argv.includes('--rules')) console.log(faultsByRule(sources));
else
  for (const [what, figure] of Object.entries(figures()))
    console.log(`${figure}`.padStart(9), what);

function figures() {
  const all = filesBelow(root, 'src');
  const texts = all.map(textOf);
  const lines = sum(texts.map(lineCount));
  const definitions = sources.flatMap(({file, definitions: own}) =>
    [...new Map(own.map((one) => [one.name, one])).values()].map((one) => ({...one, file})),
  );
  const exported = definitions.filter(({isExported}) => isExported);
  const once = new Set();
  const twice = new Set();
  for (const {name} of definitions) (once.has(name) ? twice : once).add(name);
  const shared = definitions.filter(({name}) => twice.has(name));
  return {
    'files in src': all.length,
    'lines in src': lines,
    'bytes in src': sum(texts.map((text) => Buffer.byteLength(text))),
    'tokens in src': sum(sources.map(({tokens}) => tokens)),
    'comment lines per 100 lines of src': share(sum(texts.map(commentLines)), lines),
    'exported declarations with a doc comment, %': share(
      exported.filter(({hasComment}) => hasComment).length,
      exported.length,
    ),
    [`lines of src above ${MAX_LINE_CHARS} characters`]: sum(texts.map(longLines)),
    'top-level definitions in src': definitions.length,
    'definitions whose name occurs in a second file, %': share(shared.length, definitions.length),
    'names that a layer has twice': namesTwiceInALayer(sources).length,
    'functions above 35 lines, in page 60': longFunctions(sources).length,
    'functions above 60 lines': sources
      .flatMap(({functions}) => functions)
      .filter(({lines: own}) => own > 60).length,
    'lines in test, without vectors, samples and lock files': linesOf('test', isTest),
    'lines in scripts': linesOf('scripts', (file) => !/\.(?:json|txt|md)$/.test(file)),
    'lines in docs written by hand, tables between markers aside': writtenLines(),
    ...interfaceCounts(),
  };
}

function textOf(file) {
  return readFileSync(path.join(root, file), 'utf8');
}

function longLines(text) {
  return text.split('\n').filter(({length}) => length > MAX_LINE_CHARS).length;
}

/** Lines that are a comment or a part of one. */
function commentLines(text) {
  return text.split('\n').filter((line) => /^\s*(?:\/\/|\/\*|\*(?!\w))/.test(line)).length;
}

function isTest(file) {
  return !/^test\/(?:vectors|samples)\/|package-lock\.json$|\.(?:png|pem|gz)$/.test(file);
}

function linesOf(folder, isCounted) {
  return sum(
    filesBelow(root, folder)
      .filter(isCounted)
      .map((file) => lineCount(textOf(file))),
  );
}

function writtenLines() {
  const pages = filesBelow(root, 'docs').filter((file) => file.endsWith('.md'));
  const generated = /<!-- made:[^>]*-->[\s\S]*?<!-- (?:\/|end)[^>]*-->/g;
  const texts = pages.map(textOf).filter((text) => !/^<!-- .*npm run docs/i.test(text));
  return sum(texts.map((text) => lineCount(text.replaceAll(generated, ''))));
}

/** Counts what a user can set and meets, from the manifest and the generated tables. */
function interfaceCounts() {
  const {commands} = JSON.parse(textOf('oclif.manifest.json'));
  const flags = Object.values(commands).flatMap((command) => Object.keys(command.flags ?? {}));
  const pages = filesBelow(root, 'docs')
    .filter((file) => file.endsWith('.md'))
    .map(textOf);
  const tables = pages.flatMap((text) => text.match(OPTION_ROWS) ?? []);
  return {
    commands: Object.keys(commands).length,
    'different flags': new Set(flags).size,
    'options of the simulator': sum(tables.map((table) => table.trim().split('\n').length)),
    'labels of diagnose': countIn(
      'src/diagnosis/labels.ts',
      /^ {2}(?: {2})?(?!text)'?[a-z][a-z\d-]*'?:(?: ['{]|$)/gm,
    ),
    'error codes': countIn('src/contract/error-catalogue.ts', /^ {2}\d{4}: /gm),
  };
}

function countIn(file, pattern) {
  return textOf(file).match(pattern)?.length ?? 0;
}

function share(part, whole) {
  return ((100 * part) / whole).toFixed(1);
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}
