// Measures what a page loads, bundled and minified by rolldown as an application: the whole library
// with the ten terminals of the interface, and with all; `decrypt` with one terminal; what each
// family adds. Limits are on what is loaded at once. What is loaded later is shown: the diagnosis
// with the first case, descriptions and writers of terminals when they are asked for.
import {mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync, gzipSync} from 'node:zlib';
import {rolldown} from 'rolldown';
import {bundleNeutral} from '../build/bundle-neutral.mjs';
import {terminalEntries, terminalInput} from '../build/terminal-entries.mjs';

const KB = 1000;
/** Brotli, with the ten terminals of the interface. */
const MOST_LIBRARY = 120 * KB;
/**
 * Gzip. The goal of 25 kB is missed: with every terminal come both ciphers, both ways to derive
 * their keys, and the proofs that a plaintext is a card.
 */
const MOST_ONE_TERMINAL = 43 * KB;
/** Gzip, of terminals with hashes in the frame, with several formats, or with the forms of others. */
const MOST_OF_LARGE = {
  ...{idtech: 48 * KB, magtek: 53 * KB, phressiapad: 59 * KB, prima: 48 * KB},
  // One reader of two makers.
  ...{dspread: 45 * KB, wisepad: 45 * KB},
};
/** Brotli, of a family beyond those of the interface. */
const MOST_FURTHER = 6 * KB;
/** Strings, reports, TLV and MMS. */
const MOST_OF_SEVERAL_FORMATS = {magtek: 11.5 * KB};

const OF_INTERFACE = [
  ...['generic', 'idtech', 'ingenico', 'miura', 'phressiapad', 'prima', 'verifone', 'wisepad'],
];

/** Takes the families beyond the interface from the registry. */
const ofTheInterface = {
  name: 'of-the-interface',
  load: {filter: {id: /engine\/devices\/registry\.ts$/}, handler: (id) => withoutFurther(id)},
};

const withoutXml = {
  name: 'without-xml',
  load: {filter: {id: /node_modules\/saxes\//}, handler: () => 'export class SaxesParser {}'},
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = path.join(root, 'node_modules/.cache/paylens-sizes');
const families = readdirSync(path.join(root, 'dist/neutral/terminals')).map((file) =>
  path.basename(file, '.js'),
);
let failed = false;

rmSync(work, {recursive: true, force: true});
mkdirSync(path.join(work, 'node_modules'), {recursive: true});
try {
  symlinkSync(root, path.join(work, 'node_modules/paylens'));
  await measureLibrary();
  await measureFamilies();
} finally {
  rmSync(work, {recursive: true, force: true});
}
if (failed) process.exit(1);

async function measureLibrary() {
  await buildVariant('ten', ofTheInterface);
  const whole = (library) => sizeOf(application([library]));
  const ten = await whole('ten');
  report('the whole library with ten terminals, brotli', ten.brotli, MOST_LIBRARY);
  console.log(`  later, on demand: ${inKb(ten.later)} brotli`);
  const all = await whole('paylens');
  report('the whole library with all terminals, brotli', all.brotli);
  console.log(`  later, on demand: ${inKb(all.later)} brotli`);
}

async function measureFamilies() {
  await buildVariant('without-xml', withoutXml);
  const decryptWith = (names, library = 'paylens') =>
    sizeOf(application(['decrypt', ...names.map((name) => `terminals/${name}`)], library));
  const all = await decryptWith(families);
  const withoutParser = await decryptWith(families, 'without-xml');
  report(`decrypt with ${families.length} families, brotli`, all.brotli);
  console.log(`  of it an XML parser: ${inKb(all.brotli - withoutParser.brotli)}`);
  for (const family of families) {
    const alone = await decryptWith([family]);
    const most = MOST_OF_LARGE[family] ?? MOST_ONE_TERMINAL;
    report(`decrypt with ${family}, gzip`, alone.gzip, most);
    const others = families.filter((one) => one !== family);
    const added = withoutParser.brotli - (await decryptWith(others, 'without-xml')).brotli;
    report(`  ${family} adds to all others, brotli`, added, mostOf(family));
  }
}

function mostOf(family) {
  return OF_INTERFACE.includes(family)
    ? undefined
    : (MOST_OF_SEVERAL_FORMATS[family] ?? MOST_FURTHER);
}

/** A program that uses all of some modules of a library. */
function application(modules, library) {
  const specifiers = modules.map((name) => (library ? `${library}/${name}` : name));
  const imports = specifiers.map((name, i) => `import * as module${i} from '${name}';`);
  const used = specifiers.map((_, i) => `module${i}`);
  return [...imports, `globalThis.modules = [${used.join(', ')}];`].join('\n');
}

/** The neutral library, built as ever but with a change, as a package of its own. */
async function buildVariant(name, plugin) {
  const dir = path.join(work, 'node_modules', name);
  const input = {index: 'src/index.ts', decrypt: 'src/decrypt.ts', ...terminalInput()};
  await bundleNeutral({input, dir, plugins: [terminalEntries, plugin]});
  const exports = {'.': './index.js', './*': './*.js'};
  writeFileSync(
    path.join(dir, 'package.json'),
    JSON.stringify({name, sideEffects: false, exports}),
  );
}

function withoutFurther(id) {
  const code = readFileSync(id, 'utf8');
  const [list, inside] = /const FURTHER = \[([^\]]*)\]/.exec(code) ?? [];
  if (list === undefined) throw new Error('registry.ts has no FURTHER terminals');
  const further = inside.match(/\w+/g);
  return code
    .replace(list, 'const FURTHER = []')
    .replaceAll(/import \{(.*)\} from '.*\/terminal\.js';\n/g, (line, names) =>
      names.split(', ').every((one) => further.includes(one)) ? '' : line,
    );
}

/** What the code loads at once, and what later, in bytes. */
async function sizeOf(code) {
  const input = path.join(work, 'entry.js');
  writeFileSync(input, code);
  const build = await rolldown({cwd: work, input, platform: 'browser'});
  const {output} = await build.generate({format: 'esm', minify: true});
  await build.close();
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const first = loadedWith(output.find(({isEntry}) => isEntry).fileName, chunks);
  const sum = (some, pack) => some.reduce((bytes, {code: text}) => bytes + pack(text).length, 0);
  const now = output.filter(({fileName}) => first.has(fileName));
  const later = output.filter(({fileName}) => !first.has(fileName));
  return {
    gzip: sum(now, (text) => gzipSync(text, {level: 9})),
    brotli: sum(now, brotliCompressSync),
    later: sum(later, brotliCompressSync),
  };
}

function loadedWith(entry, chunks) {
  const loaded = new Set([entry]);
  // Iterating a set also visits elements added meanwhile.
  for (const name of loaded) for (const imported of chunks.get(name).imports) loaded.add(imported);
  return loaded;
}

function report(what, bytes, most) {
  const limit = most === undefined ? '' : ` of at most ${inKb(most)}`;
  console.log(`size: ${what}: ${inKb(bytes)}${limit}`);
  if (most === undefined || bytes <= most) return;
  console.log(`  too large by ${bytes - most} bytes`);
  failed = true;
}

function inKb(bytes) {
  return `${(bytes / KB).toFixed(1)} kB`;
}
